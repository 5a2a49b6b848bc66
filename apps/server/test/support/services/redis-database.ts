import { Redis } from 'ioredis'
import { inject } from 'vitest'

/**
 * The URL of an empty logical database that no other caller has. Keys are apart, channels are not: Redis has
 * one space of pub/sub channels for all its databases.
 */
export async function createRedisUrl(): Promise<string> {
  const url = new URL(inject('redisUrl'))
  const redis = new Redis(url.href, { lazyConnect: true, retryStrategy: () => null })
  await redis.connect()
  try {
    const [, databases] = await redis.config('GET', 'databases')
    // Database 0 keeps the count. A server with few databases hands out the longest unused one again.
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
