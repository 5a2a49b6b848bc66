import { Redis } from 'ioredis'
import { inject } from 'vitest'

/**
 * Returns the URL of an empty logical database that no other caller uses. Only keys are separate: Redis
 * shares pub/sub channels between all its databases.
 */
export async function createRedisUrl(): Promise<string> {
  const url = new URL(inject('redisUrl'))
  const redis = new Redis(url.href, { lazyConnect: true, retryStrategy: () => null })
  await redis.connect()
  try {
    const [, databases] = await redis.config('GET', 'databases')
    // Database 0 holds the counter. If the server has few databases, the one unused for longest is handed out
    // again.
    const count = await redis.incr('parley-test:databases')
    const database = 1 + ((count - 1) % (Number(databases) - 1))
    await redis.select(database)
    await redis.flushdb()
    url.pathname = `/${database}`
    return url.href
  } finally {
    redis.disconnect()
  }
}
