import type { Connection } from '@parley/contract'

/** What a span says of its work: names as OpenTelemetry's conventions have them, `parley.` before our own. */
export type SpanAttributes = Readonly<
  Record<string, string | number | boolean | readonly string[] | undefined>
>

/** A span as others are told of it, and as it is kept to be gone on with: W3C's headers. */
export interface TraceHeaders {
  readonly traceparent?: string | undefined
  readonly tracestate?: string | undefined
}

export interface SpanStart {
  readonly name: string
  /** `server`: we were asked; `client`: we ask somebody else. */
  readonly kind: 'server' | 'client' | 'internal'
  readonly attributes: SpanAttributes
  /** What it is a part of; of nothing where that names none. Left out, of the span in whose work it begins. */
  readonly parent?: TraceHeaders | undefined
}

/** A piece of work, with its beginning and its end, in a trace. */
export interface Span {
  /** Whether there is anything to it. */
  readonly isOn: boolean
  /** Does work as a part of the span: spans that begin there are its children, and log lines name its trace. */
  run<Result>(work: () => Result): Result
  /** For a name that is known only once the work has begun. */
  rename(name: string): void
  set(attributes: SpanAttributes): void
  /** Ends it, once; with a sentence where the work failed. */
  end(failure?: string | null): void
}

/** Traces of what the service does, for those who look into several services at once. */
export interface Tracing {
  /** Whether anything is traced; where not, nobody need ask for it. */
  readonly isOn: boolean
  begin(start: SpanStart): Span
  /** Whether this is asked in the work of a span. */
  isWithinSpan(): boolean
  /** The span in whose work this is asked, as headers for others; none where there is none. */
  headers(): Readonly<Record<string, string>>
  /** Does work that only happens to be begun here, and belongs to no span. */
  apart<Result>(work: () => Result): Result
  /** Sends what is not sent yet, within a few seconds. */
  close(): Promise<void>
}

/** What the conventions for generative AI call those who offer models; our own names for those they do not know. */
export const providerNames: Readonly<Record<Connection['kind'], string>> = {
  openai: 'openai',
  'azure-openai': 'azure.ai.openai',
  'openai-compatible': 'openai-compatible',
  anthropic: 'anthropic',
  embedded: 'parley',
}
