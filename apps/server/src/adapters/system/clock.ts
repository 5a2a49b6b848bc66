import type { Clock, Timers } from '../../ports/time.js'

export const systemClock: Clock = { now: () => new Date() }

/** What all instances agree on. */
interface TimeSource {
  /** Its time, in milliseconds since 1970. */
  now(): Promise<number>
}

/** A reading tells the time no better than to half of what it took. */
const slowestMilliseconds = 1000
/** Within this a reading says nothing new; so time does not tremble, nor go back by a little again and again. */
const toleratedMilliseconds = 100
/** More than this is no correction but a wrong clock, now or before. */
const jumpMilliseconds = 60_000
/** A time that has stayed so long is right. */
const confirmedMilliseconds = 24 * 60 * 60 * 1000

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

  /** Where the zero was before the jump that nobody has confirmed; null if there was none. */
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

  /** Calls back with every jump of more than a minute: how many seconds the time went forward. */
  onJump(listener: (seconds: number) => void): void {
    this.#onJump = listener
  }

  /**
   * False from a jump of more than a minute on, until the time is back where it would be without the jump, or has stayed
   * for a day. What was removed because of a wrong time does not come back.
   */
  isTrusted(): boolean {
    return this.#trusted === null || this.#timers.monotonic() >= this.#trusted.until
  }

  /** Compares with the source. Rejects where it does not answer; then the time goes on as it did. */
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
