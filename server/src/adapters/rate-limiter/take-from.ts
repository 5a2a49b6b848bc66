import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible'
import type { RateLimitVerdict } from '../../ports/rate-limiter.js'

export const windowSeconds = 60

/** Both limiters answer an exhausted caller by rejecting with the same figures. */
export async function takeFrom(limiter: RateLimiterAbstract, caller: string): Promise<RateLimitVerdict> {
  try {
    return verdict(limiter.points, await limiter.consume(caller), true)
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return verdict(limiter.points, refusal, false)
    throw refusal
  }
}

/** Counts one less. */
export async function giveBackTo(limiter: RateLimiterAbstract, caller: string): Promise<void> {
  await limiter.reward(caller)
}

function verdict(limit: number, figures: RateLimiterRes, isAllowed: boolean): RateLimitVerdict {
  const resetSeconds = Math.max(1, Math.ceil(figures.msBeforeNext / 1000))
  return { isAllowed, limit, remaining: Math.max(0, figures.remainingPoints), resetSeconds }
}
