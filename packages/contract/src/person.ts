import { z } from 'zod'
import { answeredMoment, id, text, writtenName } from './field.js'
import { emailAddress, Role } from './member.js'
import { pageOf, pageQuery } from './page.js'
import { Scope } from './scope.js'

export const Person = z
  .object({
    id: id().describe('The person (UUID v7).'),
    createdAt: answeredMoment().describe('When the person first signed up (UTC).'),
    updatedAt: answeredMoment().describe('When the person was last changed (UTC).'),
    email: z.string().describe('The e-mail address that the person signs in with.'),
    name: z.string().describe('The name shown to others.'),
    hasPassword: z
      .boolean()
      .describe('Whether the person has a password. False once the issuer has proven the address.'),
    hasTotp: z.boolean().describe('Whether password sign-in requires a second factor.'),
    recoveryCodesLeft: z.int().describe('The number of unused recovery codes.'),
  })
  .meta({ id: 'Person', description: 'A person who can sign in.' })

export const Membership = z
  .object({
    id: id().describe('The organization, for `X-Org-Id`.'),
    name: z.string().describe('The name of the organization.'),
    memberId: id().describe('The member id of the person there.'),
    role: Role.describe('The role of the person there.'),
    scopes: z.array(Scope).describe('The scopes of the person there.'),
  })
  .meta({ id: 'Membership', description: 'An organization that a person belongs to.' })

export const PersonSession = z
  .object({
    id: id().describe('The session.'),
    createdAt: answeredMoment().describe('When the person signed in (UTC).'),
    lastUsedAt: answeredMoment().describe('When it was last used, to the minute.'),
    expiresAt: answeredMoment().describe('When it expires, unless it is used before.'),
    ipAddress: z.string().nullable().describe('The client address of the sign-in.'),
    userAgent: z.string().nullable().describe('The User-Agent of the browser.'),
    isCurrent: z.boolean().describe('Whether it is the session of this call.'),
  })
  .meta({ id: 'PersonSession', description: 'A browser in which a person is signed in.' })

export const PersonSessionPage = pageOf(PersonSession, 'PersonSession')

export const PersonSessionListQuery = z.strictObject(pageQuery)

export const WrongCodes = z
  .object({
    count: z.int().describe('The number since the previous sign-in.'),
    since: answeredMoment().describe('When the first one came (UTC).'),
  })
  .meta({
    id: 'WrongCodes',
    description:
      'Sign-in attempts with the right password and a wrong second factor. Others may know the password.',
  })

export const SignedIn = z
  .object({
    person: Person.describe('The signed-in person.'),
    organizations: z.array(Membership).describe('The organizations of the person, oldest first.'),
    session: PersonSession.describe('The session of this call.'),
    wrongCodes: WrongCodes.nullable().describe(
      'Wrong codes that came with the right password before this session began. Null: none.',
    ),
  })
  .meta({ id: 'SignedIn', description: 'The signed-in person, with organizations and scopes.' })

const password = () => z.string().max(1000)

export const SignIn = z
  .strictObject({
    email: emailAddress().describe('The e-mail address.'),
    password: password().describe('The password.'),
    code: text(100)
      .optional()
      .describe('The six digits of the authenticator, or a recovery code, if a second factor is on.'),
  })
  .meta({
    id: 'SignIn',
    description: 'The credentials of a person.',
    examples: [{ email: 'kim@hotel.example.com', password: 'a long sentence to remember' }],
  })

export const SignInWays = z
  .object({
    password: z.boolean().describe('Whether password sign-in is enabled.'),
    oidc: z
      .object({ name: z.string().describe('The label of the button: `PARLEY_OIDC_NAME`.') })
      .nullable()
      .describe('The issuer for sign-in. Null: none is configured.'),
    isSignedIn: z.boolean().describe('Whether the call has a valid session.'),
  })
  .meta({
    id: 'SignInWays',
    description: 'The available ways to sign in, and whether signing in is needed.',
  })

/** A path of our own pages. No browser can read it as an address of another host. */
const ownPath = () =>
  text(500).regex(/^\/(?![/\\])[^\\\s\p{Cc}]*$/u, {
    error: 'must be a path of this service that begins with one slash',
  })

export const OidcStart = z
  .strictObject({
    token: text(100)
      .optional()
      .describe('The value of `token=` in an invitation link, to accept it after signing in.'),
    returnTo: ownPath().optional().describe('The path to open after signing in. Default: `/`.'),
  })
  .meta({
    id: 'OidcStart',
    description: 'The body that begins signing in through the issuer.',
    examples: [{ returnTo: '/#/agents' }],
  })

export const OidcRedirect = z
  .object({ url: z.string().describe("The address of the issuer's page.") })
  .meta({ id: 'OidcRedirect', description: 'The address that continues signing in.' })

export const MePatch = z
  .strictObject({ name: writtenName(200).optional().describe('The name shown to others.') })
  .meta({
    id: 'MePatch',
    description: 'The fields that a person can change.',
    examples: [{ name: 'Kim Berg' }],
  })

export const PasswordChange = z
  .strictObject({
    current: password().describe('The current password.'),
    new: password().describe(
      'The new password: at least 10 characters, at most 200 bytes, not the e-mail address.',
    ),
  })
  .meta({
    id: 'PasswordChange',
    description: 'Another password.',
    examples: [{ current: 'a long sentence to remember', new: 'a longer sentence to remember' }],
  })

export const TotpSetup = z
  .object({
    secret: z.string().describe('The secret in base32, to type into an authenticator.'),
    uri: z.string().describe('The same as an `otpauth:` address, for a QR code.'),
  })
  .meta({ id: 'TotpSetup', description: 'A second factor that is not confirmed yet.' })

export const TotpConfirmation = z
  .strictObject({ code: text(100).describe('The six digits of the authenticator.') })
  .meta({
    id: 'TotpConfirmation',
    description: 'The code that confirms the authenticator.',
    examples: [{ code: '123456' }],
  })

export const RecoveryCodes = z
  .object({
    recoveryCodes: z
      .array(z.string())
      .describe('Each code replaces the authenticator once. The codes are shown only once.'),
  })
  .meta({ id: 'RecoveryCodes', description: 'Recovery codes for a lost authenticator.' })

export const PasswordProof = z.strictObject({ password: password().describe('The password.') }).meta({
  id: 'PasswordProof',
  description: 'The password, to confirm a change of sign-in settings.',
  examples: [{ password: 'a long sentence to remember' }],
})

export type Person = z.output<typeof Person>
export type PersonSession = z.output<typeof PersonSession>
export type PersonSessionListQuery = z.output<typeof PersonSessionListQuery>
export type SignedIn = z.output<typeof SignedIn>
export type SignIn = z.output<typeof SignIn>
export type SignInWays = z.output<typeof SignInWays>
export type OidcStart = z.output<typeof OidcStart>
export type OidcRedirect = z.output<typeof OidcRedirect>
export type MePatch = z.output<typeof MePatch>
export type PasswordChange = z.output<typeof PasswordChange>
export type TotpSetup = z.output<typeof TotpSetup>
