import type { ConnectionKind, EndReason } from '@parley/contract'
import type { TurnEnd } from './conversation-stores.js'
import type { RemovedKind } from './installation-stores.js'

export interface FinishedRequest {
  readonly method: string
  /** The route's pattern, never the path, because ids must not become label values. */
  readonly route: string
  readonly status: number
  readonly seconds: number
}

/** Counters and measurements for operators. */
export interface Metrics {
  requestFinished(request: FinishedRequest): void
  /** Called when a request was rejected because of its API key. */
  keyRefused(reason: string): void
  rateLimited(): void
  auditRecordsSealed(count: number): void
  overdueRemoved(kind: RemovedKind, count: number): void
  /** Called when the system clock jumped by more than a minute. */
  clockJumped(): void
  /** Returns all metrics in the Prometheus text format. */
  render(): Promise<{ readonly contentType: string; readonly text: string }>
}

/** One run of a tool. `kind` is a label, unlike the tool's name, because users choose names without limit. */
export interface MeasuredToolCall {
  readonly kind: 'builtin' | 'http' | 'mcp' | 'subagent' | 'stub'
  /** `unknown`: the call was sent, and it is unknown whether it took effect. */
  readonly outcome: 'ok' | 'failed' | 'unknown'
  readonly seconds: number
}

export interface MeasuredModelUse {
  readonly channel: 'text' | 'realtime'
  readonly kind: ConnectionKind
  readonly inputTokens: number
  readonly outputTokens: number
  /** The part of the input that the provider read from its cache. */
  readonly cachedInputTokens: number
  /** In US dollars. 0 if the model has no price. */
  readonly cost: number
  readonly isPriced: boolean
}

export interface WorkMetrics {
  jobFailed(job: string): void
  toolCalled(call: MeasuredToolCall): void
  modelUsed(use: MeasuredModelUse): void
}

export interface TurnMetrics {
  /** Called when an answer starts. */
  turnStarted(): void
  turnEnded(state: TurnEnd['state']): void
  /** Called with the time from the start of a turn to the first words of its answer. */
  firstWords(seconds: number): void
}

/**
 * The counters are plain numbers, because they are incremented for every frame. Metrics read them only when
 * they are rendered.
 */
export interface RelayCounters {
  clientFrames: number
  clientBytes: number
  providerFrames: number
  providerBytes: number
}

export interface RealtimeMetrics {
  readonly relayed: RelayCounters
  sessionStarted(): void
  sessionEnded(reason: EndReason): void
  /** Called with the time that the provider took to connect. */
  providerConnected(seconds: number): void
  /** Called with the time from the end of a user's turn to the first audio of the answer. */
  firstAudio(seconds: number): void
}

/** Counters for limits. */
export interface LimitMetrics {
  /**
   * Called when a request was rejected because its organization has reached this limit. Labels do not name
   * the organization.
   */
  limitReached(limit: string): void
}

export interface WebhookMetrics {
  webhookAttempted(outcome: 'delivered' | 'failed' | 'gone'): void
}
