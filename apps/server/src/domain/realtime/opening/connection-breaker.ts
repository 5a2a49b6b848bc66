import { BoundedMap } from '../../../concurrency/bounded-map.js'
import type { Timers } from '../../../ports/time.js'

const failuresBeforeSkipping = 3
const skippedMilliseconds = 30_000
/** The oldest entries are dropped beyond this number. */
const maxConnections = 10_000

interface Failures {
  readonly count: number
  /** The connection is skipped until this monotonic time. */
  readonly skippedUntil: number
}

/**
 * Remembers which connections failed recently, so that new sessions use their fallback at once. After three failures in a
 * row a connection is skipped for 30 seconds. Then one session tries it, and the others continue to skip it until that try
 * has ended.
 */
export class ConnectionBreaker {
  readonly #timers: Pick<Timers, 'monotonic'>
  readonly #failures = new BoundedMap<string, Failures>(maxConnections)

  constructor(timers: Pick<Timers, 'monotonic'>) {
    this.#timers = timers
  }

  /** Returns whether the connection should be tried. The caller must report the outcome of the try. */
  allows(connectionId: string): boolean {
    const failures = this.#failures.get(connectionId)
    if (failures === undefined || failures.count < failuresBeforeSkipping) return true
    const now = this.#timers.monotonic()
    if (now < failures.skippedUntil) return false
    this.#failures.set(connectionId, { ...failures, skippedUntil: now + skippedMilliseconds })
    return true
  }

  noteSuccess(connectionId: string): void {
    this.#failures.delete(connectionId)
  }

  noteFailure(connectionId: string): void {
    const count = (this.#failures.get(connectionId)?.count ?? 0) + 1
    this.#failures.set(connectionId, { count, skippedUntil: this.#timers.monotonic() + skippedMilliseconds })
  }
}
