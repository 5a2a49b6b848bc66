// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { Scope } from '../schemas/api-key.js'
import type { Role } from '../schemas/member.js'
import type { Page } from '../../rest/page.js'

/** The credentials of a person. */
export interface SignIn {
  /** The e-mail address. */
  email: string
  /** The password. */
  password: string
  /** The six digits of the authenticator, or a recovery code, if a second factor is on. */
  code?: string | undefined
}

/** The signed-in person, with organizations and scopes. */
export interface SignedIn {
  /** The signed-in person. */
  person: Person
  /** The organizations of the person, oldest first. */
  organizations: Membership[]
  /** The session of this call. */
  session: PersonSession
  /** Wrong codes that came with the right password before this session began. Null: none. */
  wrongCodes: WrongCodes | null
}

/** The available ways to sign in, and whether signing in is needed. */
export interface SignInWays {
  /** Whether password sign-in is enabled. */
  password: boolean
  /** The issuer for sign-in. Null: none is configured. */
  oidc: {
    /** The label of the button: `PARLEY_OIDC_NAME`. */
    name: string
  } | null
  /** Whether the call has a valid session. */
  isSignedIn: boolean
}

/** The body that begins signing in through the issuer. */
export interface OidcStart {
  /** The value of `token=` in an invitation link, to accept it after signing in. */
  token?: string | undefined
  /** The path to open after signing in. Default: `/`. */
  returnTo?: string | undefined
}

/** The address that continues signing in. */
export interface OidcRedirect {
  /** The address of the issuer's page. */
  url: string
}

/** The fields that a person can change. */
export interface MePatch {
  /** The name shown to others. */
  name?: string | undefined
}

/** Another password. */
export interface PasswordChange {
  /** The current password. */
  current: string
  /** The new password: at least 10 characters, at most 200 bytes, not the e-mail address. */
  new: string
}

/** One page of a list of PersonSession items. */
export type PersonSessionPage = Page<PersonSession>

/** A browser in which a person is signed in. */
export interface PersonSession {
  /** The session. */
  id: string
  /** When the person signed in (UTC). */
  createdAt: string
  /** When it was last used, to the minute. */
  lastUsedAt: string
  /** When it expires, unless it is used before. */
  expiresAt: string
  /** The client address of the sign-in. */
  ipAddress: string | null
  /** The User-Agent of the browser. */
  userAgent: string | null
  /** Whether it is the session of this call. */
  isCurrent: boolean
}

/** The password, to confirm a change of sign-in settings. */
export interface PasswordProof {
  /** The password. */
  password: string
}

/** A second factor that is not confirmed yet. */
export interface TotpSetup {
  /** The secret in base32, to type into an authenticator. */
  secret: string
  /** The same as an `otpauth:` address, for a QR code. */
  uri: string
}

/** The code that confirms the authenticator. */
export interface TotpConfirmation {
  /** The six digits of the authenticator. */
  code: string
}

/** Recovery codes for a lost authenticator. */
export interface RecoveryCodes {
  /** Each code replaces the authenticator once. The codes are shown only once. */
  recoveryCodes: string[]
}

/** The authorization request of an MCP client, as in the address. */
export interface McpAccessRequest {
  /** The registered client. */
  clientId: string
  /** The redirect address. */
  redirectUri: string
  /** The PKCE challenge (S256). */
  codeChallenge: string
  /** The scopes that the client requests, separated by spaces. */
  scope?: string | null | undefined
  /** The resource of the token: the address of `/mcp`. */
  resource?: string | null | undefined
  /** The client's state. */
  state?: string | null | undefined
}

/** What a person is asked to consent to. */
export interface PresentedMcpRequest {
  /** The name that the client gave itself. It is not verified. */
  clientName: string
  /** The redirect address, for the person to check. */
  redirectHost: string
  /** The scopes that the client would get. */
  scopes: Scope[]
}

/** A person's decision on an authorization request. */
export interface McpDecision {
  /** The authorization request. */
  request: McpAccessRequest
  /** The organization that the client can access. */
  organizationId: string
  /** Whether the client may act on behalf of the person. */
  decision: 'allow' | 'deny'
}

/** The redirect back to an MCP client. */
export interface McpRedirect {
  /** The address for the browser: back to the client. */
  redirectUrl: string
}

/** One page of a list of McpGrant items. */
export type McpGrantPage = Page<McpGrant>

/** An MCP client that acts on behalf of a person. */
export interface McpGrant {
  /** The grant (UUID v7). */
  id: string
  /** When the person consented (UTC). */
  createdAt: string
  /** The name that the client gave itself. It is not verified. */
  clientName: string
  /** The address that received the authorization code. */
  redirectUri: string
  /** The organization that the client can access. */
  organizationId: string
  /** The name of the organization. */
  organizationName: string
  /** The person on whose behalf the client acts. */
  personId: string
  /** The name of the person. */
  personName: string
  /** The scopes of the client. It never exceeds the person's role. */
  scopes: Scope[]
  /** When it was last used, to the minute. */
  lastUsedAt: string | null
  /** When the grant expires, unless the client renews its tokens. */
  expiresAt: string
}

/** A person who can sign in. */
export interface Person {
  /** The person (UUID v7). */
  id: string
  /** When the person first signed up (UTC). */
  createdAt: string
  /** When the person was last changed (UTC). */
  updatedAt: string
  /** The e-mail address that the person signs in with. */
  email: string
  /** The name shown to others. */
  name: string
  /** Whether the person has a password. False once the issuer has proven the address. */
  hasPassword: boolean
  /** Whether password sign-in requires a second factor. */
  hasTotp: boolean
  /** The number of unused recovery codes. */
  recoveryCodesLeft: number
}

/** An organization that a person belongs to. */
export interface Membership {
  /** The organization, for `X-Org-Id`. */
  id: string
  /** The name of the organization. */
  name: string
  /** The member id of the person there. */
  memberId: string
  /** The role of the person there. */
  role: Role
  /** The scopes of the person there. */
  scopes: Scope[]
}

/** Sign-in attempts with the right password and a wrong second factor. Others may know the password. */
export interface WrongCodes {
  /** The number since the previous sign-in. */
  count: number
  /** When the first one came (UTC). */
  since: string
}
