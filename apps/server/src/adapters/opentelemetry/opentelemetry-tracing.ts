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

/** How long a shutdown waits for a collector, and a collector may take for what it is sent. */
const sendMilliseconds = 5000
/** What waits to be sent; what comes beyond that, while the collector is away, is dropped. */
const maxWaiting = 4096
const sendEveryMilliseconds = 1000
const complaintMilliseconds = 60_000

const propagator = new W3CTraceContextPropagator()

export interface TracingOptions {
  /** Where the collector is; `/v1/traces` is added. */
  readonly endpoint: string
  /** What it wants to be sent besides: a key, as a rule. */
  readonly headers: Readonly<Record<string, string>>
  /** What the operator says of this deployment; it goes before what the service says of itself. */
  readonly resource: Readonly<Record<string, string>>
  readonly version: string
  readonly instanceId: string
  readonly log: Log
}

/** What OpenTelemetry keeps of the spans in whose work somebody may be. */
const contexts = new WeakMap<TraceIds, Context>()

/** Traces as OpenTelemetry has them, sent to a collector over OTLP/HTTP as JSON. */
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
  complainTo(log)

  return {
    isOn: true,
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
    isOn: true,
    run: (work) => currentTrace.run(current, work),
    rename: (name) => void span.updateName(name),
    set: (attributes) => void span.setAttributes(mutable(attributes)),
    end(failure) {
      if (typeof failure === 'string') span.setStatus({ code: SpanStatusCode.ERROR, message: failure })
      span.end()
    },
  }
}

/** A parent that is not of W3C's form is none. */
function contextOf(parent: TraceHeaders): Context {
  return propagator.extract(ROOT_CONTEXT, parent, defaultTextMapGetter)
}

function headersFrom(context: Context): Record<string, string> {
  const headers: Record<string, string> = {}
  propagator.inject(context, headers, defaultTextMapSetter)
  return headers
}

/** Those that have a value; the package's types want lists that could be changed. */
function mutable(attributes: SpanAttributes): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === 'object' ? [...value] : value]],
    ),
  )
}

/** A collector that is away is no reason to stop, and worth a line a minute. */
function complainTo(log: Log): void {
  let quietUntil = 0
  setGlobalErrorHandler((error) => {
    if (Date.now() < quietUntil) return
    quietUntil = Date.now() + complaintMilliseconds
    const detail = error instanceof Error ? error.message : String(error)
    log.warn({ detail }, 'traces could not be sent to OTEL_EXPORTER_OTLP_ENDPOINT')
  })
}
