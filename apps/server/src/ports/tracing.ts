import type { Connection } from '@parley/contract'

/** The attributes of a span. Names follow OpenTelemetry's conventions. Our own names start with `parley.`. */
export type SpanAttributes = Readonly<
  Record<string, string | number | boolean | readonly string[] | undefined>
>

/** The W3C headers of a span, for other services and for storage. */
export interface TraceHeaders {
  readonly traceparent?: string | undefined
  readonly tracestate?: string | undefined
}

export interface SpanStart {
  readonly name: string
  /** `server`: an incoming request. `client`: an outgoing request. */
  readonly kind: 'server' | 'client' | 'internal'
  readonly attributes: SpanAttributes
  /** The parent span. An empty object means no parent. If absent, the parent is the active span. */
  readonly parent?: TraceHeaders | undefined
}

export interface Span {
  /** Whether the span is recorded. */
  readonly isRecording: boolean
  /** Runs `work` with the span active: new spans are its children, and log lines contain its trace id. */
  run<Result>(work: () => Result): Result
  /** For a name that is known only after the work has started. */
  rename(name: string): void
  set(attributes: SpanAttributes): void
  /** Ends the span. Must be called once, with a message if the work failed. */
  end(failure?: string | null): void
}

/** Distributed traces of the service's work. */
export interface Tracing {
  /** Whether tracing is enabled. If not, callers can skip it. */
  readonly isRecording: boolean
  begin(start: SpanStart): Span
  /** Returns whether a span is active. */
  isWithinSpan(): boolean
  /** Returns the headers of the active span for outgoing requests. Empty if there is none. */
  headers(): Readonly<Record<string, string>>
  /** Runs `work` without an active span, because it does not belong to the current one. */
  apart<Result>(work: () => Result): Result
  /** Sends pending spans, within a few seconds. */
  close(): Promise<void>
}

/** The provider names of the generative AI conventions, and our own names for other providers. */
export const providerNames: Readonly<Record<Connection['kind'], string>> = {
  openai: 'openai',
  'azure-openai': 'azure.ai.openai',
  'azure-voice-live': 'azure.ai.inference',
  xai: 'x_ai',
  qwen: 'alibaba_cloud.model_studio',
  google: 'gcp.gemini',
  'openai-compatible': 'openai-compatible',
  anthropic: 'anthropic',
  embedded: 'parley',
}
