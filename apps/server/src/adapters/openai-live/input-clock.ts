import { ClientAudio } from '../realtime-dialects/client-audio.js'
import { hear, silenceOf } from './loudness.js'

/** After this long without audio of the client, silence is sent instead. */
const gapMilliseconds = 200
const silenceMilliseconds = 100

/**
 * The audio of the user, which is the clock of a session: without it, the model does not speak. Silence replaces what a client
 * does not send.
 */
export class InputClock {
  readonly #type: string
  readonly #converter: ClientAudio | null
  readonly #silence: string
  /** The time until which audio was sent. */
  #coveredUntil = 0
  #isSilent = false

  /** `wireType` is the format of the provider: that of the client, or PCM16 at 24 kHz. */
  constructor(inputType: string, wireType: string) {
    this.#type = wireType
    this.#converter = inputType === wireType ? null : new ClientAudio(inputType, 24_000)
    this.#silence = silenceOf(wireType, silenceMilliseconds)
  }

  /** The time at which silence is due. */
  get silenceAt(): number {
    return this.#coveredUntil + (this.#isSilent ? 0 : gapMilliseconds)
  }

  start(now: number): void {
    this.#coveredUntil = now
  }

  /** Returns audio in the format of the session, and how loud it is. */
  take(base64: string, now: number): { readonly audio: string; readonly loudness: number } {
    const audio = this.#converter === null ? base64 : this.#converter.convert(base64)
    const { milliseconds, loudness } = hear(audio, this.#type)
    this.#coveredUntil = Math.max(this.#coveredUntil, now) + milliseconds
    this.#isSilent = false
    return { audio, loudness }
  }

  /** Returns silence if it is due. */
  takeSilence(now: number): string | null {
    if (now < this.silenceAt) return null
    // A timer that fires late must not slow the clock down.
    this.#coveredUntil =
      (this.#isSilent ? Math.max(this.#coveredUntil, now - 1000) : now) + silenceMilliseconds
    this.#isSilent = true
    return this.#silence
  }
}
