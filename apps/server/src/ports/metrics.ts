import type { RemovedKind } from './retention-store.js'

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
