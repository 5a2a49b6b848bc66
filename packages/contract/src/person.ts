import { z } from 'zod'
import { id, nameInput, text, timestamp } from './field.js'
import { emailAddress, Role } from './member.js'
import { pageOf, pageQuery } from './page.js'
import { Scope } from './scope.js'

export const Person = z
  .object({
    id: id().describe('The ID of the user (UUID v7).'),
    createdAt: timestamp().describe('When the user signed up (UTC).'),
    updatedAt: timestamp().describe('When the user was last changed (UTC).'),
    email: z.string().describe('The email address that the user signs in with.'),
    name: z.string().describe('The display name of the user.'),
    hasPassword: z
      .boolean()
      .describe(
        'Whether the user can sign in with a password. Becomes `false` once the identity provider has verified the email address.',
      ),
    hasTotp: z.boolean().describe('Whether signing in with a password requires a second factor.'),
    recoveryCodesLeft: z.int().describe('The number of unused recovery codes.'),
  })
  .meta({ id: 'Person', description: 'A user who can sign in.' })

export const Membership = z
  .object({
    id: id().describe('The ID of the organization. Send it in the `X-Org-Id` header.'),
    name: z.string().describe('The name of the organization.'),
    memberId: id().describe('The ID of the user as a member of the organization.'),
    role: Role.describe('The role of the user in the organization.'),
    scopes: z.array(Scope).describe('The scopes of the user in the organization.'),
  })
  .meta({ id: 'Membership', description: 'The membership of a user in an organization.' })

export const PersonSession = z
  .object({
    id: id().describe('The ID of the session.'),
    createdAt: timestamp().describe('When the user signed in (UTC).'),
    lastUsedAt: timestamp().describe('When the session was last used (UTC), to the minute.'),
    expiresAt: timestamp().describe('When the session expires (UTC). Using the session extends it.'),
    ipAddress: z
      .string()
      .nullable()
      .describe('The IP address from which the user signed in. `null` if it is unknown.'),
    userAgent: z.string().nullable().describe('The `User-Agent` of the browser. `null` if it is unknown.'),
    isCurrent: z.boolean().describe('Whether this is the session of the request.'),
  })
  .meta({ id: 'PersonSession', description: 'A browser session of a signed-in user.' })

export const PersonSessionPage = pageOf(PersonSession, 'PersonSession')

export const PersonSessionListQuery = z.strictObject(pageQuery)

export const WrongCodes = z
  .object({
    count: z.int().describe('The number of failed attempts since the previous sign-in.'),
    since: timestamp().describe('When the first of these attempts was made (UTC).'),
  })
  .meta({
    id: 'WrongCodes',
    description:
      'Sign-in attempts with the correct password but an incorrect second factor. They can indicate that someone else knows the password.',
  })

export const SignedIn = z
  .object({
    person: Person.describe('The signed-in user.'),
    organizations: z.array(Membership).describe('The organizations of the user, oldest first.'),
    session: PersonSession.describe('The session of the request.'),
    wrongCodes: WrongCodes.nullable().describe(
      'Failed second-factor attempts with the correct password before this sign-in. `null` if there were none.',
    ),
  })
  .meta({ id: 'SignedIn', description: 'The signed-in user, with their organizations and scopes.' })

const password = () => z.string().max(1000)

export const SignIn = z
  .strictObject({
    email: emailAddress().describe('The email address of the user.'),
    password: password().describe('The password of the user.'),
    code: text(100)
      .optional()
      .describe(
        'The six-digit code of the authenticator app, or a recovery code. Required if a second factor is enabled.',
      ),
  })
  .meta({
    id: 'SignIn',
    description: 'The credentials of a user.',
    examples: [{ email: 'kim@hotel.example.com', password: 'a long sentence to remember' }],
  })

export const SignInWays = z
  .object({
    password: z.boolean().describe('Whether password sign-in is enabled.'),
    oidc: z
      .object({
        name: z
          .string()
          .describe(
            'The name of the identity provider, as the label of the sign-in button. It is set by `PARLEY_OIDC_NAME`.',
          ),
      })
      .nullable()
      .describe('The identity provider. `null` if none is configured.'),
    isSignedIn: z.boolean().describe('Whether the request has a valid session.'),
  })
  .meta({
    id: 'SignInWays',
    description: 'The available sign-in methods, and whether the caller is already signed in.',
  })

/** A path on this service. Browsers cannot interpret it as a URL of another host. */
const ownPath = () =>
  text(500).regex(/^\/(?![/\\])[^\\\s\p{Cc}]*$/u, {
    error: 'must be a path on this service that starts with a single slash',
  })

export const OidcStart = z
  .strictObject({
    token: text(100)
      .optional()
      .describe(
        'The value of the `token` parameter in an invitation link. The invitation is accepted after the user has signed in.',
      ),
    returnTo: ownPath()
      .optional()
      .describe('The path to redirect to after the user has signed in. If omitted, `/`.'),
  })
  .meta({
    id: 'OidcStart',
    description: 'The parameters for starting a sign-in with the identity provider.',
    examples: [{ returnTo: '/#/agents' }],
  })

export const OidcRedirect = z
  .object({ url: z.string().describe('The URL of the sign-in page of the identity provider.') })
  .meta({ id: 'OidcRedirect', description: 'The URL at which the user continues the sign-in.' })

export const MePatch = z
  .strictObject({ name: nameInput(200).optional().describe('The display name of the user.') })
  .meta({
    id: 'MePatch',
    description: 'The parameters for updating the account of the signed-in user.',
    examples: [{ name: 'Kim Berg' }],
  })

export const PasswordChange = z
  .strictObject({
    current: password().describe('The current password.'),
    new: password().describe(
      'The new password. It must have at least 10 characters and at most 200 bytes, must differ from the email address, and must not be a common password.',
    ),
  })
  .meta({
    id: 'PasswordChange',
    description: 'The parameters for changing the password.',
    examples: [{ current: 'a long sentence to remember', new: 'a longer sentence to remember' }],
  })

export const TotpSetup = z
  .object({
    secret: z.string().describe('The base32-encoded secret, for manual entry in an authenticator app.'),
    uri: z.string().describe('The secret as an `otpauth:` URI, for display as a QR code.'),
  })
  .meta({ id: 'TotpSetup', description: 'A second factor that has not been confirmed yet.' })

export const TotpConfirmation = z
  .strictObject({ code: text(100).describe('The six-digit code of the authenticator app.') })
  .meta({
    id: 'TotpConfirmation',
    description: 'The parameters for confirming the second factor.',
    examples: [{ code: '123456' }],
  })

export const RecoveryCodes = z
  .object({
    recoveryCodes: z
      .array(z.string())
      .describe(
        'The recovery codes. Each of them can be used once instead of a code of the authenticator app. They are returned only once.',
      ),
  })
  .meta({ id: 'RecoveryCodes', description: 'Recovery codes for signing in without the authenticator app.' })

export const PasswordProof = z.strictObject({ password: password().describe('The current password.') }).meta({
  id: 'PasswordProof',
  description: 'The password, which confirms a change of sign-in settings.',
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
