import type { RealtimeMetrics, RelayCounters } from '../../../ports/realtime-metrics.js'
import type { Timers } from '../../../ports/timers.js'

/**
 * Counts the frames of a session, and measures when the last one went by and how soon an answer's audio begins. Called
 * for every frame, so it does no more than add numbers.
 */
export class Traffic {
  readonly #timers: Timers
  readonly #metrics: RealtimeMetrics
  readonly #relayed: RelayCounters
  #lastFrameAt: number
  #lastProviderFrameAt: number
  /** When an answer was last due; null once its audio has begun. */
  #answerDueSince: number | null = null

  constructor(timers: Timers, metrics: RealtimeMetrics) {
    this.#timers = timers
    this.#metrics = metrics
    this.#relayed = metrics.relayed
    this.#lastFrameAt = timers.monotonic()
    this.#lastProviderFrameAt = this.#lastFrameAt
  }

  get lastFrameAt(): number {
    return this.#lastFrameAt
  }

  get lastProviderFrameAt(): number {
    return this.#lastProviderFrameAt
  }

  countClientFrame(bytes: number): void {
    this.#lastFrameAt = this.#timers.monotonic()
    this.#relayed.clientFrames += 1
    this.#relayed.clientBytes += bytes
  }

  countProviderFrame(bytes: number): void {
    this.#lastFrameAt = this.#timers.monotonic()
    this.#lastProviderFrameAt = this.#lastFrameAt
    this.#relayed.providerFrames += 1
    this.#relayed.providerBytes += bytes
  }

  /** The user's speech has ended, or the client has requested a response: from now on an answer is due. */
  noteAnswerDue(): void {
    this.#answerDueSince = this.#lastFrameAt
  }

  noteAudio(): void {
    if (this.#answerDueSince === null) return
    this.#metrics.firstAudio((this.#timers.monotonic() - this.#answerDueSince) / 1000)
    this.#answerDueSince = null
  }
}
