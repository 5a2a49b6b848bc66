import cluster from 'node:cluster'
import type { Registry } from 'prom-client'
import { makePostgresChangeSignals } from '../adapters/database/postgres-change-signals.js'
import { makeMemoryLimiter, makeWorkerLimiter } from '../adapters/rate-limiter/limiters.js'
import { measureRedis } from '../adapters/system/prometheus-metrics.js'
import type { Config } from '../config/config.js'
import { type ChangeSignals, noChangeSignals } from '../ports/changes.js'
import type { Log } from '../ports/log.js'
import type { RateLimiter } from '../ports/rate-limiter.js'

/** The parts that instances share through Redis, with replacements if Redis is not configured. */
export interface SharedByInstances {
  readonly rateLimiter: RateLimiter
  readonly signals: ChangeSignals
  /** Null if Redis is not configured. */
  readonly isRedisUnavailable: (() => boolean) | null
  close(): Promise<void>
}

export async function composeRedis(
  { redisUrl, rateLimitPerMinute, organization, database }: Config,
  {
    log,
    instanceId,
    registry,
  }: { readonly log: Log; readonly instanceId: string; readonly registry: Registry },
): Promise<SharedByInstances> {
  const limits = { caller: rateLimitPerMinute, organization: organization.requestsPerMinute }
  if (redisUrl === null) {
    // The embedded database has one process, so there are no other instances to signal to.
    const signals =
      database.kind === 'postgres'
        ? makePostgresChangeSignals({ url: database.url, log, instanceId })
        : noChangeSignals
    return {
      rateLimiter: cluster.isWorker ? makeWorkerLimiter(limits) : makeMemoryLimiter(limits),
      signals,
      isRedisUnavailable: null,
      close: () => signals.close(),
    }
  }
  const [{ connectRedis }, { makeRedisChangeSignals }, { makeRedisLimiter }] = await Promise.all([
    import('../adapters/redis/redis-connection.js'),
    import('../adapters/redis/redis-change-signals.js'),
    import('../adapters/rate-limiter/limiters.js'),
  ])
  const redis = connectRedis(redisUrl, log)
  const signals = makeRedisChangeSignals({ redis: redis.client, log, instanceId })
  measureRedis(registry, redis.isUnavailable)
  return {
    rateLimiter: makeRedisLimiter(redis.client, limits),
    signals,
    isRedisUnavailable: redis.isUnavailable,
    async close() {
      await signals.close()
      await redis.close()
    },
  }
}
