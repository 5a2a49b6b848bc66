import type { RealtimeMetrics, RelayCounters } from '../../../ports/realtime-metrics.js'
import type { Timers } from '../../../ports/timers.js'

/**
 * Counts the frames of a session, and measures when something last happened and how soon an answer's audio begins. Called
 * for every frame, so it does no more than add numbers; of audio, the first frame alone is looked at.
 */
export class Traffic {
  readonly #timers: Timers
  readonly #metrics: RealtimeMetrics
  readonly #relayed: RelayCounters
  readonly #onFirstAudio: (at: number) => void
  /** Numbers from the beginning on: of a field that was once undefined, V8 makes a new number at every change. */
  #lastActivityAt = 0
  #lastProviderFrameAt = 0
  /** When an answer was last due; null once its audio has begun. */
  #answerDueSince: number | null = null
  /** Whether the next audio is the first since an answer was due or a response was created. */
  #isAudioAwaited = false

  /** `onFirstAudio` gets the moment of the first audio of each response. */
  constructor(timers: Timers, metrics: RealtimeMetrics, onFirstAudio: (at: number) => void) {
    this.#timers = timers
    this.#metrics = metrics
    this.#onFirstAudio = onFirstAudio
    this.#relayed = metrics.relayed
    this.#lastActivityAt = timers.monotonic()
    this.#lastProviderFrameAt = this.#lastActivityAt
  }

  get lastActivityAt(): number {
    return this.#lastActivityAt
  }

  get lastProviderFrameAt(): number {
    return this.#lastProviderFrameAt
  }

  countClientFrame(bytes: number): void {
    this.#lastActivityAt = this.#timers.monotonic()
    this.#relayed.clientFrames += 1
    this.#relayed.clientBytes += bytes
  }

  countProviderFrame(bytes: number): void {
    this.#lastActivityAt = this.#timers.monotonic()
    this.#lastProviderFrameAt = this.#lastActivityAt
    this.#relayed.providerFrames += 1
    this.#relayed.providerBytes += bytes
  }

  /** Something is over that kept the session busy without frames. */
  noteActivity(): void {
    this.#lastActivityAt = this.#timers.monotonic()
  }

  /** The user's speech has ended, or the client has requested a response: from now on an answer is due. */
  noteAnswerDue(): void {
    this.#answerDueSince = this.#lastActivityAt
    this.#isAudioAwaited = true
  }

  noteResponseCreated(): void {
    this.#isAudioAwaited = true
  }

  noteAudio(): void {
    if (!this.#isAudioAwaited) return
    this.#isAudioAwaited = false
    const now = this.#timers.monotonic()
    if (this.#answerDueSince !== null) this.#metrics.firstAudio((now - this.#answerDueSince) / 1000)
    this.#answerDueSince = null
    this.#onFirstAudio(now)
  }
}
