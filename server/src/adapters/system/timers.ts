import type { Timers } from '../../ports/timers.js'

export const systemTimers: Timers = {
  monotonic: () => performance.now(),
  after(milliseconds, action) {
    const timer = setTimeout(action, milliseconds)
    return () => clearTimeout(timer)
  },
}
