import { performance } from 'node:perf_hooks'

/** Measures elapsed time and waits. Tests advance it manually. */
export interface Timers {
  /** Milliseconds since an arbitrary moment. Never goes backwards. */
  monotonic(): number
  /** Calls `action` once after the delay. Returns a function that cancels it. */
  after(milliseconds: number, action: () => void): () => void
}

/** About 25 days. Node fires longer timers after 1 ms. */
const maxMilliseconds = 2 ** 31 - 1

export const systemTimers: Timers = {
  monotonic: () => performance.now(),
  after(milliseconds, action) {
    const timer = setTimeout(action, Math.min(milliseconds, maxMilliseconds))
    return () => clearTimeout(timer)
  },
}
