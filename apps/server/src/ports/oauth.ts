import type { PersonIdentity } from './people-stores.js'

/**
 * The values that identify one sign-in. Only the issuer and the browser that started the sign-in know them.
 */
export interface SignInProof {
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
}

/** The issuer's claims about the person who signed in. */
export interface IssuedIdentity extends PersonIdentity {
  /** In lower case. Null if the issuer provides none or an invalid one. */
  readonly email: string | null
  /** Whether the issuer has verified the address. */
  readonly isEmailVerified: boolean
  /** Null if the issuer provides none. */
  readonly name: string | null
}

/**
 * Why a sign-in failed: the issuer is unavailable or answers incorrectly, it refused, or its answer is not
 * valid. `detail` is for the log.
 */
export interface IssuerFailure {
  readonly ok: false
  readonly reason: 'away' | 'refused' | 'invalid'
  readonly detail: string
}

/** The sign-in issuer that the operator configured. No request is sent to it before the first sign-in. */
export interface IdentityIssuer {
  /** The label of the sign-in button. */
  readonly name: string
  /**
   * Returns the URL to redirect the browser to. Requests are queued by `asker`, so that no client uses all
   * slots.
   */
  locate(
    asker: string,
    request: SignInProof & { readonly redirectUri: string },
  ): Promise<{ readonly ok: true; readonly url: string } | IssuerFailure>
  /** Redeems the code that the browser returned with, and verifies the issuer's answer. */
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

/** All data needed to get and renew tokens, in a format of the adapter. Contains secrets. */
export type OAuthMemory = string

export interface BegunConsent {
  readonly authorizationUrl: string
  readonly issuer: string
  readonly clientId: string
  readonly memory: OAuthMemory
}

export interface OAuthTokens {
  /** As received from the issuer. It may contain characters that are not allowed in a header. */
  readonly accessToken: string
  /** Null if the tokens cannot be renewed. */
  readonly refreshToken: string | null
  /** From 0 to ten years. Null if the issuer does not state a valid value. */
  readonly expiresInSeconds: number | null
}

export type OAuthOutcome<Value> =
  | { readonly ok: true; readonly value: Value }
  | {
      readonly ok: false
      /** Worded for users. */
      readonly detail: string
      /** Whether the issuer refused, so that a retry would not help. */
      readonly isFinal: boolean
    }

/** Gets tokens for MCP servers from their authorization servers. Never rejects: a failure is an outcome. */
export interface McpOAuth {
  /** Discovers the issuer, registers as its client, and returns the address of its consent page. */
  begin(start: McpOAuthStart): Promise<OAuthOutcome<BegunConsent>>
  /** Exchanges the code that the browser returned with for tokens. */
  complete(
    memory: OAuthMemory,
    answer: { readonly code: string; readonly issuer: string | null },
  ): Promise<OAuthOutcome<OAuthTokens>>
  renew(memory: OAuthMemory, refreshToken: string): Promise<OAuthOutcome<OAuthTokens>>
  /** Revokes a token if the issuer supports it. */
  revoke(memory: OAuthMemory, token: string): Promise<void>
}
