import type { Cleared, Codec, EndReason, TransferOutcome } from './leg.js'
import type { ServerAddress } from './line.js'
import type { DialOptions, LineOptions } from './line-options.js'
import type { RegistrationState } from './sip/registration.js'

/** Commands of a leg. `ask` numbers those that are answered. */
export type LegCommand =
  | { readonly kind: 'accept' | 'hang_up' }
  | { readonly kind: 'ring'; readonly withSound: boolean }
  | { readonly kind: 'reject'; readonly status: number }
  /** The sound's memory moves to the other thread. */
  | { readonly kind: 'play'; readonly sound: Uint8Array<ArrayBuffer>; readonly passage: string }
  | { readonly kind: 'clear'; readonly ask: number }
  | { readonly kind: 'digits'; readonly digits: string }
  | { readonly kind: 'transfer'; readonly to: string; readonly ask: number }
  | { readonly kind: 'hold'; readonly isHeld: boolean }

/** Messages from the service to the worker thread. */
export type Order =
  | {
      readonly kind: 'open'
      readonly line: string
      readonly options: LineOptions
      /** Whether the service knows the addresses of the server, and answers `locate`. */
      readonly isLocatedByService: boolean
    }
  | { readonly kind: 'located'; readonly line: string; readonly addresses: readonly ServerAddress[] }
  | { readonly kind: 'drain' | 'close'; readonly line: string }
  | { readonly kind: 'dial'; readonly line: string; readonly leg: string; readonly options: DialOptions }
  | { readonly kind: 'command'; readonly leg: string; readonly command: LegCommand }

export type LegEvent =
  | { readonly kind: 'ringing' }
  | { readonly kind: 'answered'; readonly codec: Codec }
  | { readonly kind: 'audio'; readonly sound: Uint8Array }
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
  /** The failure is null if the line is open. */
  | { readonly kind: 'opened'; readonly line: string; readonly failure: string | null }
  | { readonly kind: 'drained' | 'closed' | 'locate'; readonly line: string }
  | { readonly kind: 'registration'; readonly line: string; readonly state: RegistrationState }
  | { readonly kind: 'called'; readonly line: string; readonly leg: LegDescription }
  | { readonly kind: 'event'; readonly leg: string; readonly event: LegEvent }
  | { readonly kind: 'cleared'; readonly ask: number; readonly cleared: Cleared }
  | { readonly kind: 'transferred'; readonly ask: number; readonly outcome: TransferOutcome }
