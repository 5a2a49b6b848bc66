import { SharedClock, systemClock } from '../adapters/system/clock.js'
import { systemTimers } from '../adapters/system/timers.js'
import type { Config } from '../config/config.js'
import type { Database } from '../ports/database.js'
import type { Log } from '../ports/log.js'
import type { Metrics } from '../ports/metrics.js'
import type { Clock } from '../ports/time.js'

export interface ComposedClock {
  readonly clock: Clock
  readonly compareClock: () => Promise<void>
  /** Returns false after an unconfirmed jump. Until it is confirmed, no data may be removed by this clock. */
  readonly isClockTrusted: () => boolean
  /** Starts to report jumps. */
  watchClock(to: { readonly log: Log; readonly metrics: Pick<Metrics, 'clockJumped'> }): void
}

/**
 * This machine's clock, with the interface of a database clock. The embedded database uses the same clock.
 */
const thisMachine = { now: async () => systemClock.now().getTime() }

/**
 * Returns the clock of the service: the given one, or the database's if instances share it, or this
 * machine's.
 */
export async function composeClock(
  config: Config,
  database: Database,
  given: Clock | undefined,
): Promise<ComposedClock> {
  if (given !== undefined)
    return {
      clock: given,
      compareClock: async () => undefined,
      isClockTrusted: () => true,
      watchClock: () => undefined,
    }
  const source = config.database.kind === 'embedded' ? thisMachine : database
  const clock = await SharedClock.start(source, systemTimers)
  return {
    clock,
    compareClock: () => clock.compare(),
    isClockTrusted: () => clock.isTrusted(),
    watchClock: ({ log, metrics }) =>
      clock.onJump((seconds) => {
        metrics.clockJumped()
        const retention = clock.isTrusted()
          ? 'continues'
          : 'is paused until the clock is correct again, or for one day'
        log.error({ seconds }, `the clock has jumped, and the removal of old data ${retention}`)
      }),
  }
}
