import type { Cleared, Codec, EndReason, TransferOutcome } from './leg.js'
import type { DialOptions, LineOptions } from './line-options.js'
import type { NetworkAddress } from './network-address.js'
import type { RegistrationState } from './sip/registration.js'

/** Commands of a leg. */
export type LegCommand =
  | { readonly kind: 'ring' | 'accept' | 'hang_up' }
  | { readonly kind: 'reject'; readonly status: number }
  /** The audio's memory moves to the other thread. */
  | { readonly kind: 'play'; readonly audio: Uint8Array<ArrayBuffer>; readonly passage: string }
  | { readonly kind: 'digits'; readonly digits: string }
  | { readonly kind: 'hold'; readonly isHeld: boolean }

/** Commands of a leg that are answered. */
export type AnsweredCommand = { readonly kind: 'clear' } | { readonly kind: 'transfer'; readonly to: string }

export type Answer = Cleared | TransferOutcome | null

/** Orders that the worker thread answers. They are numbered. */
export type Question =
  | {
      readonly kind: 'open'
      readonly line: string
      readonly options: LineOptions
    }
  | { readonly kind: 'drain' | 'close'; readonly line: string }
  | { readonly kind: 'command'; readonly leg: string; readonly command: AnsweredCommand }

/** Messages from the service to the worker thread. */
export type Order =
  | { readonly kind: 'ask'; readonly number: number; readonly question: Question }
  | { readonly kind: 'located'; readonly line: string; readonly addresses: readonly NetworkAddress[] }
  | { readonly kind: 'dial'; readonly line: string; readonly leg: string; readonly options: DialOptions }
  | { readonly kind: 'command'; readonly leg: string; readonly command: LegCommand }

export type LegEvent =
  | { readonly kind: 'ringing' }
  | { readonly kind: 'answered'; readonly codec: Codec }
  | { readonly kind: 'audio'; readonly audio: Uint8Array }
  | { readonly kind: 'digit'; readonly digit: string }
  | { readonly kind: 'played'; readonly passage: string; readonly milliseconds: number }
  | { readonly kind: 'held'; readonly isHeld: boolean }
  | { readonly kind: 'ended'; readonly reason: EndReason }

export interface LegDescription {
  readonly id: string
  readonly direction: 'in' | 'out'
  readonly from: string
  readonly to: string
  readonly codec: Codec
}

/** Messages from the worker thread to the service. */
export type Report =
  | { readonly kind: 'locate'; readonly line: string }
  | { readonly kind: 'registration'; readonly line: string; readonly state: RegistrationState }
  | { readonly kind: 'called'; readonly line: string; readonly leg: LegDescription }
  | { readonly kind: 'event'; readonly leg: string; readonly event: LegEvent }
  /** The answer to the question with this number. The failure is null if there is none. */
  | {
      readonly kind: 'answer'
      readonly number: number
      readonly value: Answer
      readonly failure: string | null
    }
