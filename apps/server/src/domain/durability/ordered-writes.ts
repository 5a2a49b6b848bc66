import type { Database, Stores } from '../../ports/database.js'
import type { Log } from '../../ports/log.js'
import type { Timers } from '../../ports/timers.js'

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
/** A backlog from this length on is written in transactions: one commit for many entries, instead of one for each. */
const minTogether = 8
const maxTogether = 64

export interface OrderedWritesDependencies {
  readonly database: Database
  readonly timers: Timers
  readonly log: Log
}

interface OrderedWritesOptions {
  readonly organizationId: string
  /** Whose writes they are, for the log. */
  readonly owner: Readonly<Record<string, string>>
  readonly maxWaitingBytes: number
  /** The database is away and too much waits for it. */
  readonly onFull: () => void
}

interface OrderedWrite {
  /** What it is, for the log. */
  readonly kind: string
  /** How much memory it takes while it waits. */
  readonly bytes: number
  /** Can be repeated without harm: nobody knows whether a commit that was never confirmed took place. */
  readonly write: () => Promise<void>
  /** The same as a part of a transaction; null for a write that cannot be one. */
  readonly part: PartWrite | null
}

/** A write in a transaction with others of its owner. */
export interface PartWrite {
  write(stores: Stores): Promise<void>
  /** Called after the commit. */
  readonly onCommitted?: () => void
  /** Locks rows that other owners wait for. It is written after the others, right before the commit. */
  readonly locksSharedRows?: boolean
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
  /** After a failure the first entry is tried without the others, which may be why. */
  #isApart = false

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
    const { database, log } = this.#dependencies
    const { owner, organizationId } = this.#options
    let delay: number = retryMilliseconds.first
    for (let refusals = 0; ; ) {
      try {
        return await database.runFairly({ organizationId, kind: 'log' }, () => this.#writeSome())
      } catch (error) {
        // It is in, and one behind it is not.
        if (this.#waiting[0] !== first) return
        const wasTogether = !this.#isApart && this.#together().length > 0
        this.#isApart = true
        // With the database there, an entry that fails again and again must not keep all later ones waiting.
        const cause = await causeOf(database, error)
        if (cause === 'refused' && !wasTogether) refusals += 1
        if (refusals >= attemptsWithDatabase) {
          log.error(
            { err: error, organizationId, ...owner, entry: first.kind },
            'the database refuses an entry',
          )
          return this.#settleFirst(false)
        }
        if (delay === retryMilliseconds.first && refusals <= 1)
          log.warn({ err: error, organizationId, ...owner }, waitsFor[cause])
        delay = await this.#pause(cause, delay)
      }
    }
  }

  /** Waits before the next attempt. Returns how long to wait before the one after it. */
  async #pause(cause: 'full' | 'away' | 'refused', milliseconds: number): Promise<number> {
    const { database, timers } = this.#dependencies
    if (cause === 'away') await database.returned()
    else await timers.sleep(milliseconds)
    return cause === 'away' ? milliseconds : Math.min(milliseconds * 2, retryMilliseconds.most)
  }

  /** In one place at the database: where its organization makes many calls, each further place would have to wait for one. */
  async #writeSome(): Promise<void> {
    const together = this.#isApart ? [] : this.#together()
    if (together.length > 0) return this.#writeTogether(together)
    for (let left = maxInPlace; left > 0; left -= 1) {
      const write = this.#waiting[0]
      if (write === undefined) return
      await write.write()
      this.#settleFirst(true)
    }
  }

  /** The entries at the front that can be written in one transaction; none if there are only a few. */
  #together(): readonly PartWrite[] {
    const parts: PartWrite[] = []
    for (const { part } of this.#waiting.slice(0, maxTogether)) {
      if (part === null) break
      parts.push(part)
    }
    return parts.length < minTogether ? [] : parts
  }

  async #writeTogether(parts: readonly PartWrite[]): Promise<void> {
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

/** Repeats the work while the database is away; what fails although it is there fails for good. */
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
      // Once more, for it may have been away a moment ago.
      if (cause === 'refused') refusals += 1
      if (refusals > 1 || signal.aborted) throw error
      if (cause !== 'away') await timers.sleep(outageRetryMilliseconds)
      else if (!(await isBack({ database, timers }, signal))) throw error
    }
  }
}

/** Waits until the database is back; false where nobody wants that any more. */
async function isBack({ database, timers }: Dependencies, signal: AbortSignal): Promise<boolean> {
  const returned = database.returned()
  while (!signal.aborted) if ((await timers.within(outageRetryMilliseconds, returned)).ok) return true
  return false
}

/** Why work failed: the database lacks what somebody can give it, is away, or is there and refuses this, as it would again. */
async function causeOf(database: Database, error: unknown): Promise<'full' | 'away' | 'refused'> {
  if (database.isFull(error) || database.isBusy(error)) return 'full'
  return database.ping().then(
    () => 'refused',
    () => 'away',
  )
}
