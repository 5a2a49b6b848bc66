import type { Clock } from '#server/ports/time.js'

export interface TestClock extends Clock {
  /** Moves the time forward, or back if negative. */
  advance(milliseconds: number): void
}

export function makeTestClock(start = new Date('2030-01-01T00:00:00.000Z')): TestClock {
  let now = start.getTime()
  return {
    now: () => new Date(now),
    advance(milliseconds) {
      now += milliseconds
    },
  }
}
