/** The codecs of calls, named as in realtime sessions. Both have 8000 bytes for each second. */
export type Codec = 'g711_ulaw' | 'g711_alaw'

export type EndReason =
  | { readonly kind: 'hung_up' | 'hung_up_by_peer' | 'transferred' | 'cancelled' }
  /** The line was closed. */
  | { readonly kind: 'closed' }
  | { readonly kind: 'rejected' | 'busy' | 'declined'; readonly status: number }
  /** Unreachable: no answer from the server. No answer: it rang too long. */
  | { readonly kind: 'unreachable' | 'no_answer' | 'overloaded' }
  /** The peer accepted none of our codecs, or the encryption did not fit. */
  | { readonly kind: 'no_common_codec' }
  /** The peer is gone: no audio, no refresh of the session, or no acknowledgement. */
  | { readonly kind: 'audio_lost' | 'session_expired' | 'unacknowledged' }
  /** All UDP ports for audio are in use. */
  | { readonly kind: 'no_audio_port' }
  /** The worker thread failed, or a carrier broke its protocol. The detail is a sentence for the user. */
  | { readonly kind: 'failed'; readonly detail?: string }

export type TransferOutcome =
  /** The peer reached the other party. */
  | { readonly kind: 'completed' }
  /** The peer accepted, and hung up or stayed silent before it reported the result. */
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused'; readonly status: number }

export interface Cleared {
  /** The passage that was cut off, or null if nothing was waiting. */
  readonly passage: string | null
  /** How much of the passage was really sent to the peer. */
  readonly playedMilliseconds: number
}

export interface LegListener {
  /** Called when the called party's telephone rings. */
  ringing(): void
  /** Called when audio flows both ways. */
  answered(): void
  /** Called with received audio in order, usually 20 ms. Lost audio is replaced by silence. */
  audio(audio: Uint8Array): void
  digit(digit: string): void
  /** Called when all audio that was given to `play` has been sent. */
  played(passage: string, milliseconds: number): void
  /** Called when the peer holds or resumes the call. */
  held(isHeld: boolean): void
  /** Called once. Nothing follows. */
  ended(reason: EndReason): void
}

/**
 * One side of a telephone call, as the service uses it. Commands after the end do nothing.
 *
 *     incoming:  new ──ring──► ringing ──accept──► answered ──► ended
 *     outgoing:  dialling ──► ringing ──► answered ──► ended
 */
export interface Leg {
  readonly id: string
  readonly direction: 'in' | 'out'
  /** The addresses that the peer gave, for example `sip:+4930123@example.com`. */
  readonly from: string
  readonly to: string
  /** Known when the call is answered. */
  readonly codec: Codec
  /** Tells the caller that it rings. */
  ring(): void
  accept(): void
  /** Rejects an incoming call, by default as busy (486). */
  reject(status?: number): void
  /** Queues audio in the leg's codec. All audio with the same passage belongs together. */
  play(audio: Uint8Array, passage?: string): void
  /** Discards queued audio. */
  clear(): Promise<Cleared>
  /** Sends up to 32 digits: 0-9, *, #, A-D. Ignores anything else. Queued audio waits for them. */
  digits(digits: string): void
  /** Asks the peer to call another number or address, and hangs up when it has reached it. */
  transfer(to: string): Promise<TransferOutcome>
  hold(isHeld: boolean): void
  hangUp(): void
}
