import { Redis } from 'ioredis'
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible'
import type { Log } from '../../ports/log.js'
import type { RateLimiter, RateLimits } from '../../ports/rate-limiter.js'
import { makeLimiters } from './limiters.js'

const commandTimeoutMilliseconds = 500

/** Counts across instances. While Redis is away each instance counts for itself: a limit must not become an outage. */
export function makeRedisLimiter(url: string, limits: RateLimits, log: Log): RateLimiter {
  const redis = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: commandTimeoutMilliseconds,
    retryStrategy: (attempt) => Math.min(attempt * 200, 5000),
  })
  const stopNoting = noteOutages(redis, log)
  redis.connect().catch(() => undefined)
  return makeLimiters(
    limits,
    (figures) =>
      new RateLimiterRedis({
        ...figures,
        storeClient: redis,
        insuranceLimiter: new RateLimiterMemory(figures),
      }),
    async () => {
      stopNoting()
      redis.disconnect()
    },
  )
}

/** One line when Redis goes and one when it comes back, however often the client tries in between. */
function noteOutages(redis: Redis, log: Log): () => void {
  let isAway = false
  const onError = (error: Error) => {
    if (!isAway)
      log.warn({ reason: error.message }, 'Redis is away; rate limits are counted in this process meanwhile')
    isAway = true
  }
  redis.on('error', onError)
  redis.on('ready', () => {
    if (isAway) log.info({}, 'Redis is back')
    isAway = false
  })
  return () => {
    redis.removeAllListeners('ready')
    redis.removeListener('error', onError)
    redis.on('error', () => undefined)
  }
}
