// Generated from the contract by `npm run generate`. What is changed here is lost.

import type { Scope } from '../schemas/api-key.js'
import type { Role } from '../schemas/member.js'
import type { Page } from '../../rest/page.js'

/** Who wants to sign in. */
export interface SignIn {
  /** The e-mail address. */
  email: string
  /** The password. */
  password: string
  /** The six digits of the authenticator, or a recovery code, where a second factor is on. */
  code?: string | undefined
}

/** Who is signed in, and what they may do where. */
export interface SignedIn {
  /** Who is signed in. */
  person: Person
  /** Where the person belongs, oldest first. */
  organizations: Membership[]
  /** The session that the call came with. */
  session: PersonSession
  /** Wrong codes that came with the right password before this session began; null if there were none. */
  wrongCodes: WrongCodes | null
}

/** The ways of signing in that there are, and whether one is needed. */
export interface SignInWays {
  /** Whether people sign in with a password. */
  password: boolean
  /** The issuer that people can sign in through; null where the operator has named none. */
  oidc: {
    /** What the button says: `PARLEY_OIDC_NAME`. */
    name: string
  } | null
  /** Whether the call came with a session that is good. */
  isSignedIn: boolean
}

/** The beginning of signing in through the issuer. */
export interface OidcStart {
  /** What stands in the link of an invitation behind `token=`, to accept it on the way. */
  token?: string | undefined
  /** Where to go in the end: a path of this service; `/` if left out. */
  returnTo?: string | undefined
}

/** Where signing in through the issuer goes on. */
export interface OidcRedirect {
  /** Where to send the browser: the issuer's page. */
  url: string
}

/** What one may change of oneself. */
export interface MePatch {
  /** The name that others see. */
  name?: string | undefined
}

/** Another password. */
export interface PasswordChange {
  /** The password until now. */
  current: string
  /** The new one: at least 10 characters, at most 200 bytes, not the e-mail address. */
  new: string
}

/** One page of a list of PersonSession items. */
export type PersonSessionPage = Page<PersonSession>

/** One browser in which a person is signed in. */
export interface PersonSession {
  /** The session. */
  id: string
  /** When the person signed in (UTC). */
  createdAt: string
  /** When it was last used, to the minute. */
  lastUsedAt: string
  /** When it ends, unless it is used before. */
  expiresAt: string
  /** The address that the person signed in from. */
  ipAddress: string | null
  /** What the browser called itself. */
  userAgent: string | null
  /** Whether this very call came with it. */
  isCurrent: boolean
}

/** That it is you who changes how you sign in. */
export interface PasswordProof {
  /** The password. */
  password: string
}

/** A second factor that is not on before it is confirmed. */
export interface TotpSetup {
  /** The secret in base32, to be typed into an authenticator. */
  secret: string
  /** The same as an `otpauth:` address, to be shown as a QR code. */
  uri: string
}

/** That the authenticator works. */
export interface TotpConfirmation {
  /** The six digits that the authenticator shows. */
  code: string
}

/** The way in when the authenticator is lost. */
export interface RecoveryCodes {
  /** Each signs in once without the authenticator. They are shown this once and never again. */
  recoveryCodes: string[]
}

/** What an MCP client asks for, as it stands in the address. */
export interface McpAccessRequest {
  /** The client, as it was registered. */
  clientId: string
  /** Where the browser is to be sent. */
  redirectUri: string
  /** The PKCE challenge (S256). */
  codeChallenge: string
  /** What the client asks for, separated by spaces. */
  scope?: string | null | undefined
  /** What the token is for: the address of `/mcp`. */
  resource?: string | null | undefined
  /** What the client wants back. */
  state?: string | null | undefined
}

/** What a person is asked to consent to. */
export interface PresentedMcpRequest {
  /** What the client calls itself. Nobody has checked it. */
  clientName: string
  /** Where the browser is sent, for the person to recognise. */
  redirectHost: string
  /** What the client would be allowed to do. */
  scopes: Scope[]
}

/** A person's decision on what an MCP client asks for. */
export interface McpDecision {
  /** What was asked for. */
  request: McpAccessRequest
  /** The organization that the client may act in. */
  organizationId: string
  /** Whether the client may act in the name of the person. */
  decision: 'allow' | 'deny'
}

/** The way back to an MCP client. */
export interface McpRedirect {
  /** Where to send the browser: back to the client. */
  redirectUrl: string
}

/** One page of a list of McpGrant items. */
export type McpGrantPage = Page<McpGrant>

/** An MCP client that may act in the name of a person. */
export interface McpGrant {
  /** The grant (UUID v7). */
  id: string
  /** When the person consented (UTC). */
  createdAt: string
  /** What the client calls itself. Nobody has checked it. */
  clientName: string
  /** Where the client was sent its code. */
  redirectUri: string
  /** The organization that the client may act in. */
  organizationId: string
  /** What the organization is called. */
  organizationName: string
  /** The person in whose name it acts. */
  personId: string
  /** The name of the person. */
  personName: string
  /** What it may do at most; what the role of the person does not cover, it may not. */
  scopes: Scope[]
  /** When it was last used, to the minute. */
  lastUsedAt: string | null
  /** When it ends, unless the client renews its tokens before. */
  expiresAt: string
}

/** Somebody who signs in. */
export interface Person {
  /** The person (UUID v7). */
  id: string
  /** When the person first came here (UTC). */
  createdAt: string
  /** When the person was last changed (UTC). */
  updatedAt: string
  /** The e-mail address that the person signs in with. */
  email: string
  /** The name that others see. */
  name: string
  /** Whether the person has a password here; false once the issuer has proven the address. */
  hasPassword: boolean
  /** Whether signing in with the password needs a second factor. */
  hasTotp: boolean
  /** How many recovery codes were not used yet. */
  recoveryCodesLeft: number
}

/** An organization that a person belongs to. */
export interface Membership {
  /** The organization, for `X-Org-Id`. */
  id: string
  /** What the organization is called. */
  name: string
  /** The member that the person is there. */
  memberId: string
  /** What the person is there. */
  role: Role
  /** What the person may do there. */
  scopes: Scope[]
}

/** Tries to sign in with the right password and a wrong second factor. The password may be known to others. */
export interface WrongCodes {
  /** How many there were since the sign-in before. */
  count: number
  /** When the first of them came (UTC). */
  since: string
}
