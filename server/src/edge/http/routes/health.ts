import { DomainError } from '../../../domain/domain-error.js'
import type { App, Services } from '../services.js'

const readyTimeoutMilliseconds = 2000
const retryAfterSeconds = 5

/** For load balancers, supervisors and Prometheus. */
export function registerHealthRoutes(app: App, services: Services): void {
  const config = { isUncounted: true }

  app.get('/healthz', { config }, async () => ({ status: 'ok' }))

  app.get('/readyz', { config }, async () => {
    if (services.isDraining()) throw new DomainError('Unavailable', 'The service is shutting down.')
    await pingDatabase(services).catch((cause) => {
      throw new DomainError('Unavailable', 'The database does not answer.', { cause, retryAfterSeconds })
    })
    return { status: 'ready' }
  })

  app.get('/metrics', { config }, async (_request, reply) => {
    const { contentType, text } = await services.metrics.render()
    return reply.type(contentType).send(text)
  })
}

export const doesDatabaseAnswer = (services: Services): Promise<boolean> =>
  pingDatabase(services).then(
    () => true,
    () => false,
  )

async function pingDatabase({ database }: Services): Promise<void> {
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
