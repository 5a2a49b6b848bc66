import { RateLimiterCluster, RateLimiterClusterMaster } from 'rate-limiter-flexible'
import type { RateLimiter, RateLimits } from '../../ports/rate-limiter.js'
import { makeLimiters } from './limiters.js'

/** In the primary process: keeps the count for all of its workers. */
export function countForWorkers(): void {
  new RateLimiterClusterMaster()
}

/** In a worker: counts together with the others, in the primary process. */
export function makeWorkerLimiter(limits: RateLimits): RateLimiter {
  return makeLimiters(limits, (figures) => new RateLimiterCluster(figures))
}
