import { singleFlight } from '../../../concurrency/single-flight.js'
import { DomainError } from '../../../domain/domain-error.js'
import type { Database } from '../../../ports/database.js'
import type { App, Services } from '../services.js'

const readyTimeoutMilliseconds = 2000
const retryAfterSeconds = 5

/** For load balancers, supervisors and Prometheus. */
export function registerHealthRoutes(app: App, services: Services, pingDatabase: PingDatabase): void {
  const config = { isUncounted: true }

  app.get('/healthz', { config }, async () => ({ status: 'ok' }))

  app.get('/readyz', { config }, async () => {
    if (services.isDraining())
      throw new DomainError('Unavailable', 'The service is shutting down.', { retryAfterSeconds })
    await pingDatabase().catch((cause) => {
      throw new DomainError('Unavailable', 'The database does not answer.', { cause, retryAfterSeconds })
    })
    if (services.database.isDiskFull())
      throw new DomainError('Unavailable', 'The disk of the database is full: nothing can be stored.', {
        retryAfterSeconds,
      })
    return { status: 'ready', ...redisStatus(services.isRedisAway) }
  })

  app.get('/metrics', { config }, async (_request, reply) => {
    const { contentType, text } = await services.metrics.render()
    return reply.type(contentType).send(text)
  })
}

/** Without Redis the service is as ready as with it; whoever operates it wants to know all the same. */
function redisStatus(isAway: Services['isRedisAway']) {
  if (isAway === null) return {}
  if (!isAway()) return { redis: 'connected' }
  const detail =
    'Redis is away: rate limits are counted by each instance for itself, and changes of others are polled for.'
  return { redis: 'away', detail }
}

/** Rejects where the database does not answer in time. */
export type PingDatabase = () => Promise<void>

/** Whoever asks at once shares a ping: anybody may ask, without a key, and as often as they like. */
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
