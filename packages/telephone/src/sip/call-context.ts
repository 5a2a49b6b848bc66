import type { EndReason } from '../leg.js'
import type { Timers } from '../time.js'
import type { Dialog, DialogSettings } from './dialog.js'
import type { Credentials } from './digest.js'
import type { Header, SipRequest } from './message.js'
import type { ServerTransaction } from './server-transaction.js'
import type { Transactions } from './transactions.js'

/** The audio of a call, as far as offers and answers are concerned: RFC 3264. */
export interface CallMedia {
  /** Returns a new offer. It takes effect with `acceptAnswer`. */
  makeOffer(): string
  /** Applies the peer's offer. Returns our answer, or null if nothing fits: then nothing has changed. */
  answerOffer(offer: string): string | null
  /** Applies the peer's answer to our last offer. Returns false if it cannot be used. */
  acceptAnswer(answer: string): boolean
  /** Whether our next offer or answer holds the call. */
  setHeld(isHeld: boolean): void
  /** Whether the peer holds the call. */
  readonly isHeldByPeer: boolean
}

export interface CallListener {
  ringing(): void
  answered(): void
  held(isHeld: boolean): void
  digit(digit: string): void
  ended(reason: EndReason): void
}

export interface CallSettings extends DialogSettings {
  /** The interval of RFC 4028 that this side asks for. 0 turns session timers off. */
  readonly sessionSeconds: number
  /** Shorter intervals are refused with 422. */
  readonly minimumSessionSeconds: number
  /** How long a call may ring. */
  readonly ringSeconds: number
  /** How long a transfer may take. */
  readonly transferSeconds: number
}

/** The user agent, as its calls see it. */
export interface CallContext {
  readonly timers: Timers
  readonly transactions: Transactions
  readonly credentials: Credentials
  readonly settings: CallSettings
  /** The Contact header under which this side can be reached. */
  contact(): Header
  /** Sends the dialog's requests to the call. */
  addDialog(dialog: Dialog, receiver: DialogReceiver): void
  removeDialog(dialog: Dialog): void
  /** Called when the call has ended and all its requests are answered. */
  removed(receiver: DialogReceiver): void
}

export interface DialogReceiver {
  requested(transaction: ServerTransaction): void
  acknowledged(ack: SipRequest): void
  cancelled(): void
  hangUp(reason?: EndReason): void
}

export const allowedMethods = 'INVITE, ACK, BYE, CANCEL, OPTIONS, INFO, UPDATE, NOTIFY'
