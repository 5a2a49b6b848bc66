import type { Redis } from 'ioredis'
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible'
import type { RateLimiter, RateLimits } from '../../ports/rate-limiter.js'
import { makeLimiters } from './limiters.js'

/** Counts across instances. While Redis is away each instance counts for itself: a limit must not become an outage. */
export function makeRedisLimiter(redis: Redis, limits: RateLimits): RateLimiter {
  return makeLimiters(
    limits,
    (figures) =>
      new RateLimiterRedis({
        ...figures,
        storeClient: redis,
        insuranceLimiter: new RateLimiterMemory(figures),
      }),
  )
}
