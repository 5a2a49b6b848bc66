import { singleFlight } from '../../../concurrency/single-flight.js'
import { DomainError } from '../../../domain/domain-error.js'
import type { Database } from '../../../ports/database.js'
import type { App, Services } from '../services.js'

const readyTimeoutMilliseconds = 2000
const retryAfterSeconds = 5

/** Registers the endpoints for load balancers, supervisors and Prometheus. */
export function registerHealthRoutes(app: App, services: Services, pingDatabase: PingDatabase): void {
  const config = { isUncounted: true }

  app.get('/healthz', { config }, async () => ({ status: 'ok' }))

  app.get('/readyz', { config }, async () => {
    if (services.isDraining())
      throw new DomainError('Unavailable', 'The service is shutting down.', { retryAfterSeconds })
    await pingDatabase().catch((cause) => {
      throw new DomainError('Unavailable', 'The database does not respond.', { cause, retryAfterSeconds })
    })
    if (services.database.isDiskFull())
      throw new DomainError('Unavailable', 'The disk of the database is full, so nothing can be stored.', {
        retryAfterSeconds,
      })
    return { status: 'ready', ...redisStatus(services.isRedisUnavailable) }
  })

  app.get('/metrics', { config }, async (_request, reply) => {
    const { contentType, text } = await services.metrics.render()
    return reply.type(contentType).send(text)
  })
}

/** Returns the state of Redis for operators. The service is ready without it. */
function redisStatus(isUnavailable: Services['isRedisUnavailable']) {
  if (isUnavailable === null) return {}
  if (!isUnavailable()) return { redis: 'connected' }
  const detail =
    'Redis is unavailable. Each instance counts rate limits separately and polls for changes of others.'
  return { redis: 'away', detail }
}

/** Pings the database. Throws if it does not respond in time. */
export type PingDatabase = () => Promise<void>

/** Concurrent callers share one ping, because this endpoint requires no key and has no rate limit. */
export function makePing(database: Database): PingDatabase {
  const ping = singleFlight(() => pingInTime(database))
  return () => ping('database')
}

async function pingInTime(database: Database): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('timed out')), readyTimeoutMilliseconds)
  })
  try {
    await Promise.race([database.ping(), timeout])
  } finally {
    clearTimeout(timer)
  }
}
