import { RateLimiterMemory } from 'rate-limiter-flexible'
import type { RateLimiter } from '../../ports/rate-limiter.js'
import { giveBackTo, takeFrom, windowSeconds } from './take-from.js'

/** Counts in this process. */
export function makeMemoryLimiter(limitPerMinute: number): RateLimiter {
  const limiter = new RateLimiterMemory({ points: limitPerMinute, duration: windowSeconds })
  return {
    take: (caller) => takeFrom(limiter, caller),
    giveBack: (caller) => giveBackTo(limiter, caller),
    close: async () => undefined,
  }
}
