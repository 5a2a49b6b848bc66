import type { PersonIdentity } from './people-stores.js'

/** What one signing in goes by; nobody but the issuer and whoever began it learns any of it. */
export interface SignInProof {
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
}

/** What an issuer says of whoever has signed in with it. */
export interface IssuedIdentity extends PersonIdentity {
  /** In lower case; null where it says none, or what is no address. */
  readonly email: string | null
  /** Whether the issuer vouches for the address. */
  readonly isEmailVerified: boolean
  /** Null where it says none. */
  readonly name: string | null
}

/**
 * Why an issuer brought nothing: it is away or answers nonsense, it said no, or what it said does not hold. `detail` is
 * for the log.
 */
export interface IssuerFailure {
  readonly ok: false
  readonly reason: 'away' | 'refused' | 'invalid'
  readonly detail: string
}

/** The issuer that people sign in through, as the operator has named it. Nothing is asked of it before it is needed. */
export interface IdentityIssuer {
  /** What the button says. */
  readonly name: string
  /** Where the browser is to be sent. `asker` is for whom, so that no one takes all the turns. */
  locate(
    asker: string,
    request: SignInProof & { readonly redirectUri: string },
  ): Promise<{ readonly ok: true; readonly url: string } | IssuerFailure>
  /** Takes what the browser came back with to the issuer, and checks all that it says. */
  redeem(
    asker: string,
    answer: SignInProof & { readonly url: URL },
  ): Promise<{ readonly ok: true; readonly identity: IssuedIdentity } | IssuerFailure>
  /** Ends every connection. */
  close(): Promise<void>
}

/** A client of an issuer, as the service is one. */
export interface McpOAuthStart {
  readonly serverUrl: string
  readonly redirectUri: string
  /** Null: the service registers itself. */
  readonly clientId: string | null
  readonly clientSecret: string | null
  /** Null: what the server says that it needs. */
  readonly scope: string | null
  /** What tells this consent from others. */
  readonly state: string
}

/** All that is needed to get and renew tokens; text of the adapter's own, and full of secrets. */
export type OAuthMemory = string

export interface BegunConsent {
  readonly authorizationUrl: string
  readonly issuer: string
  readonly clientId: string
  readonly memory: OAuthMemory
}

export interface OAuthTokens {
  /** As the issuer wrote it: it may be a text that no header can carry. */
  readonly accessToken: string
  /** Null: nothing can be renewed. */
  readonly refreshToken: string | null
  /** From 0 to ten years. Null: the issuer does not say, or says something else. */
  readonly expiresInSeconds: number | null
}

export type OAuthOutcome<Value> =
  | { readonly ok: true; readonly value: Value }
  | {
      readonly ok: false
      /** Fit for a person. */
      readonly detail: string
      /** Whether the issuer has said no, so that asking again would not help. */
      readonly isFinal: boolean
    }

/** Gets tokens for MCP servers from whoever gives them. Never rejects: a failure is an outcome. */
export interface McpOAuth {
  /** Finds the issuer, becomes its client, and makes the address where a person consents. */
  begin(start: McpOAuthStart): Promise<OAuthOutcome<BegunConsent>>
  /** Turns the code that a browser came back with into tokens. */
  complete(
    memory: OAuthMemory,
    answer: { readonly code: string; readonly issuer: string | null },
  ): Promise<OAuthOutcome<OAuthTokens>>
  renew(memory: OAuthMemory, refreshToken: string): Promise<OAuthOutcome<OAuthTokens>>
  /** Takes a token back where the issuer offers that. */
  revoke(memory: OAuthMemory, token: string): Promise<void>
}
