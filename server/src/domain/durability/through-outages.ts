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
      if (await isDatabaseThere(database)) refusals += 1
      if (refusals > 1 || signal.aborted) throw error
      await timers.sleep(retryMilliseconds)
    }
  }
}

/** Whether the database responds: then what failed, failed for another reason. */
export function isDatabaseThere(database: Database): Promise<boolean> {
  return database.ping().then(
    () => true,
    () => false,
  )
}
