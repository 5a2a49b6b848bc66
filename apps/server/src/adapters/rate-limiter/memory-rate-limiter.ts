import { RateLimiterMemory } from 'rate-limiter-flexible'
import type { RateLimiter, RateLimits } from '../../ports/rate-limiter.js'
import { makeLimiters } from './limiters.js'

/** Counts in this process. */
export function makeMemoryLimiter(limits: RateLimits): RateLimiter {
  return makeLimiters(limits, (figures) => new RateLimiterMemory(figures))
}
