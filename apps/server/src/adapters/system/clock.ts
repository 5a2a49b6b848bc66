import type { Clock, Timers } from '../../ports/time.js'

export const systemClock: Clock = { now: () => new Date() }

/** The clock that all instances agree on. */
interface TimeSource {
  /** Returns the time in milliseconds since 1970. */
  now(): Promise<number>
}

/** Slower readings are ignored, because a reading is only accurate to half of its round trip. */
const slowestMilliseconds = 1000
/** Smaller differences are ignored, so that the time does not jitter or repeatedly go back. */
const toleratedMilliseconds = 100
/** A larger difference is not treated as a correction, because the clock is wrong now or was wrong before. */
const jumpMilliseconds = 60_000
/** A time that has lasted this long is considered correct. */
const confirmedMilliseconds = 24 * 60 * 60 * 1000

/**
 * The database's time. One instance writes deadlines that another evaluates, so all need the same clock. The
 * time is read periodically and extrapolated with the monotonic clock in between. This machine's own clock
 * has no effect.
 */
export class SharedClock implements Clock {
  readonly #source: TimeSource
  readonly #timers: Timers
  /** The time of day at which the monotonic clock was zero. */
  #zero: number

  /**
   * The value of `#zero` before an unconfirmed jump, and when the jump will be confirmed. Null if there was
   * none.
   */
  #trusted: { readonly zero: number; readonly until: number } | null = null
  #onJump: (seconds: number) => void = () => undefined

  private constructor(source: TimeSource, timers: Timers, zero: number) {
    this.#source = source
    this.#timers = timers
    this.#zero = zero
  }

  static async start(source: TimeSource, timers: Timers): Promise<SharedClock> {
    const { zero } = await readZero(source, timers)
    return new SharedClock(source, timers, zero)
  }

  now(): Date {
    return new Date(this.#zero + this.#timers.monotonic())
  }

  /**
   * Calls `listener` for every jump of more than a minute, with the number of seconds by which the time
   * advanced.
   */
  onJump(listener: (seconds: number) => void): void {
    this.#onJump = listener
  }

  /**
   * Returns false after a jump of more than a minute, until the jump is reverted or has lasted for a day.
   * Data that was removed because of a wrong clock cannot be restored.
   */
  isTrusted(): boolean {
    return this.#trusted === null || this.#timers.monotonic() >= this.#trusted.until
  }

  /**
   * Compares the time with the source. If the source does not respond, throws, and the time continues as
   * before.
   */
  async compare(): Promise<void> {
    const { zero, tookMilliseconds } = await readZero(this.#source, this.#timers)
    if (tookMilliseconds > slowestMilliseconds) return
    const jump = zero - this.#zero
    if (Math.abs(jump) > jumpMilliseconds) this.#noteJump(zero)
    if (Math.abs(jump) > toleratedMilliseconds + tookMilliseconds / 2) this.#zero = zero
  }

  #noteJump(zero: number): void {
    const known = this.isTrusted() ? null : this.#trusted
    const before = known?.zero ?? this.#zero
    const isBack = Math.abs(zero - before) <= jumpMilliseconds
    this.#trusted = isBack ? null : { zero: before, until: this.#timers.monotonic() + confirmedMilliseconds }
    this.#onJump(Math.round((zero - this.#zero) / 1000))
  }
}

async function readZero(
  source: TimeSource,
  timers: Timers,
): Promise<{ readonly zero: number; readonly tookMilliseconds: number }> {
  const askedAt = timers.monotonic()
  const time = await source.now()
  const tookMilliseconds = timers.monotonic() - askedAt
  return { zero: time - (askedAt + tookMilliseconds / 2), tookMilliseconds }
}
