import { Redis } from 'ioredis'
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible'
import type { Log } from '../../ports/log.js'
import type { RateLimiter } from '../../ports/rate-limiter.js'
import { giveBackTo, takeFrom, windowSeconds } from './take-from.js'

const commandTimeoutMilliseconds = 500

/** Counts across instances. While Redis is away each instance counts for itself: a limit must not become an outage. */
export function makeRedisLimiter(url: string, limitPerMinute: number, log: Log): RateLimiter {
  const redis = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: commandTimeoutMilliseconds,
    retryStrategy: (attempt) => Math.min(attempt * 200, 5000),
  })
  const stopNoting = noteOutages(redis, log)
  redis.connect().catch(() => undefined)
  const figures = { points: limitPerMinute, duration: windowSeconds }
  const limiter = new RateLimiterRedis({
    ...figures,
    storeClient: redis,
    keyPrefix: 'parley:rate',
    insuranceLimiter: new RateLimiterMemory(figures),
  })
  return {
    take: (caller) => takeFrom(limiter, caller),
    giveBack: (caller) => giveBackTo(limiter, caller),
    async close() {
      stopNoting()
      redis.disconnect()
    },
  }
}

const pingTimeoutMilliseconds = 3000

/** Why this Redis does not answer, or null where it does. */
export async function pingRedis(url: string): Promise<string | null> {
  let reason: string | null = null
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: pingTimeoutMilliseconds,
    commandTimeout: pingTimeoutMilliseconds,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  })
  redis.on('error', (error: Error) => {
    reason = error.message
  })
  try {
    await redis.connect()
    await redis.ping()
    return null
  } catch (error) {
    return reason ?? (error instanceof Error ? error.message : String(error))
  } finally {
    redis.disconnect()
  }
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
