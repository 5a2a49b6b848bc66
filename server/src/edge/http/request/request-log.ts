import type { App, Services } from '../services.js'

/** One line and one measurement a request. The path goes without its query: tokens travel there. */
export function registerRequestLog(app: App, services: Services): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    const { statusCode: status, elapsedTime } = reply
    services.metrics.requestFinished({ method: request.method, route, status, seconds: elapsedTime / 1000 })
    const line = {
      method: request.method,
      path: request.originalUrl.split('?', 1)[0],
      status,
      milliseconds: Math.round(elapsedTime),
    }
    if (request.routeOptions.config.isUncounted) request.log.debug(line, 'request')
    else request.log.info(line, 'request')
  })
}
