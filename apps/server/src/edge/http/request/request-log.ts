import { concealApiKeys } from '@parley/contract'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Span } from '../../../ports/tracing.js'
import { type App, knownCallerOf, type Services, signedInOf } from '../services.js'

/**
 * Every request as a span, part of the caller's own trace where it names one. What machines ask all the time is none. The
 * path goes without its query, as it does in the log.
 */
export function registerRequestTrace(app: App, { tracing }: Services): void {
  if (!tracing.isOn) return
  const spans = new WeakMap<FastifyRequest, Span>()

  app.addHook('onRequest', (request, _reply, done) => {
    const { config, url: route } = request.routeOptions
    if (config.isUncounted) return done()
    const { traceparent, tracestate } = request.headers
    const span = tracing.begin({
      name: route === undefined ? request.method : `${request.method} ${route}`,
      kind: 'server',
      parent: { traceparent: textOf(traceparent), tracestate: textOf(tracestate) },
      attributes: {
        'http.request.method': request.method,
        'http.route': route,
        'url.path': loggedPath(request.originalUrl),
        'url.scheme': request.protocol,
        'parley.request.id': request.id,
      },
    })
    spans.set(request, span)
    span.run(done)
  })

  // What comes after a body that was read piece by piece is called by the socket, and has lost the span.
  app.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request)
    if (span === undefined) done()
    else span.run(done)
  })

  // Before the line of the log, which is to name the trace.
  app.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request)
    if (span === undefined) return done()
    const failure = reply.statusCode >= 500 ? String(reply.statusCode) : null
    span.set({ 'http.response.status_code': reply.statusCode, 'error.type': failure ?? undefined })
    span.end(failure)
    span.run(done)
  })
}

/** A header that came several times, as Node tells it, or not at all. */
function textOf(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

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
      ip: services.clientAddress(request.raw),
      ...callerFields(request),
    }
    if (request.routeOptions.config.isUncounted) request.log.debug(line, 'request')
    else request.log.info(line, 'request')
    done()
  })
}

/** Whose request it was, and which agent it was about: ids alone, since names are what customers chose. */
function callerFields(request: FastifyRequest): object {
  const agentId = agentIdOf(request.params)
  const agent = agentId === null ? {} : { agentId }
  const caller = knownCallerOf(request)
  if (caller !== null) {
    const { organizationId, actor } = caller
    return { organizationId, callerType: actor.type, callerId: actor.id, ...agent }
  }
  const found = signedInOf(request)
  return found === null ? agent : { callerType: 'person', callerId: found.person.id, ...agent }
}

/** Null if the route names no agent, or names it by something that is no id. */
function agentIdOf(params: unknown): string | null {
  if (typeof params !== 'object' || params === null || !('agentId' in params)) return null
  const parsed = z.uuid().safeParse(params.agentId)
  return parsed.success ? parsed.data : null
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
