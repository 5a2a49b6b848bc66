import { RateLimiterMemory } from 'rate-limiter-flexible'
import type { RateLimiter } from '../../ports/rate-limiter.js'
import { takeFrom, windowSeconds } from './take-from.js'

/** Counts in this process. */
export function makeMemoryLimiter(limitPerMinute: number): RateLimiter {
  const limiter = new RateLimiterMemory({ points: limitPerMinute, duration: windowSeconds })
  return { take: (caller) => takeFrom(limiter, caller), close: async () => undefined }
}
