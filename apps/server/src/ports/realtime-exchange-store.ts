import type { RealtimeExchange, RealtimeLatency } from '@parley/contract'

/** How soon a session has answered so far. */
export interface SessionLatency extends Readonly<RealtimeLatency> {
  /** How many answers fell into each latency class, in their order. */
  readonly counts: readonly number[]
}

export type ExchangeRecord = Readonly<RealtimeExchange>

export interface SavedExchange {
  readonly sessionId: string
  readonly exchange: ExchangeRecord
  readonly latency: SessionLatency
  /** How many exchanges of a session are kept; those before are removed. */
  readonly kept: number
}

export interface RealtimeExchangeStore {
  /** Stores an exchange, or replaces it by what has become of it, together with what the session knows of its latency. */
  save(saved: SavedExchange): Promise<void>
  /** In the order they began. */
  ofSession(sessionId: string): Promise<readonly ExchangeRecord[]>
}
