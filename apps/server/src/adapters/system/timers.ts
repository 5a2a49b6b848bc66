import { performance } from 'node:perf_hooks'
import type { InTime, Timers } from '../../ports/time.js'

/** Adds `sleep` and `within` to a monotonic clock and its timers. */
export function makeTimers({ monotonic, after }: Pick<Timers, 'monotonic' | 'after'>): Timers {
  return {
    monotonic,
    after,
    sleep: (milliseconds) => new Promise((resolve) => void after(milliseconds, resolve)),
    async within<Value>(milliseconds: number, work: Promise<Value>): Promise<InTime<Value>> {
      let cancel = () => {}
      const late = new Promise<InTime<Value>>((resolve) => {
        cancel = after(milliseconds, () => resolve({ ok: false }))
      })
      try {
        return await Promise.race([work.then((value) => ({ ok: true, value }) as const), late])
      } finally {
        cancel()
      }
    },
  }
}

export const systemTimers: Timers = makeTimers({
  monotonic: () => performance.now(),
  after(milliseconds, action) {
    const timer = setTimeout(action, milliseconds)
    return () => clearTimeout(timer)
  },
})
