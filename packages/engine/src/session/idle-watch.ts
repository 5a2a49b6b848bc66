import type { TurnDetection } from '../protocol/session-schema.js'

/**
 * Detects that the user says nothing after an answer. The timer starts at the end of playback, which is long after
 * the audio was sent.
 */
export class IdleWatch {
  readonly #onIdle: () => void
  #timer: NodeJS.Timeout | null = null
  #playedUntil = 0

  constructor(onIdle: () => void) {
    this.#onIdle = onIdle
  }

  /** Adds the duration of audio that was sent to the client. */
  played(milliseconds: number): void {
    this.#playedUntil = Math.max(performance.now(), this.#playedUntil) + milliseconds
  }

  /** Called when an answer is complete. */
  start(detection: TurnDetection | null): void {
    this.stop()
    if (detection?.type !== 'server_vad' || detection.idle_timeout_ms === null) return
    const playing = Math.max(0, this.#playedUntil - performance.now())
    this.#timer = setTimeout(this.#onIdle, playing + detection.idle_timeout_ms)
  }

  /** Called when the user speaks, or when an answer is pending. */
  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }
}
