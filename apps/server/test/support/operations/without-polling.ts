import { makeTimers, systemTimers } from '#server/adapters/system/timers.js'
import type { TestServiceOptions } from '../start-service.js'

/** The shortest interval at which a part of the service polls for changes of other instances. */
const shortestPollMilliseconds = 250
const dayMilliseconds = 86_400_000

/**
 * Options of an instance that never polls for changes of other instances. It learns of them only through signals.
 * Shorter timers fire as usual: they gather signals that arrive close together.
 */
export const withoutPolling = {
  pollMilliseconds: dayMilliseconds,
  timers: makeTimers({
    monotonic: systemTimers.monotonic,
    after: (milliseconds, action) =>
      milliseconds < shortestPollMilliseconds ? systemTimers.after(milliseconds, action) : () => undefined,
  }),
} satisfies TestServiceOptions
