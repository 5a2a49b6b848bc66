import { concealApiKeys } from '@parley/contract'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Span } from '../../../ports/tracing.js'
import { type App, knownCallerOf, type Services, signedInOf } from '../services.js'

/**
 * Traces every request as a span, within the caller's trace if it sends one. Frequent requests by machines
 * are not traced. As in the log, the path has no query.
 */
export function registerRequestTrace(app: App, { tracing }: Services): void {
  if (!tracing.isRecording) return
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

  // If the body was read as a stream, the socket calls the later hooks and the span is lost. It is restored
  // here.
  app.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request)
    if (span === undefined) done()
    else span.run(done)
  })

  // Runs before the log line, which contains the trace id.
  app.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request)
    if (span === undefined) return done()
    const failure = reply.statusCode >= 500 ? String(reply.statusCode) : null
    span.set({ 'http.response.status_code': reply.statusCode, 'error.type': failure ?? undefined })
    span.end(failure)
    span.run(done)
  })
}

/** Returns the header if it was sent exactly once. */
function textOf(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/**
 * Writes one log line and one measurement for each request. The path has no query, because queries contain
 * tokens.
 */
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

/**
 * Returns the caller and the agent of the request. They are logged by id, because customers choose the names.
 */
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

/** Returns null if the route has no agent or its id is invalid. */
function agentIdOf(params: unknown): string | null {
  if (typeof params !== 'object' || params === null || !('agentId' in params)) return null
  const parsed = z.uuid().safeParse(params.agentId)
  return parsed.success ? parsed.data : null
}

/** Returns the path without its query. Conceals API keys in it, even percent-encoded ones. */
function loggedPath(url: string): string {
  const [path = ''] = url.split('?', 1)
  if (!path.includes('%') && !path.includes('prl_')) return path
  const decoded = decodedPath(path)
  const concealed = concealApiKeys(decoded)
  return concealed === decoded ? path : concealed
}

/** How many levels of percent-encoding are decoded. Without a limit, nested escapes would take too long. */
const maxEncodings = 3

/** Decodes only characters that may be part of a key, so that other invalid escapes do not matter. */
function decodedPath(path: string): string {
  let decoded = path
  for (let count = 0; count < maxEncodings; count += 1)
    decoded = decoded.replaceAll(/%([2-7][\dA-Fa-f])/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
  return decoded
}
