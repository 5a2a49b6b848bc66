import type { Attributes, AttributeValue } from '@opentelemetry/api'
import { type ExportResult, ExportResultCode } from '@opentelemetry/core'
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'

export interface OtlpOptions {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMilliseconds: number
}

/**
 * Sends spans as OTLP in JSON. OpenTelemetry's own exporter would pull in the logs and metrics packages, 10
 * MB to replace these few lines. Spans that a collector rejects are not sent again.
 */
export function makeOtlpExporter({ url, headers, timeoutMilliseconds }: OtlpOptions): SpanExporter {
  const inProgress = new Set<Promise<void>>()

  async function send(spans: readonly ReadableSpan[]): Promise<void> {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ resourceSpans: spans.map(resourceSpan) }),
      signal: AbortSignal.timeout(timeoutMilliseconds),
    })
    await response.body?.cancel()
    if (!response.ok) throw new Error(`The collector answered with ${response.status}.`)
  }

  return {
    export(spans, done: (result: ExportResult) => void) {
      const sending: Promise<void> = send(spans)
        .then(
          () => done({ code: ExportResultCode.SUCCESS }),
          (error: Error) => done({ code: ExportResultCode.FAILED, error }),
        )
        .finally(() => inProgress.delete(sending))
      inProgress.add(sending)
    },
    async shutdown() {
      await Promise.all(inProgress)
    },
  }
}

function resourceSpan(span: ReadableSpan): object {
  const { resource, instrumentationScope } = span
  return {
    resource: { attributes: keyValues(resource.attributes) },
    scopeSpans: [
      {
        scope: { name: instrumentationScope.name, version: instrumentationScope.version },
        spans: [otlpSpan(span)],
      },
    ],
  }
}

function otlpSpan(span: ReadableSpan): object {
  const { traceId, spanId, traceState } = span.spanContext()
  return {
    traceId,
    spanId,
    traceState: traceState?.serialize(),
    parentSpanId: span.parentSpanContext?.spanId,
    name: span.name,
    // In OTLP, zero means "unspecified".
    kind: span.kind + 1,
    startTimeUnixNano: nanoseconds(span.startTime),
    endTimeUnixNano: nanoseconds(span.endTime),
    attributes: keyValues(span.attributes),
    droppedAttributesCount: span.droppedAttributesCount,
    status: span.status,
  }
}

/** Returns a string, because a number cannot represent nanoseconds exactly. */
function nanoseconds([seconds, rest]: ReadableSpan['startTime']): string {
  return String(BigInt(seconds) * 1_000_000_000n + BigInt(rest))
}

function keyValues(attributes: Attributes): object[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: anyValue(value) }],
  )
}

function anyValue(value: AttributeValue | null | undefined): object {
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } }
  switch (typeof value) {
    case 'number':
      return Number.isInteger(value) ? { intValue: value } : { doubleValue: value }
    case 'boolean':
      return { boolValue: value }
    default:
      return { stringValue: String(value) }
  }
}
