import type { Database, Stores } from '../../ports/database.js'
import type { Log } from '../../ports/log.js'
import type { Timers } from '../../ports/time.js'

const retryMilliseconds = { first: 100, most: 2000 } as const
const attemptsWithDatabase = 5
/** The log message for each cause of a failed write. */
const waitsFor = {
  away: 'database unavailable; writes are queued',
  full: 'database unavailable; writes are queued',
  refused: 'the database rejected an entry; retrying',
} as const
/** The number of writes after which the slot is passed to other owners. */
const maxWritesPerSlot = 8
/**
 * If the queue is at least this long, many entries are written in one transaction, instead of one transaction
 * per entry.
 */
const minTogether = 8
const maxTogether = 64

export interface OrderedWritesDependencies {
  readonly database: Database
  readonly timers: Timers
  readonly log: Log
}

interface OrderedWritesOptions {
  readonly organizationId: string
  /** The owner's ids, for the log. */
  readonly owner: Readonly<Record<string, string>>
  readonly maxWaitingBytes: number
  /** Called when the queued writes exceed `maxWaitingBytes`. */
  readonly onFull: () => void
}

interface OrderedWrite {
  /** The kind of entry, for the log. */
  readonly kind: string
  /** The memory that the entry uses while it is queued. */
  readonly bytes: number
  /**
   * Writes the entry. Must be idempotent, because it is retried after an unconfirmed commit that may have
   * succeeded.
   */
  readonly write: () => Promise<void>
  /** The write as part of a larger transaction. Null if it must run alone. */
  readonly part: PartWrite | null
}

/** A write that can share a transaction with other writes of its owner. */
export interface PartWrite {
  write(stores: Stores): Promise<void>
  /** Called after the commit. */
  readonly onCommitted?: () => void
  /** Stores the text of a file whose contents are stored. Returns its number of characters. */
  readonly locksSharedRows?: boolean
}

interface WaitingWrite extends OrderedWrite {
  readonly settle: (isWritten: boolean) => void
}

/**
 * Writes entries to the database in order. Each write is retried until it succeeds. Queued entries are kept
 * in memory.
 */
export class OrderedWrites {
  readonly #dependencies: OrderedWritesDependencies
  readonly #options: OrderedWritesOptions
  readonly #waiting: WaitingWrite[] = []
  #waitingBytes = 0
  #writing: Promise<void> | null = null
  /**
   * The first entry is retried alone after a failure, because another entry in the batch may have caused it.
   */
  #isApart = false

  constructor(dependencies: OrderedWritesDependencies, options: OrderedWritesOptions) {
    this.#dependencies = dependencies
    this.#options = options
  }

  /** Resolves with true if the write succeeded, otherwise with false. */
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

  /** The number of queued and running writes. */
  get waitingCount(): number {
    return this.#waiting.length
  }

  /** Settles when everything is stored. */
  async settled(): Promise<void> {
    while (this.#writing) await this.#writing
  }

  async #writeAll(): Promise<void> {
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0])
      await this.#writeFrom(first)
    this.#writing = null
  }

  /**
   * Writes the first entry and those that can share its transaction. Drops the first entry after repeated
   * rejections.
   */
  async #writeFrom(first: WaitingWrite): Promise<void> {
    const { database, log } = this.#dependencies
    const { owner, organizationId } = this.#options
    let delay: number = retryMilliseconds.first
    for (let refusals = 0; ; ) {
      try {
        return await database.runFairly({ organizationId, kind: 'log' }, () => this.#writeSome())
      } catch (error) {
        // The first entry was written, and a later one failed.
        if (this.#waiting[0] !== first) return
        const wasBatched = !this.#isApart && this.#batch().length > 0
        this.#isApart = true
        // An entry that the database always rejects must not block the later ones.
        const cause = await causeOf(database, error)
        if (cause === 'refused' && !wasBatched) refusals += 1
        if (refusals >= attemptsWithDatabase) {
          log.error(
            { err: error, organizationId, ...owner, entry: first.kind },
            'the database rejected an entry repeatedly; the entry is dropped',
          )
          return this.#settleFirst(false)
        }
        if (delay === retryMilliseconds.first && refusals <= 1)
          log.warn({ err: error, organizationId, ...owner }, waitsFor[cause])
        delay = await this.#pause(cause, delay)
      }
    }
  }

  /** Waits before the next attempt. Returns the delay before the attempt after that. */
  async #pause(cause: 'full' | 'away' | 'refused', milliseconds: number): Promise<number> {
    const { database, timers } = this.#dependencies
    if (cause === 'away') await database.returned()
    else await timers.sleep(milliseconds)
    return cause === 'away' ? milliseconds : Math.min(milliseconds * 2, retryMilliseconds.most)
  }

  /** Uses at most one database slot, because more slots would delay other calls of the organization. */
  async #writeSome(): Promise<void> {
    const batch = this.#isApart ? [] : this.#batch()
    if (batch.length > 0) return this.#writeBatch(batch)
    for (let left = maxWritesPerSlot; left > 0; left -= 1) {
      const write = this.#waiting[0]
      if (write === undefined) return
      await write.write()
      this.#settleFirst(true)
    }
  }

  /**
   * Returns the entries at the head of the queue that can share a transaction. Returns none if there are too
   * few.
   */
  #batch(): readonly PartWrite[] {
    const parts: PartWrite[] = []
    for (const { part } of this.#waiting.slice(0, maxTogether)) {
      if (part === null) break
      parts.push(part)
    }
    return parts.length < minTogether ? [] : parts
  }

  async #writeBatch(parts: readonly PartWrite[]): Promise<void> {
    const last = parts.filter(({ locksSharedRows }) => locksSharedRows === true)
    const others = parts.filter((part) => !last.includes(part))
    await this.#dependencies.database.transaction(async (stores) => {
      for (const part of [...others, ...last]) await part.write(stores)
    })
    for (const { onCommitted } of parts) {
      onCommitted?.()
      this.#settleFirst(true)
    }
  }

  #settleFirst(isWritten: boolean): void {
    this.#isApart = false
    const write = this.#waiting.shift()
    this.#waitingBytes -= write?.bytes ?? 0
    write?.settle(isWritten)
  }
}

const outageRetryMilliseconds = 500

interface Dependencies {
  readonly database: Database
  readonly timers: Timers
}

/** Retries the work while the database is unavailable. Throws if the work fails for another reason. */
export async function throughOutages<Result>(
  { database, timers }: Dependencies,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  for (let refusals = 0; ; ) {
    try {
      return await work()
    } catch (error) {
      const cause = await causeOf(database, error)
      // The work is attempted once more, because the database may have recovered in the meantime.
      if (cause === 'refused') refusals += 1
      if (refusals > 1 || signal.aborted) throw error
      if (cause !== 'away') await timers.sleep(outageRetryMilliseconds)
      else if (!(await isBack({ database, timers }, signal))) throw error
    }
  }
}

/** Waits until the database is available again. Resolves with false if the signal aborts. */
async function isBack({ database, timers }: Dependencies, signal: AbortSignal): Promise<boolean> {
  const returned = database.returned()
  while (!signal.aborted) if ((await timers.within(outageRetryMilliseconds, returned)).ok) return true
  return false
}

/**
 * Returns why the work failed: the database is out of space or connections, is unavailable, or rejects the
 * work.
 */
async function causeOf(database: Database, error: unknown): Promise<'full' | 'away' | 'refused'> {
  if (database.isFull(error) || database.isBusy(error)) return 'full'
  return database.ping().then(
    () => 'refused',
    () => 'away',
  )
}
