import type { ConnectionKind, EndReason } from '@parley/contract'
import type { TurnEnd } from './conversation-stores.js'
import type { RemovedKind } from './installation-stores.js'

export interface FinishedRequest {
  readonly method: string
  /** The route's pattern, never the path itself: ids must not become label values. */
  readonly route: string
  readonly status: number
  readonly seconds: number
}

/** What is counted and measured, for operators. */
export interface Metrics {
  /** One HTTP request was answered. */
  requestFinished(request: FinishedRequest): void
  /** A request was refused because of its key. */
  keyRefused(reason: string): void
  /** A request was refused by the rate limit. */
  rateLimited(): void
  /** Audit records were sealed. */
  auditRecordsSealed(count: number): void
  /** So many rows went that had been kept for their time. */
  overdueRemoved(kind: RemovedKind, count: number): void
  /** The time has jumped by more than a minute. */
  clockJumped(): void
  /** Everything, in the Prometheus text format. */
  render(): Promise<{ readonly contentType: string; readonly text: string }>
}

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

/** What is measured of questions in text. */
export interface TurnMetrics {
  /** An answer began. */
  turnStarted(): void
  turnEnded(state: TurnEnd['state']): void
  /** From the start of a turn to the first words of its answer. */
  firstWords(seconds: number): void
}

/** Added to with every frame, so they are plain numbers, read only when somebody looks. */
export interface RelayCounters {
  clientFrames: number
  clientBytes: number
  providerFrames: number
  providerBytes: number
}

/** What is measured of realtime sessions. */
export interface RealtimeMetrics {
  readonly relayed: RelayCounters
  /** A session began. */
  sessionStarted(): void
  /** A session ended. */
  sessionEnded(reason: EndReason): void
  /** The provider took this long to connect. */
  providerConnected(seconds: number): void
  /** From the end of a turn of the user to the first audio of the answer. */
  firstAudio(seconds: number): void
}

/** What is counted of limits and of what is kept for a time. */
export interface LimitMetrics {
  /** Somebody was refused because their organization has reached this limit. Whose it is, no label says. */
  limitReached(limit: string): void
}

/** What is counted of webhooks. */
export interface WebhookMetrics {
  /** An attempt to deliver has ended. */
  webhookAttempted(outcome: 'delivered' | 'failed' | 'gone'): void
}
