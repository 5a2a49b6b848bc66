import type { Timers } from '../../ports/timers.js'

/** Seconds since then, to a microsecond: a quick tool took some time, and 0 says that nothing ran. */
export function executionSeconds(timers: Timers, startedAt: number): number {
  return Math.round((timers.monotonic() - startedAt) * 1000) / 1_000_000
}
