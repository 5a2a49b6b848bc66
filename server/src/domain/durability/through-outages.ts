import type { Database } from '../../ports/database.js'
import type { Timers } from '../../ports/timers.js'

const retryMilliseconds = 500

/** Repeats the work while the database is away; what fails although it is there fails for good. */
export async function throughOutages<Result>(
  { database, timers }: { readonly database: Database; readonly timers: Timers },
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  for (let refusals = 0; ; ) {
    try {
      return await work()
    } catch (error) {
      // Once more, for it may have been away a moment ago.
      if (await wasRefused(database, error)) refusals += 1
      if (refusals > 1 || signal.aborted) throw error
      await timers.sleep(retryMilliseconds)
    }
  }
}

/** Whether what failed was refused, and would be again: the database responds, and lacks nothing that somebody can give it. */
export async function wasRefused(database: Database, error: unknown): Promise<boolean> {
  if (database.isFull(error)) return false
  return database.ping().then(
    () => true,
    () => false,
  )
}
