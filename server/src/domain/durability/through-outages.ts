import type { Database } from '../../ports/database.js'
import type { Timers } from '../../ports/timers.js'

const retryMilliseconds = 500

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
      const isRefused = await wasRefused(database, error)
      // Once more, for it may have been away a moment ago.
      if (isRefused) refusals += 1
      if (refusals > 1 || signal.aborted) throw error
      if (isRefused || database.isFull(error)) await timers.sleep(retryMilliseconds)
      else if (!(await isBack({ database, timers }, signal))) throw error
    }
  }
}

/** Waits until the database is back; false where nobody wants that any more. */
async function isBack({ database, timers }: Dependencies, signal: AbortSignal): Promise<boolean> {
  const returned = database.returned()
  while (!signal.aborted) if ((await timers.within(retryMilliseconds, returned)).ok) return true
  return false
}

/** Whether what failed was refused, and would be again: the database responds, and lacks nothing that somebody can give it. */
export async function wasRefused(database: Database, error: unknown): Promise<boolean> {
  if (database.isFull(error)) return false
  return database.ping().then(
    () => true,
    () => false,
  )
}
