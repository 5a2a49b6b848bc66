import { makeTimers } from '#server/adapters/system/timers.js'
import type { Timers } from '#server/ports/time.js'

export interface TestTimers extends Timers {
  /** Advances the time and fires due timers in order. */
  advance(milliseconds: number): void
  /** The number of pending timers. */
  readonly waiting: number
  /** Whether a pending timer fires after exactly this time. */
  firesIn(milliseconds: number): boolean
}

export function makeTestTimers(): TestTimers {
  let now = 0
  let nextId = 0
  const timers = new Map<number, { readonly at: number; readonly action: () => void }>()

  function nextDue(limit: number) {
    return [...timers.entries()]
      .filter(([, timer]) => timer.at <= limit)
      .sort(([oneId, one], [otherId, other]) => one.at - other.at || oneId - otherId)[0]
  }

  const passing = makeTimers({
    monotonic: () => now,
    after(milliseconds, action) {
      const id = nextId
      nextId += 1
      timers.set(id, { at: now + milliseconds, action })
      return () => void timers.delete(id)
    },
  })

  return {
    ...passing,
    advance(milliseconds) {
      const limit = now + milliseconds
      for (let due = nextDue(limit); due !== undefined; due = nextDue(limit)) {
        const [id, timer] = due
        timers.delete(id)
        now = Math.max(now, timer.at)
        timer.action()
      }
      now = limit
    },
    get waiting() {
      return timers.size
    },
    firesIn: (milliseconds) => [...timers.values()].some(({ at }) => at === now + milliseconds),
  }
}
