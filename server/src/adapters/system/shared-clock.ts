import type { Clock } from '../../ports/clock.js'
import type { Timers } from '../../ports/timers.js'

/** What all instances agree on. */
interface TimeSource {
  /** Its time, in milliseconds since 1970. */
  now(): Promise<number>
}

/** A reading tells the time no better than to half of what it took. */
const slowestMilliseconds = 1000
/** Within this a reading says nothing new; so time does not tremble, nor go back by a little again and again. */
const toleratedMilliseconds = 100

/**
 * The database's time: deadlines that one instance writes are judged by another, so they need one clock. It is read now
 * and then, and carried on by the monotonic clock in between; what this machine's own clock says, or is set to, does not
 * matter.
 */
export class SharedClock implements Clock {
  readonly #source: TimeSource
  readonly #timers: Timers
  /** The time of day at the monotonic clock's zero. */
  #zero: number

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

  /** Compares with the source. Rejects where it does not answer; then the time goes on as it did. */
  async compare(): Promise<void> {
    const { zero, tookMilliseconds } = await readZero(this.#source, this.#timers)
    if (tookMilliseconds > slowestMilliseconds) return
    if (Math.abs(zero - this.#zero) > toleratedMilliseconds + tookMilliseconds / 2) this.#zero = zero
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
