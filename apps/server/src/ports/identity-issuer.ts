import type { PersonIdentity } from './person-store.js'

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
