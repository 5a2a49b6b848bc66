import { ClientAudio } from '../realtime-dialects/client-audio.js'
import { hear, silenceOf } from './loudness.js'

/** After this long without audio of the client, silence is sent instead. */
const gapMilliseconds = 200
const silenceMilliseconds = 100
/** Audio may be ahead of real time by this much. */
const maxLeadMilliseconds = 500
/** While audio waits, longer pauses than this are left out. */
const maxPauseMilliseconds = 300
const quietLoudness = 0.003
/** The oldest audio that waits is dropped beyond these. */
export const maxWaitingMilliseconds = 30_000
const maxWaitingFrames = 5000

export interface AddedAudio {
  readonly loudness: number
  /** Whether older audio was dropped, for the first time since nothing waited. */
  readonly isFirstDrop: boolean
}

export interface ClockedAudio {
  /** In the format of the session. */
  readonly audio: string
  readonly milliseconds: number
  readonly loudness: number
}

/**
 * The audio of the user, which is the clock of a session: without it, the model does not speak. Silence replaces what a client
 * does not send. Audio that comes faster than real time waits, such as the speech that a former provider has not answered.
 * Its pauses are left out until nothing waits.
 */
export class InputClock {
  readonly #type: string
  readonly #converter: ClientAudio | null
  readonly #silence: string
  #waiting: ClockedAudio[] = []
  #waitingMilliseconds = 0
  /** Whether audio was dropped since nothing waited. */
  #hasDropped = false
  /** The length of the pause at the end of the audio that waits. */
  #pauseMilliseconds = 0
  /** The time until which audio was sent. */
  #coveredUntil = 0
  #isSilent = false

  /** `wireType` is the format of the provider: that of the client, or PCM16 at 24 kHz. */
  constructor(inputType: string, wireType: string) {
    this.#type = wireType
    this.#converter = inputType === wireType ? null : new ClientAudio(inputType, 24_000)
    this.#silence = silenceOf(wireType, silenceMilliseconds)
  }

  /** The time at which audio or silence is due. */
  get nextAt(): number {
    if (this.#waiting.length > 0) return this.#coveredUntil - maxLeadMilliseconds
    return this.#coveredUntil + (this.#isSilent ? 0 : gapMilliseconds)
  }

  get isWaiting(): boolean {
    return this.#waiting.length > 0
  }

  start(now: number): void {
    this.#coveredUntil = now
  }

  /** Adds audio of the client in Base64. */
  add(base64: string): AddedAudio {
    const audio = this.#converter === null ? base64 : this.#converter.convert(base64)
    const heard = { audio, ...hear(audio, this.#type) }
    const { loudness } = heard
    if (this.#waiting.length === 0) this.#hasDropped = false
    if (this.#isPause(heard)) return { loudness, isFirstDrop: false }
    this.#waiting.push(heard)
    this.#waitingMilliseconds += heard.milliseconds
    const isFull = () =>
      this.#waitingMilliseconds > maxWaitingMilliseconds || this.#waiting.length > maxWaitingFrames
    const isFirstDrop = !this.#hasDropped && isFull()
    if (isFirstDrop) this.#hasDropped = true
    while (isFull()) this.#takeWaiting()
    return { loudness, isFirstDrop }
  }

  /** Returns the audio that is due. */
  takeDue(now: number): readonly ClockedAudio[] {
    const due: ClockedAudio[] = []
    while (this.#waiting.length > 0 && this.#coveredUntil - now <= maxLeadMilliseconds) {
      const next = this.#takeWaiting()
      this.#coveredUntil = Math.max(this.#coveredUntil, now) + (next?.milliseconds ?? 0)
      this.#isSilent = false
      if (next !== undefined) due.push(next)
    }
    return due
  }

  /** Returns silence if it is due. */
  takeSilence(now: number): string | null {
    if (this.#waiting.length > 0 || now < this.nextAt) return null
    // A timer that fires late must not slow the clock down.
    this.#coveredUntil =
      (this.#isSilent ? Math.max(this.#coveredUntil, now - 1000) : now) + silenceMilliseconds
    this.#isSilent = true
    return this.#silence
  }

  /** Whether the frame lengthens a pause that is left out. */
  #isPause({ milliseconds, loudness }: ClockedAudio): boolean {
    const isQuiet = this.#waiting.length > 0 && loudness < quietLoudness
    this.#pauseMilliseconds = isQuiet ? this.#pauseMilliseconds + milliseconds : 0
    return this.#pauseMilliseconds > maxPauseMilliseconds
  }

  #takeWaiting(): ClockedAudio | undefined {
    const next = this.#waiting.shift()
    this.#waitingMilliseconds -= next?.milliseconds ?? 0
    return next
  }
}
