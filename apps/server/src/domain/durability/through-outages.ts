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
      const cause = await causeOf(database, error)
      // Once more, for it may have been away a moment ago.
      if (cause === 'refused') refusals += 1
      if (refusals > 1 || signal.aborted) throw error
      if (cause !== 'away') await timers.sleep(retryMilliseconds)
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

/** Why work failed: the database lacks what somebody can give it, is away, or is there and refuses this, as it would again. */
export async function causeOf(database: Database, error: unknown): Promise<'full' | 'away' | 'refused'> {
  if (database.isFull(error) || database.isBusy(error)) return 'full'
  return database.ping().then(
    () => 'refused',
    () => 'away',
  )
}
