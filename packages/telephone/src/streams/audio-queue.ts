import type { Cleared } from '../leg.js'
import type { Timers } from '../time.js'
import { Playback, type PlayedPassage } from './playback.js'
import type { StreamFrame, StreamProtocol } from './stream-protocol.js'

/** A piece of audio has a mark of its own. */
const pieceBytes = 3200
const bytesPerMillisecond = 8

const empty = Buffer.alloc(0)

/** Cuts audio into pieces with marks, and sends as much as the carrier takes. */
export class AudioQueue {
  readonly #protocol: StreamProtocol
  readonly #timers: Timers
  readonly #send: (frame: StreamFrame) => void
  readonly #playback: Playback
  /** Pieces that wait until the carrier wants more. */
  #heldBack: { readonly frames: readonly StreamFrame[]; readonly milliseconds: number }[] = []
  #heldBackMilliseconds = 0
  #isPaused = false
  #cancelSending: () => void = () => undefined
  /** The end of the audio, if it fills no whole frame of the carrier. */
  #rest: Buffer = empty

  constructor(protocol: StreamProtocol, timers: Timers, send: (frame: StreamFrame) => void) {
    this.#protocol = protocol
    this.#timers = timers
    this.#send = send
    this.#playback = new Playback(() => timers.monotonic())
  }

  /** The audio that was not played, here and at the carrier. */
  get waitingMilliseconds(): number {
    return Math.max(this.#playback.unplayedMilliseconds, this.#heldBackMilliseconds)
  }

  add(audio: Uint8Array, passage: string): void {
    const whole = this.#takeWholeFrames(Buffer.from(audio.buffer, audio.byteOffset, audio.byteLength))
    for (let at = 0; at < whole.length; at += pieceBytes) {
      const piece = whole.subarray(at, at + pieceBytes)
      const milliseconds = piece.length / bytesPerMillisecond
      const frames = this.#protocol.play(piece)
      const mark = this.#protocol.mark(this.#playback.add(passage, milliseconds))
      this.#heldBack.push({ frames: [...frames, mark], milliseconds })
      this.#heldBackMilliseconds += milliseconds
    }
    this.#sendHeldBack()
  }

  /** Accounts for a mark that came back. Returns the passages whose audio was played. */
  acknowledge(mark: string): PlayedPassage[] {
    const played = this.#playback.acknowledge(mark)
    this.#sendHeldBack()
    return played
  }

  /** Obeys the carrier's flow control. */
  pause(isPaused: boolean): void {
    this.#isPaused = isPaused
    this.#sendHeldBack()
  }

  /** Discards all audio, here and at the carrier. Returns how much of the passage that plays now was heard. */
  clear(): Cleared {
    this.end()
    this.#send(this.#protocol.clear())
    return this.#playback.clear()
  }

  /** Discards the audio that was not sent. */
  end(): void {
    this.#cancelSending()
    this.#heldBack = []
    this.#heldBackMilliseconds = 0
    this.#rest = empty
  }

  #takeWholeFrames(audio: Buffer): Buffer {
    const { frameBytes } = this.#protocol
    if (frameBytes === undefined) return audio
    const waiting = this.#rest.length > 0 ? Buffer.concat([this.#rest, audio]) : audio
    const length = waiting.length - (waiting.length % frameBytes)
    this.#rest = Buffer.from(waiting.subarray(length))
    return waiting.subarray(0, length)
  }

  /** Sends as many pieces as the carrier takes, and the rest later. */
  #sendHeldBack(): void {
    this.#cancelSending()
    const { maxWaitingMilliseconds: limit = Number.POSITIVE_INFINITY } = this.#protocol
    while (!this.#isPaused) {
      const [next] = this.#heldBack
      if (!next) break
      const atCarrier = this.#playback.unplayedMilliseconds - this.#heldBackMilliseconds
      const excess = atCarrier + next.milliseconds - limit
      if (excess > 0) {
        this.#cancelSending = this.#timers.after(excess, () => this.#sendHeldBack())
        break
      }
      this.#heldBack.shift()
      this.#heldBackMilliseconds -= next.milliseconds
      for (const frame of next.frames) this.#send(frame)
    }
  }
}
