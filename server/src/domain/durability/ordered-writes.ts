import type { Database } from '../../ports/database.js'
import type { Log } from '../../ports/log.js'
import type { Timers } from '../../ports/timers.js'

const retryMilliseconds = { first: 100, most: 2000 } as const
const attemptsWithDatabase = 5

export interface OrderedWritesDependencies {
  readonly database: Database
  readonly timers: Timers
  readonly log: Log
}

export interface OrderedWrite {
  /** What it is, for the log. */
  readonly kind: string
  /** How much memory it takes while it waits. */
  readonly bytes: number
  /** Can be repeated without harm: nobody knows whether a commit that was never answered took place. */
  readonly write: () => Promise<void>
}

/**
 * Writes to the database, in order, each until it is in. While the database is away they wait in memory; whoever
 * pushes hears how much waits, and sets the bound.
 */
export class OrderedWrites {
  readonly #dependencies: OrderedWritesDependencies
  /** Whose writes they are, for the log. */
  readonly #owner: Readonly<Record<string, string>>
  readonly #waiting: OrderedWrite[] = []
  #waitingBytes = 0
  #writing: Promise<void> | null = null

  constructor(dependencies: OrderedWritesDependencies, owner: Readonly<Record<string, string>>) {
    this.#dependencies = dependencies
    this.#owner = owner
  }

  /** Returns how many bytes wait. */
  push(write: OrderedWrite): number {
    this.#waiting.push(write)
    this.#waitingBytes += write.bytes
    this.#writing ??= this.#writeAll()
    return this.#waitingBytes
  }

  /** Settles once everything is written. */
  async settled(): Promise<void> {
    while (this.#writing) await this.#writing
  }

  async #writeAll(): Promise<void> {
    for (let write = this.#waiting[0]; write !== undefined; write = this.#waiting[0]) {
      await this.#writeUntilDone(write)
      this.#waiting.shift()
      this.#waitingBytes -= write.bytes
    }
    this.#writing = null
  }

  async #writeUntilDone({ kind, write }: OrderedWrite): Promise<void> {
    const { log, timers } = this.#dependencies
    let delay: number = retryMilliseconds.first
    for (let refusals = 0; ; ) {
      try {
        return await write()
      } catch (error) {
        // With the database there, an entry that fails again and again must not keep all later ones waiting.
        if (await this.#isDatabaseThere()) refusals += 1
        if (refusals >= attemptsWithDatabase) {
          log.error({ err: error, ...this.#owner, entry: kind }, 'the database refuses an entry')
          return
        }
        if (delay === retryMilliseconds.first)
          log.warn({ err: error, ...this.#owner }, 'the database is away; turns wait')
        await new Promise<void>((resolve) => void timers.after(delay, resolve))
        delay = Math.min(delay * 2, retryMilliseconds.most)
      }
    }
  }

  async #isDatabaseThere(): Promise<boolean> {
    try {
      await this.#dependencies.database.ping()
      return true
    } catch {
      return false
    }
  }
}
