import type { Redis } from 'ioredis'
import {
  type RateLimiterAbstract,
  RateLimiterCluster,
  RateLimiterClusterMaster,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible'
import type { RateLimiter, RateLimitSubject, RateLimits, RateLimitVerdict } from '../../ports/rate-limiter.js'

const windowSeconds = 60

/** The limit of a limiter and the prefix that separates its counters from others. */
export interface LimiterFigures {
  readonly points: number
  readonly duration: number
  readonly keyPrefix: string
}

/** Creates one limiter for each limit. */
function makeLimiters(
  limits: RateLimits,
  make: (figures: LimiterFigures) => RateLimiterAbstract,
): RateLimiter {
  const limiterOf = (subject: RateLimitSubject, keyPrefix: string) =>
    make({ points: limits[subject], duration: windowSeconds, keyPrefix })
  const callers = limiterOf('caller', 'parley:rate')
  const organizations = limiterOf('organization', 'parley:organization-rate')
  return {
    take: (caller) => takeFrom(callers, caller),
    takeForOrganization: (organizationId) => takeFrom(organizations, organizationId),
    async giveBack(caller) {
      await callers.reward(caller)
    },
  }
}

/** Both limiters reject with the same fields when a caller has reached the limit. */
async function takeFrom(limiter: RateLimiterAbstract, caller: string): Promise<RateLimitVerdict> {
  try {
    return verdict(limiter.points, await limiter.consume(caller), true)
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return verdict(limiter.points, refusal, false)
    throw refusal
  }
}

function verdict(limit: number, figures: RateLimiterRes, isAllowed: boolean): RateLimitVerdict {
  const resetSeconds = Math.max(1, Math.ceil(figures.msBeforeNext / 1000))
  return { isAllowed, limit, remaining: Math.max(0, figures.remainingPoints), resetSeconds }
}

/** Counts in this process. */
export function makeMemoryLimiter(limits: RateLimits): RateLimiter {
  return makeLimiters(limits, (figures) => new RateLimiterMemory(figures))
}

/**
 * Counts across instances. While Redis is unavailable, each instance counts separately, because a limit must
 * not become an outage.
 */
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

/** Called in the primary process. Counts for all workers. */
export function countForWorkers(): void {
  new RateLimiterClusterMaster()
}

/** Called in a worker. Counts in the primary process, together with the other workers. */
export function makeWorkerLimiter(limits: RateLimits): RateLimiter {
  return makeLimiters(limits, (figures) => new RateLimiterCluster(figures))
}
