import type { TurnDetection } from '../protocol/session-schema.js'

/**
 * Notices that nobody says anything after an answer. Time counts from when the answer has been played, which is long
 * after it was sent.
 */
export class IdleWatch {
  readonly #onIdle: () => void
  #timer: NodeJS.Timeout | null = null
  #playedUntil = 0

  constructor(onIdle: () => void) {
    this.#onIdle = onIdle
  }

  /** So much more sound is on its way to the client. */
  played(milliseconds: number): void {
    this.#playedUntil = Math.max(performance.now(), this.#playedUntil) + milliseconds
  }

  /** An answer is through. */
  start(detection: TurnDetection | null): void {
    this.stop()
    if (detection?.type !== 'server_vad' || detection.idle_timeout_ms === null) return
    const playing = Math.max(0, this.#playedUntil - performance.now())
    this.#timer = setTimeout(this.#onIdle, playing + detection.idle_timeout_ms)
  }

  /** Somebody speaks, or there is an answer to wait for. */
  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }
}
