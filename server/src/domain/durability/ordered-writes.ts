import type { Database } from '../../ports/database.js'
import type { Log } from '../../ports/log.js'
import type { Timers } from '../../ports/timers.js'
import { causeOf } from './through-outages.js'

const retryMilliseconds = { first: 100, most: 2000 } as const
const attemptsWithDatabase = 5
/** What the log says of an entry that is not in yet. */
const waitsFor = {
  away: 'the database is away; writes wait',
  full: 'the database is away; writes wait',
  refused: 'the database refused an entry; it is tried again',
} as const
/** How many are written before others have their turn at the database. */
const maxInPlace = 8

export interface OrderedWritesDependencies {
  readonly database: Database
  readonly timers: Timers
  readonly log: Log
}

export interface OrderedWritesOptions {
  readonly organizationId: string
  /** Whose writes they are, for the log. */
  readonly owner: Readonly<Record<string, string>>
  readonly maxWaitingBytes: number
  /** The database is away and too much waits for it. */
  readonly onFull: () => void
}

export interface OrderedWrite {
  /** What it is, for the log. */
  readonly kind: string
  /** How much memory it takes while it waits. */
  readonly bytes: number
  /** Can be repeated without harm: nobody knows whether a commit that was never confirmed took place. */
  readonly write: () => Promise<void>
}

interface WaitingWrite extends OrderedWrite {
  readonly settle: (isWritten: boolean) => void
}

/** Writes to the database, in order, each until it is in. While the database is away they wait in memory. */
export class OrderedWrites {
  readonly #dependencies: OrderedWritesDependencies
  readonly #options: OrderedWritesOptions
  readonly #waiting: WaitingWrite[] = []
  #waitingBytes = 0
  #writing: Promise<void> | null = null

  constructor(dependencies: OrderedWritesDependencies, options: OrderedWritesOptions) {
    this.#dependencies = dependencies
    this.#options = options
  }

  /** Resolves when the write is over: whether it was written. */
  push(write: OrderedWrite): Promise<boolean> {
    const { maxWaitingBytes, onFull } = this.#options
    const written = new Promise<boolean>((settle) => {
      this.#waiting.push({ ...write, settle })
    })
    this.#waitingBytes += write.bytes
    this.#writing ??= this.#writeAll()
    if (this.#waitingBytes > maxWaitingBytes) onFull()
    return written
  }

  /** How many writes are not in yet. */
  get waitingCount(): number {
    return this.#waiting.length
  }

  /** Settles once everything is written. */
  async settled(): Promise<void> {
    while (this.#writing) await this.#writing
  }

  async #writeAll(): Promise<void> {
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0])
      await this.#writeFrom(first)
    this.#writing = null
  }

  /** Writes this one, which is the first, and what waits behind it; or gives it up. */
  async #writeFrom(first: WaitingWrite): Promise<void> {
    const { database, log, timers } = this.#dependencies
    const { owner, organizationId } = this.#options
    let delay: number = retryMilliseconds.first
    for (let refusals = 0; ; ) {
      try {
        return await database.runFairly({ organizationId, kind: 'log' }, () => this.#writeSome())
      } catch (error) {
        // It is in, and one behind it is not.
        if (this.#waiting[0] !== first) return
        // With the database there, an entry that fails again and again must not keep all later ones waiting.
        const cause = await causeOf(database, error)
        if (cause === 'refused') refusals += 1
        if (refusals >= attemptsWithDatabase) {
          log.error(
            { err: error, organizationId, ...owner, entry: first.kind },
            'the database refuses an entry',
          )
          return this.#settleFirst(false)
        }
        if (delay === retryMilliseconds.first && refusals <= 1)
          log.warn({ err: error, organizationId, ...owner }, waitsFor[cause])
        if (cause === 'away') await database.returned()
        else {
          await timers.sleep(delay)
          delay = Math.min(delay * 2, retryMilliseconds.most)
        }
      }
    }
  }

  /** In one place at the database: where its organization makes many calls, each further place would have to wait for one. */
  async #writeSome(): Promise<void> {
    for (let left = maxInPlace; left > 0; left -= 1) {
      const write = this.#waiting[0]
      if (write === undefined) return
      await write.write()
      this.#settleFirst(true)
    }
  }

  #settleFirst(isWritten: boolean): void {
    const write = this.#waiting.shift()
    this.#waitingBytes -= write?.bytes ?? 0
    write?.settle(isWritten)
  }
}
