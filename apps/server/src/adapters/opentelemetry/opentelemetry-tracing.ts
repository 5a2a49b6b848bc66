import {
  type Attributes,
  type Context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  type Span as OpenSpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { Log } from '../../ports/log.js'
import type { Span, SpanAttributes, TraceHeaders, Tracing } from '../../ports/tracing.js'
import { currentTrace, type TraceIds } from '../system/tracing.js'
import { makeOtlpExporter } from './otlp-exporter.js'

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const

/** The timeout of a request to the collector. A shutdown waits at most this long. */
const sendMilliseconds = 5000
/**
 * The maximum number of spans that wait to be sent. If the collector is unavailable for longer, further spans
 * are dropped.
 */
const maxWaiting = 4096
const sendEveryMilliseconds = 1000
const errorLogMilliseconds = 60_000

const propagator = new W3CTraceContextPropagator()

export interface TracingOptions {
  /** The address of the collector, without `/v1/traces`. */
  readonly endpoint: string
  /** Additional headers for the collector, usually a key. */
  readonly headers: Readonly<Record<string, string>>
  /** The operator's attributes of this deployment. They override those of the service. */
  readonly resource: Readonly<Record<string, string>>
  readonly version: string
  readonly instanceId: string
  readonly log: Log
}

/** OpenTelemetry's contexts of the active spans. */
const contexts = new WeakMap<TraceIds, Context>()

/** OpenTelemetry traces, sent to a collector over OTLP/HTTP as JSON. */
export function makeTracing({
  endpoint,
  headers,
  version,
  instanceId,
  log,
  ...options
}: TracingOptions): Tracing {
  const exporter = makeOtlpExporter({
    url: `${endpoint}/v1/traces`,
    headers,
    timeoutMilliseconds: sendMilliseconds,
  })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'parley',
      'service.version': version,
      'service.instance.id': instanceId,
      ...options.resource,
    }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        scheduledDelayMillis: sendEveryMilliseconds,
        maxQueueSize: maxWaiting,
        exportTimeoutMillis: sendMilliseconds,
      }),
    ],
  })
  const tracer = provider.getTracer('parley', version)
  logExportErrors(log)

  return {
    isRecording: true,
    begin({ name, kind, attributes, parent }) {
      const context = parent === undefined ? here() : contextOf(parent)
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes: mutable(attributes) }, context)
      return makeSpan(span, trace.setSpan(context, span))
    },
    isWithinSpan: () => (currentTrace.getStore() ?? null) !== null,
    headers: () => headersFrom(here()),
    apart: (work) => currentTrace.run(null, work),
    async close() {
      const late = new Promise<void>((resolve) => setTimeout(resolve, sendMilliseconds).unref())
      await Promise.race([provider.shutdown().catch(() => undefined), late])
    },
  }
}

function here(): Context {
  const current = currentTrace.getStore()
  return (current && contexts.get(current)) ?? ROOT_CONTEXT
}

function makeSpan(span: OpenSpan, context: Context): Span {
  const { traceId, spanId } = span.spanContext()
  const current: TraceIds = { traceId, spanId }
  contexts.set(current, context)
  return {
    isRecording: true,
    run: (work) => currentTrace.run(current, work),
    rename: (name) => void span.updateName(name),
    set: (attributes) => void span.setAttributes(mutable(attributes)),
    end(failure) {
      if (typeof failure === 'string') span.setStatus({ code: SpanStatusCode.ERROR, message: failure })
      span.end()
    },
  }
}

/** Ignores a parent that is not valid by W3C's standard. */
function contextOf(parent: TraceHeaders): Context {
  return propagator.extract(ROOT_CONTEXT, parent, defaultTextMapGetter)
}

function headersFrom(context: Context): Record<string, string> {
  const headers: Record<string, string> = {}
  propagator.inject(context, headers, defaultTextMapSetter)
  return headers
}

/** Removes undefined attributes and copies lists, because the package's types require mutable ones. */
function mutable(attributes: SpanAttributes): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === 'object' ? [...value] : value]],
    ),
  )
}

/** An unavailable collector must not stop the service, so it is only logged, once a minute. */
function logExportErrors(log: Log): void {
  let quietUntil = 0
  setGlobalErrorHandler((error) => {
    if (Date.now() < quietUntil) return
    quietUntil = Date.now() + errorLogMilliseconds
    const detail = error instanceof Error ? error.message : String(error)
    log.warn({ detail }, 'traces could not be sent to OTEL_EXPORTER_OTLP_ENDPOINT')
  })
}
