import type { Clock } from '../../ports/clock.js'
import type { Database } from '../../ports/database.js'

/** How long an upload may have been under way before it is taken for one that was cut off. */
const unfinishedMilliseconds = 60 * 60 * 1000

/** Removes files whose time is over, and what uploads that never ended left. */
export function removeOldFiles({ stores }: Database, clock: Clock): Promise<number> {
  const now = clock.now()
  const unfinishedBefore = new Date(now.getTime() - unfinishedMilliseconds)
  return stores.files.removeExpired(now.toISOString(), unfinishedBefore.toISOString())
}
