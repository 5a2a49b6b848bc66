import type { Codec } from '../leg.js'

/** The call that the first message of a stream names. */
export interface StreamStart {
  /** Empty if the carrier does not say it, as Vonage for outgoing calls. */
  readonly callId: string
  /** The one-time token of `StreamTarget`, or null if the carrier sent none. */
  readonly token: string | null
}

/** A message of a carrier, as every protocol means it. */
export type StreamEvent =
  | { readonly kind: 'started'; readonly start: StreamStart }
  /** Audio in the protocol's codec, in order. */
  | { readonly kind: 'audio'; readonly audio: Buffer }
  | { readonly kind: 'digit'; readonly digit: string }
  /** The audio before this mark was played, or discarded by `clear`. */
  | { readonly kind: 'mark'; readonly name: string }
  /** The carrier has enough audio for now, or wants more. */
  | { readonly kind: 'flow'; readonly isPaused: boolean }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly detail: string }

/** A frame to send. Text and binary frames are different in some protocols. */
export type StreamFrame = string | Buffer

/**
 * Translates between the messages of one carrier and `StreamEvent`. One instance serves one socket and remembers the
 * IDs that later messages repeat. Frames may only be made after the start.
 */
export interface StreamProtocol {
  readonly codec: Codec
  /** Present if the carrier takes audio in multiples of this length only. */
  readonly frameBytes?: number
  /** Present if the carrier loses audio beyond this length that waits. */
  readonly maxWaitingMilliseconds?: number
  /** Returns no event for a message to ignore. Throws `MalformedMessage`. */
  read(data: Buffer, isBinary: boolean): readonly StreamEvent[]
  play(audio: Buffer): readonly StreamFrame[]
  /** Asks for a mark after the audio that was sent so far. */
  mark(name: string): StreamFrame
  /** Discards the audio that waits at the carrier. */
  clear(): StreamFrame
  /** Present if the socket can send digits. */
  digits?(digits: string): StreamFrame
  /** Present if the call is answered over the socket. */
  answer?(): StreamFrame
  /** Present if the call is hung up over the socket. */
  hangUp?(): StreamFrame
}

/** A message that breaks the carrier's protocol. It ends the call. */
export class MalformedMessage extends Error {
  constructor(detail: string) {
    super(detail)
    this.name = 'MalformedMessage'
  }
}
