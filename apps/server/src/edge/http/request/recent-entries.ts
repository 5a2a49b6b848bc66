import type { Clock } from '../../../ports/clock.js'

export interface RecentEntriesOptions {
  readonly forMilliseconds: number
  /** The oldest one makes room for a new one. */
  readonly maxEntries: number
}

/** What was noted a short while ago, in this process. */
export class RecentEntries {
  readonly #clock: Clock
  readonly #options: RecentEntriesOptions
  /** Until when each is recent, oldest first. */
  readonly #entries = new Map<string, number>()

  constructor(clock: Clock, options: RecentEntriesOptions) {
    this.#clock = clock
    this.#options = options
  }

  has(entry: string): boolean {
    const until = this.#entries.get(entry)
    return until !== undefined && until > this.#clock.now().getTime()
  }

  note(entry: string): void {
    const { forMilliseconds, maxEntries } = this.#options
    this.#entries.delete(entry)
    this.#entries.set(entry, this.#clock.now().getTime() + forMilliseconds)
    const [oldest] = this.#entries.keys()
    if (this.#entries.size > maxEntries && oldest !== undefined) this.#entries.delete(oldest)
  }

  forget(entry: string): void {
    this.#entries.delete(entry)
  }
}
