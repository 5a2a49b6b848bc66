import type { Line, LineListener } from '@parley/telephone'
import type { PhoneConnectionRecord } from './phone-stores.js'

export interface PhoneLineListener extends Pick<LineListener, 'registration' | 'called'> {
  /** Called when the telephone has failed. All calls of the line have ended, and it must be opened again. */
  lost(): void
}

export type OpenedLine =
  | { readonly ok: true; readonly line: Line }
  /** Why the line could not be opened, for the user. */
  | { readonly ok: false; readonly detail: string }

/** The result of trying an account without its line. */
export type LineTrial =
  | { readonly kind: 'registered' }
  /** The host was found. Accounts that do not register send nothing before the first call. */
  | { readonly kind: 'found' }
  /** The status is null if the registrar did not answer. */
  | { readonly kind: 'failed'; readonly status: number | null; readonly reason: string }
  | { readonly kind: 'unopened'; readonly detail: string }

/** Lines to SIP providers and exchanges. Their addresses are checked by the outbound guard. */
export interface PhoneLines {
  open(connection: PhoneConnectionRecord, listener: PhoneLineListener): Promise<OpenedLine>
  /** Registers the account for a moment, from a port of its own. */
  tryOut(connection: PhoneConnectionRecord): Promise<LineTrial>
  /** Closes all lines. */
  close(): Promise<void>
}
