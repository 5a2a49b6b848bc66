import { concealApiKeys } from '@parley/contract'
import type { App, Services } from '../services.js'

/** One line and one measurement a request. The path goes without its query: tokens travel there. */
export function registerRequestLog(app: App, services: Services): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown'
    const { statusCode: status, elapsedTime } = reply
    services.metrics.requestFinished({ method: request.method, route, status, seconds: elapsedTime / 1000 })
    const line = {
      method: request.method,
      path: loggedPath(request.originalUrl),
      status,
      milliseconds: Math.round(elapsedTime),
    }
    if (request.routeOptions.config.isUncounted) request.log.debug(line, 'request')
    else request.log.info(line, 'request')
    done()
  })
}

/** A path without its query, and without keys that somebody has put into it, however they are percent-encoded. */
function loggedPath(url: string): string {
  const [path = ''] = url.split('?', 1)
  if (!path.includes('%') && !path.includes('prl_')) return path
  const decoded = decodedPath(path)
  const concealed = concealApiKeys(decoded)
  return concealed === decoded ? path : concealed
}

/** How often somebody may have encoded a path. Without a bound, a long row of escapes of escapes takes long. */
const maxEncodings = 3

/** Only the characters that keys may be made of, so that an escape of something else cannot be in the way. */
function decodedPath(path: string): string {
  let decoded = path
  for (let count = 0; count < maxEncodings; count += 1)
    decoded = decoded.replaceAll(/%([2-7][\dA-Fa-f])/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
  return decoded
}
