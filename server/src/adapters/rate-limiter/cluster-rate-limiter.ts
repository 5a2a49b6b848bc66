import { RateLimiterCluster, RateLimiterClusterMaster } from 'rate-limiter-flexible'
import type { RateLimiter } from '../../ports/rate-limiter.js'
import { giveBackTo, takeFrom, windowSeconds } from './take-from.js'

/** In the primary process: keeps the count for all of its workers. */
export function countForWorkers(): void {
  new RateLimiterClusterMaster()
}

/** In a worker: counts together with the others, in the primary process. */
export function makeWorkerLimiter(limitPerMinute: number): RateLimiter {
  const limiter = new RateLimiterCluster({
    keyPrefix: 'parley',
    points: limitPerMinute,
    duration: windowSeconds,
  })
  return {
    take: (caller) => takeFrom(limiter, caller),
    giveBack: (caller) => giveBackTo(limiter, caller),
    close: async () => undefined,
  }
}
