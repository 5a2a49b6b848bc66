import { systemClock } from '../adapters/system/clock.js'
import { SharedClock } from '../adapters/system/shared-clock.js'
import { systemTimers } from '../adapters/system/timers.js'
import type { Config } from '../config/config.js'
import type { Clock } from '../ports/clock.js'
import type { Database } from '../ports/database.js'

export interface ComposedClock {
  readonly clock: Clock
  readonly compareClock: () => Promise<void>
}

/** The time that the service goes by: the database's where others go by it too, else this machine's, or one that is given. */
export async function composeClock(
  config: Config,
  database: Database,
  given: Clock | undefined,
): Promise<ComposedClock> {
  if (given !== undefined || config.database.kind === 'embedded')
    return { clock: given ?? systemClock, compareClock: async () => undefined }
  const clock = await SharedClock.start(database, systemTimers)
  return { clock, compareClock: () => clock.compare() }
}
