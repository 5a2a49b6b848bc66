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

/** The sessions of a bucket that ended for the same reason, or run, summed up. */
export interface SessionSums {
  /** Which bucket, counted from 0. */
  readonly bucket: number
  /** Null of those that run. */
  readonly endReason: EndReason | null
  readonly sessions: number
  readonly seconds: number
  readonly exchanges: number
  readonly usage: RealtimeUsage
}

/** How many answers of a bucket's sessions fell into a latency class. */
export interface LatencyCount {
  readonly bucket: number
  readonly latencyClass: number
  readonly answers: number
}

export interface RealtimeStatisticsStore {
  sums(request: StatisticsRequest): Promise<readonly SessionSums[]>
  latencies(request: StatisticsRequest): Promise<readonly LatencyCount[]>
}
