import type { EndReason, RealtimeUsage } from '@parley/contract'

/** Which sessions are summed up, and in which buckets. */
export interface StatisticsRequest {
  readonly organizationId: string
  readonly agentId: string | undefined
  /** Where buckets begin, in order, and where the last one ends. */
  readonly bounds: readonly string[]
  /** Until when sessions that run count. */
  readonly now: string
}

/** The sessions of a bucket, summed up. */
export interface SessionSums {
  /** Which bucket, counted from 0. */
  readonly bucket: number
  readonly sessions: number
  /** How many of them ended for which reason; those that run for none. */
  readonly ends: Readonly<Partial<Record<EndReason, number>>>
  readonly seconds: number
  readonly exchanges: number
  readonly usage: RealtimeUsage
  /** How many answers fell into each latency class, in their order. */
  readonly latencyCounts: readonly number[]
}

export interface RealtimeStatisticsStore {
  /** Of a bucket without sessions there is nothing. */
  sums(request: StatisticsRequest): Promise<readonly SessionSums[]>
}
