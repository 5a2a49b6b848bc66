// Generated from the contract by `npm run generate`. Do not edit.

import type { Scope } from '../schemas/api-key.js'
import type { Role } from '../schemas/member.js'
import type { Page } from '../../rest/page.js'

/** The credentials of a user. */
export interface SignIn {
  /** The email address of the user. */
  email: string
  /** The password of the user. */
  password: string
  /** The six-digit code of the authenticator app, or a recovery code. Required if a second factor is enabled. */
  code?: string | undefined
}

/** The signed-in user, with their organizations and scopes. */
export interface SignedIn {
  /** The signed-in user. */
  person: Person
  /** The organizations of the user, oldest first. */
  organizations: Membership[]
  /** The session of the request. */
  session: PersonSession
  /** Failed second-factor attempts with the correct password before this sign-in. `null` if there were none. */
  wrongCodes: WrongCodes | null
}

/** The available sign-in methods, and whether the caller is already signed in. */
export interface SignInWays {
  /** Whether password sign-in is enabled. */
  password: boolean
  /** The identity provider. `null` if none is configured. */
  oidc: {
    /** The name of the identity provider, as the label of the sign-in button. It is set by `PARLEY_OIDC_NAME`. */
    name: string
  } | null
  /** Whether the request has a valid session. */
  isSignedIn: boolean
}

/** The parameters for starting a sign-in with the identity provider. */
export interface OidcStart {
  /**
   * The value of the `token` parameter in an invitation link. The invitation is accepted after the user has
   * signed in.
   */
  token?: string | undefined
  /** The path to redirect to after the user has signed in. If omitted, `/`. */
  returnTo?: string | undefined
}

/** The URL at which the user continues the sign-in. */
export interface OidcRedirect {
  /** The URL of the sign-in page of the identity provider. */
  url: string
}

/** The parameters for updating the account of the signed-in user. */
export interface MePatch {
  /** The display name of the user. */
  name?: string | undefined
}

/** The parameters for changing the password. */
export interface PasswordChange {
  /** The current password. */
  current: string
  /**
   * The new password. It must have at least 10 characters and at most 200 bytes, must differ from the email
   * address, and must not be a common password.
   */
  new: string
}

/** One page of a list of `PersonSession` objects. */
export type PersonSessionPage = Page<PersonSession>

/** A browser session of a signed-in user. */
export interface PersonSession {
  /** The ID of the session. */
  id: string
  /** When the user signed in (UTC). */
  createdAt: string
  /** When the session was last used (UTC), to the minute. */
  lastUsedAt: string
  /** When the session expires (UTC). Using the session extends it. */
  expiresAt: string
  /** The IP address from which the user signed in. `null` if it is unknown. */
  ipAddress: string | null
  /** The `User-Agent` of the browser. `null` if it is unknown. */
  userAgent: string | null
  /** Whether this is the session of the request. */
  isCurrent: boolean
}

/** The password, which confirms a change of sign-in settings. */
export interface PasswordProof {
  /** The current password. */
  password: string
}

/** A second factor that has not been confirmed yet. */
export interface TotpSetup {
  /** The base32-encoded secret, for manual entry in an authenticator app. */
  secret: string
  /** The secret as an `otpauth:` URI, for display as a QR code. */
  uri: string
}

/** The parameters for confirming the second factor. */
export interface TotpConfirmation {
  /** The six-digit code of the authenticator app. */
  code: string
}

/** Recovery codes for signing in without the authenticator app. */
export interface RecoveryCodes {
  /**
   * The recovery codes. Each of them can be used once instead of a code of the authenticator app. They are
   * returned only once.
   */
  recoveryCodes: string[]
}

/** The authorization request of an MCP client, with the parameters of its authorization URL. */
export interface McpAccessRequest {
  /** The client ID from the client registration. */
  clientId: string
  /** The redirect URI of the client. */
  redirectUri: string
  /** The PKCE code challenge (S256). */
  codeChallenge: string
  /** The requested scopes, separated by spaces. */
  scope?: string | null | undefined
  /** The resource for which the token is requested: the URL of `/mcp`. */
  resource?: string | null | undefined
  /** The `state` parameter of the client. It is returned unchanged with the redirect. */
  state?: string | null | undefined
}

/** The details of an MCP authorization request, as displayed on the consent page. */
export interface PresentedMcpRequest {
  /** The name of the client. It was chosen by the client and is not verified. */
  clientName: string
  /** The host of the redirect URI, for display on the consent page. */
  redirectHost: string
  /** The scopes that the client requests. */
  scopes: Scope[]
}

/** The decision of a user on an authorization request. */
export interface McpDecision {
  /** The authorization request to decide on. */
  request: McpAccessRequest
  /** The ID of the organization that the client can access. */
  organizationId: string
  /** Whether the client is allowed to act on behalf of the user. */
  decision: 'allow' | 'deny'
}

/** The redirect back to an MCP client. */
export interface McpRedirect {
  /** The URL to open in the browser, which leads back to the client. */
  redirectUrl: string
}

/** One page of a list of `McpGrant` objects. */
export type McpGrantPage = Page<McpGrant>

/** The permission of an MCP client to act on behalf of a user. */
export interface McpGrant {
  /** The ID of the grant (UUID v7). */
  id: string
  /** When the user gave consent (UTC). */
  createdAt: string
  /** The name of the client. It was chosen by the client and is not verified. */
  clientName: string
  /** The redirect URI that received the authorization code. */
  redirectUri: string
  /** The ID of the organization that the client can access. */
  organizationId: string
  /** The name of the organization. */
  organizationName: string
  /** The ID of the user on whose behalf the client acts. */
  personId: string
  /** The name of the user. */
  personName: string
  /** The scopes of the client. They never exceed the role of the user. */
  scopes: Scope[]
  /** When the grant was last used (UTC), to the minute. `null` if it has never been used. */
  lastUsedAt: string | null
  /** When the grant expires (UTC). Refreshing the tokens extends it. */
  expiresAt: string
}

/** A user who can sign in. */
export interface Person {
  /** The ID of the user (UUID v7). */
  id: string
  /** When the user signed up (UTC). */
  createdAt: string
  /** When the user was last changed (UTC). */
  updatedAt: string
  /** The email address that the user signs in with. */
  email: string
  /** The display name of the user. */
  name: string
  /**
   * Whether the user can sign in with a password. Becomes `false` once the identity provider has verified the
   * email address.
   */
  hasPassword: boolean
  /** Whether signing in with a password requires a second factor. */
  hasTotp: boolean
  /** The number of unused recovery codes. */
  recoveryCodesLeft: number
}

/** The membership of a user in an organization. */
export interface Membership {
  /** The ID of the organization. Send it in the `X-Org-Id` header. */
  id: string
  /** The name of the organization. */
  name: string
  /** The ID of the user as a member of the organization. */
  memberId: string
  /** The role of the user in the organization. */
  role: Role
  /** The scopes of the user in the organization. */
  scopes: Scope[]
}

/**
 * Sign-in attempts with the correct password but an incorrect second factor. They can indicate that someone
 * else knows the password.
 */
export interface WrongCodes {
  /** The number of failed attempts since the previous sign-in. */
  count: number
  /** When the first of these attempts was made (UTC). */
  since: string
}
