import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../ports/log.js'
import { markAsLogged } from '../system/log.js'
import { isDiskFull, isFull, isOutage } from './outage.js'

const pauseMilliseconds = { first: 100, most: 500 } as const

/**
 * A server that lacks resources may still answer queries. It is therefore considered recovered only after
 * this time without errors.
 */
const quietMilliseconds = 10_000

/** The state of an outage. */
interface Outage {
  readonly since: number
  /** The number of failed statements and connections, including retries. */
  failures: number
  lastFullAt: number | null
}

/**
 * Tracks whether the database is unavailable and waits for its return. It probes the database soon and then
 * twice a second, once for all waiting callers. It logs one line at the start and one at the end of an
 * outage. Errors in between are marked, so that callers do not log them again.
 */
export class OutageWatch {
  readonly #ping: () => Promise<void>
  readonly #log: Log | null
  #returning: Promise<void> | null = null
  #outage: Outage | null = null
  #endedAt = Number.NEGATIVE_INFINITY
  #isClosed = false
  #diskFullAt = Number.NEGATIVE_INFINITY

  constructor(ping: () => Promise<void>, log: Log | null = null) {
    this.#ping = ping
    this.#log = log
  }

  /**
   * Called for every statement and connection that failed. `askedAt` is the time of the request on the
   * monotonic clock.
   */
  note(error: unknown, askedAt: number): void {
    if (this.#isClosed || !isOutage(error)) return
    markAsLogged(error)
    const now = performance.now()
    if (isDiskFull(error)) this.#diskFullAt = now
    // The statement was requested during an outage that has ended in the meantime.
    if (this.#outage === null && askedAt < this.#endedAt) return
    if (this.#outage === null) {
      this.#outage = { since: now, failures: 0, lastFullAt: null }
      const reason = error instanceof Error ? error.message : String(error)
      this.#log?.error(
        { reason },
        isFull(error)
          ? 'the database is out of disk space, memory or connections'
          : 'the database is unavailable',
      )
      void this.#waitForDatabase(this.#outage)
    }
    this.#outage.failures += 1
    if (isFull(error)) this.#outage.lastFullAt = now
  }

  /** Returns whether a write has just failed because the server's disk is full. */
  get isDiskFull(): boolean {
    return performance.now() - this.#diskFullAt < quietMilliseconds
  }

  /** Called when a transaction that added rows was committed. */
  noteWritten(): void {
    this.#diskFullAt = Number.NEGATIVE_INFINITY
  }

  /** Resolves when the database responds. Never settles if the watch is closed first. */
  returned(): Promise<void> {
    this.#returning ??= this.#poll()
    return this.#returning
  }

  close(): void {
    this.#isClosed = true
  }

  async #waitForDatabase(outage: Outage): Promise<void> {
    for (let isBack = false; !isBack; ) {
      await this.returned()
      const { lastFullAt } = outage
      const quietAt = (lastFullAt ?? Number.NEGATIVE_INFINITY) + quietMilliseconds
      const wait = quietAt - performance.now()
      isBack = wait <= 0
      if (!isBack) await sleep(wait, undefined, { ref: false })
    }
    this.#endedAt = performance.now()
    this.#outage = null
    const seconds = Math.round((this.#endedAt - outage.since) / 100) / 10
    this.#log?.warn({ seconds, failures: outage.failures }, 'the database is available again')
  }

  async #poll(): Promise<void> {
    let pause: number = pauseMilliseconds.first
    do {
      await sleep(pause, undefined, { ref: false })
      pause = Math.min(pause * 2, pauseMilliseconds.most)
    } while (!(await this.#isThere()))
    this.#returning = null
  }

  async #isThere(): Promise<boolean> {
    if (this.#isClosed) return new Promise(() => {})
    return this.#ping().then(
      () => true,
      () => false,
    )
  }
}
