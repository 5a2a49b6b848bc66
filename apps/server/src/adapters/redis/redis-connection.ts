import { Redis } from 'ioredis'
import type { Log } from '../../ports/log.js'

const commandTimeoutMilliseconds = 500

/** The Redis connection of an instance. All parts of the service share it. */
export interface RedisConnection {
  readonly client: Redis
  /** Returns whether commands currently fail. */
  isUnavailable(): boolean
  close(): Promise<void>
}

/**
 * Connects and reconnects in the background. While Redis is unavailable, commands fail immediately and the
 * service continues.
 */
export function connectRedis(url: string, log: Log): RedisConnection {
  const client = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: commandTimeoutMilliseconds,
    retryStrategy: (attempt) => Math.min(attempt * 200, 5000),
  })
  const stopNoting = noteOutages(client, log)
  client.connect().catch(() => undefined)
  return {
    client,
    isUnavailable: () => client.status !== 'ready',
    async close() {
      stopNoting()
      client.disconnect()
    },
  }
}

/**
 * Logs one line when Redis becomes unavailable and one when it is available again, regardless of the number
 * of attempts.
 */
function noteOutages(redis: Redis, log: Log): () => void {
  let isUnavailable = false
  const { host, port } = redis.options
  const onError = (error: Error) => {
    if (!isUnavailable)
      log.warn(
        { reason: `${error.message}: nothing answers at ${host}:${port}. The address comes from REDIS_URL.` },
        'Redis is unavailable: this process counts rate limits separately and polls for changes of other instances',
      )
    isUnavailable = true
  }
  redis.on('error', onError)
  redis.on('ready', () => {
    if (isUnavailable) log.info({}, 'Redis is available again')
    isUnavailable = false
  })
  return () => {
    redis.removeAllListeners('ready')
    redis.removeListener('error', onError)
    redis.on('error', () => undefined)
  }
}

const pingTimeoutMilliseconds = 3000

/** Returns why this Redis does not respond, or null if it does. */
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
