import { z } from 'zod'
import { answeredMoment, id, text, writtenName } from './field.js'
import { emailAddress, Role } from './member.js'
import { pageOf, pageQuery } from './page.js'
import { Scope } from './scope.js'

export const Person = z
  .object({
    id: id().describe('The person (UUID v7).'),
    createdAt: answeredMoment().describe('When the person first came here (UTC).'),
    updatedAt: answeredMoment().describe('When the person was last changed (UTC).'),
    email: z.string().describe('The e-mail address that the person signs in with.'),
    name: z.string().describe('The name that others see.'),
    hasPassword: z
      .boolean()
      .describe('Whether the person has a password here; false once the issuer has proven the address.'),
    hasTotp: z.boolean().describe('Whether signing in with the password needs a second factor.'),
    recoveryCodesLeft: z.int().describe('How many recovery codes were not used yet.'),
  })
  .meta({ id: 'Person', description: 'Somebody who signs in.' })

export const Membership = z
  .object({
    id: id().describe('The organization, for `X-Org-Id`.'),
    name: z.string().describe('What the organization is called.'),
    memberId: id().describe('The member that the person is there.'),
    role: Role.describe('What the person is there.'),
    scopes: z.array(Scope).describe('What the person may do there.'),
  })
  .meta({ id: 'Membership', description: 'An organization that a person belongs to.' })

export const PersonSession = z
  .object({
    id: id().describe('The session.'),
    createdAt: answeredMoment().describe('When the person signed in (UTC).'),
    lastUsedAt: answeredMoment().describe('When it was last used, to the minute.'),
    expiresAt: answeredMoment().describe('When it ends, unless it is used before.'),
    ipAddress: z.string().nullable().describe('The address that the person signed in from.'),
    userAgent: z.string().nullable().describe('What the browser called itself.'),
    isCurrent: z.boolean().describe('Whether this very call came with it.'),
  })
  .meta({ id: 'PersonSession', description: 'One browser in which a person is signed in.' })

export const PersonSessionPage = pageOf(PersonSession, 'PersonSession')

export const PersonSessionListQuery = z.strictObject(pageQuery)

export const WrongCodes = z
  .object({
    count: z.int().describe('How many there were since the sign-in before.'),
    since: answeredMoment().describe('When the first of them came (UTC).'),
  })
  .meta({
    id: 'WrongCodes',
    description:
      'Tries to sign in with the right password and a wrong second factor. The password may be known to others.',
  })

export const SignedIn = z
  .object({
    person: Person.describe('Who is signed in.'),
    organizations: z.array(Membership).describe('Where the person belongs, oldest first.'),
    session: PersonSession.describe('The session that the call came with.'),
    wrongCodes: WrongCodes.nullable().describe(
      'Wrong codes that came with the right password before this session began; null if there were none.',
    ),
  })
  .meta({ id: 'SignedIn', description: 'Who is signed in, and what they may do where.' })

const password = () => z.string().max(1000)

export const SignIn = z
  .strictObject({
    email: emailAddress().describe('The e-mail address.'),
    password: password().describe('The password.'),
    code: text(100)
      .optional()
      .describe('The six digits of the authenticator, or a recovery code, where a second factor is on.'),
  })
  .meta({
    id: 'SignIn',
    description: 'Who wants to sign in.',
    examples: [{ email: 'kim@hotel.example.com', password: 'a long sentence to remember' }],
  })

export const SignInWays = z
  .object({
    password: z.boolean().describe('Whether people sign in with a password.'),
    oidc: z
      .object({ name: z.string().describe('What the button says: `PARLEY_OIDC_NAME`.') })
      .nullable()
      .describe('The issuer that people can sign in through; null where the operator has named none.'),
    isSignedIn: z.boolean().describe('Whether the call came with a session that is good.'),
  })
  .meta({
    id: 'SignInWays',
    description: 'The ways of signing in that there are, and whether one is needed.',
  })

/** A path of our own pages: no other host can be meant by it, however browsers read it. */
const ownPath = () =>
  text(500).regex(/^\/(?![/\\])[^\\\s\p{Cc}]*$/u, {
    error: 'must be a path of this service that begins with one slash',
  })

export const OidcStart = z
  .strictObject({
    token: text(100)
      .optional()
      .describe('What stands in the link of an invitation behind `token=`, to accept it on the way.'),
    returnTo: ownPath()
      .optional()
      .describe('Where to go in the end: a path of this service; `/` if left out.'),
  })
  .meta({
    id: 'OidcStart',
    description: 'The beginning of signing in through the issuer.',
    examples: [{ returnTo: '/#/agents' }],
  })

export const OidcRedirect = z
  .object({ url: z.string().describe("Where to send the browser: the issuer's page.") })
  .meta({ id: 'OidcRedirect', description: 'Where signing in through the issuer goes on.' })

export const MePatch = z
  .strictObject({ name: writtenName(200).optional().describe('The name that others see.') })
  .meta({ id: 'MePatch', description: 'What one may change of oneself.', examples: [{ name: 'Kim Berg' }] })

export const PasswordChange = z
  .strictObject({
    current: password().describe('The password until now.'),
    new: password().describe(
      'The new one: at least 10 characters, at most 200 bytes, not the e-mail address.',
    ),
  })
  .meta({
    id: 'PasswordChange',
    description: 'Another password.',
    examples: [{ current: 'a long sentence to remember', new: 'a longer sentence to remember' }],
  })

export const TotpSetup = z
  .object({
    secret: z.string().describe('The secret in base32, to be typed into an authenticator.'),
    uri: z.string().describe('The same as an `otpauth:` address, to be shown as a QR code.'),
  })
  .meta({ id: 'TotpSetup', description: 'A second factor that is not on before it is confirmed.' })

export const TotpConfirmation = z
  .strictObject({ code: text(100).describe('The six digits that the authenticator shows.') })
  .meta({
    id: 'TotpConfirmation',
    description: 'That the authenticator works.',
    examples: [{ code: '123456' }],
  })

export const RecoveryCodes = z
  .object({
    recoveryCodes: z
      .array(z.string())
      .describe('Each signs in once without the authenticator. They are shown this once and never again.'),
  })
  .meta({ id: 'RecoveryCodes', description: 'The way in when the authenticator is lost.' })

export const PasswordProof = z.strictObject({ password: password().describe('The password.') }).meta({
  id: 'PasswordProof',
  description: 'That it is you who changes how you sign in.',
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
