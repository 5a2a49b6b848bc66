import type { ConnectionKind } from '@parley/contract'

/** One run of a tool. The kind is one of a few words; a tool's name is its owner's and no label. */
export interface MeasuredToolCall {
  readonly kind: 'builtin' | 'http' | 'mcp' | 'subagent' | 'stub'
  /** `unknown`: the call was sent and nobody knows whether it had its effect. */
  readonly outcome: 'ok' | 'failed' | 'unknown'
  readonly seconds: number
}

/** One use of a model. */
export interface MeasuredModelUse {
  readonly channel: 'text' | 'realtime'
  readonly kind: ConnectionKind
  readonly inputTokens: number
  readonly outputTokens: number
  /** The part of the input that the provider had cached. */
  readonly cachedInputTokens: number
  /** In US dollars; 0 if the model has no price. */
  readonly cost: number
  readonly isPriced: boolean
}

/** Counts and measures the work of the service. */
export interface WorkMetrics {
  /** A run of a background job failed. */
  jobFailed(job: string): void
  toolCalled(call: MeasuredToolCall): void
  modelUsed(use: MeasuredModelUse): void
}
