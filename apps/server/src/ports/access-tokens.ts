import type { ServiceAccountKey } from '@parley/contract'
import type { ConnectionFailure } from './realtime-provider.js'

/** A token for the requests of a connection, or an error message for the caller, which contains no secrets. */
export type AccessToken =
  | { readonly ok: true; readonly token: string }
  | {
      readonly ok: false
      readonly reason: ConnectionFailure
      /** The HTTP status of the token address. Null if it did not respond. */
      readonly status: number | null
      readonly detail: string
    }

/** Signs in with the keys of service accounts. Tokens are kept until shortly before they expire. */
export interface AccessTokens {
  /** Rejects only if the signal aborts. */
  tokenFor(key: ServiceAccountKey, signal?: AbortSignal): Promise<AccessToken>
  /** Called when a provider has rejected a token. The next call requests another one. */
  forget(token: string): void
}
