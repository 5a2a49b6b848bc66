import type { FastifyRequest } from 'fastify'
import type { Span } from '../../../ports/tracing.js'
import type { App, Services } from '../services.js'
import { loggedPath } from './request-log.js'

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
