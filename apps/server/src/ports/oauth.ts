import type { PersonIdentity } from './people-stores.js'

/**
 * The values that identify one sign-in. They are known only to the identity provider and the browser that
 * started the sign-in.
 */
export interface SignInProof {
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
}

/** The identity provider's claims about the person who signed in. */
export interface IssuedIdentity extends PersonIdentity {
  /** In lower case. Null if the identity provider sends none or an invalid one. */
  readonly email: string | null
  /** Whether the identity provider has verified the address. */
  readonly isEmailVerified: boolean
  /** Null if the identity provider sends none. */
  readonly name: string | null
}

/**
 * Why a sign-in failed: the identity provider is unavailable or its responses are invalid, it refused the
 * sign-in, or its token is invalid. `detail` is only logged.
 */
export interface IssuerFailure {
  readonly ok: false
  readonly reason: 'unavailable' | 'refused' | 'invalid'
  readonly detail: string
}

/** The identity provider that the operator configured. No request is sent to it before the first sign-in. */
export interface IdentityIssuer {
  /** The label of the sign-in button. */
  readonly name: string
  /**
   * Returns the URL to redirect the browser to. Requests are queued per `asker`, so that no client can use
   * all slots.
   */
  locate(
    asker: string,
    request: SignInProof & { readonly redirectUri: string },
  ): Promise<{ readonly ok: true; readonly url: string } | IssuerFailure>
  /** Redeems the code that the browser returned with, and verifies the identity provider's response. */
  redeem(
    asker: string,
    answer: SignInProof & { readonly url: URL },
  ): Promise<{ readonly ok: true; readonly identity: IssuedIdentity } | IssuerFailure>
  close(): Promise<void>
}

/** The parameters of a consent. The service acts as an OAuth client. */
export interface McpOAuthStart {
  readonly serverUrl: string
  readonly redirectUri: string
  /** If null, the service registers itself. */
  readonly clientId: string | null
  readonly clientSecret: string | null
  /** If null, uses the scope that the server requires. */
  readonly scope: string | null
  /** Distinguishes this consent from others. */
  readonly state: string
}

/** All data needed to get and renew tokens, in a format that only the adapter knows. Contains secrets. */
export type OAuthMemory = string

export interface BegunConsent {
  readonly authorizationUrl: string
  readonly issuer: string
  readonly clientId: string
  readonly memory: OAuthMemory
}

export interface OAuthTokens {
  /**
   * As received from the authorization server. It may contain characters that are not allowed in a header.
   */
  readonly accessToken: string
  /** Null if the tokens cannot be renewed. */
  readonly refreshToken: string | null
  /** From 0 to ten years. Null if the authorization server sends no valid value. */
  readonly expiresInSeconds: number | null
}

export type OAuthOutcome<Value> =
  | { readonly ok: true; readonly value: Value }
  | {
      readonly ok: false
      /** A message for users. */
      readonly detail: string
      /** Whether the authorization server refused, so that a retry would not help. */
      readonly isFinal: boolean
    }

/**
 * Gets tokens for MCP servers from their authorization servers. Never rejects: a failure is returned as a
 * value.
 */
export interface McpOAuth {
  /**
   * Discovers the authorization server, registers as its client, and returns the address of its consent page.
   */
  begin(start: McpOAuthStart): Promise<OAuthOutcome<BegunConsent>>
  /** Exchanges the code that the browser returned with for tokens. */
  complete(
    memory: OAuthMemory,
    answer: { readonly code: string; readonly issuer: string | null },
  ): Promise<OAuthOutcome<OAuthTokens>>
  renew(memory: OAuthMemory, refreshToken: string): Promise<OAuthOutcome<OAuthTokens>>
  /** Revokes a token if the authorization server supports it. */
  revoke(memory: OAuthMemory, token: string): Promise<void>
}
