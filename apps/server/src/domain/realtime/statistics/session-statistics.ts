import {
  endReasons,
  type RealtimeStatistics,
  type RealtimeStatisticsBucket,
  type RealtimeStatisticsQuery,
  type RealtimeUsage,
} from '@parley/contract'
import type { Clock } from '../../../ports/clock.js'
import type { SessionSums } from '../../../ports/realtime-statistics-store.js'
import type { CallerScope } from '../../caller-scope.js'
import { invalidRequest } from '../../domain-error.js'
import { addCount, percentileOf } from '../timeline/latency-classes.js'
import { bucketBounds } from './bucket-bounds.js'

const day = 24 * 60 * 60 * 1000
const defaultDays = 7
const maxDays = 92

/** Sums up the sessions that started in some time, by the hour or day in which they did. */
export async function readStatistics(
  { clock }: { readonly clock: Clock },
  { stores, caller }: CallerScope,
  { From, To, By: by, AgentId: agentId, TimeZone: timeZone }: RealtimeStatisticsQuery,
): Promise<RealtimeStatistics> {
  const now = clock.now()
  const to = To === undefined ? now : new Date(To)
  const from = From === undefined ? new Date(to.getTime() - defaultDays * day) : new Date(From)
  if (from >= to) throw invalidRequest([{ path: 'From', message: 'must lie before To' }])
  if (to.getTime() - from.getTime() > maxDays * day)
    throw invalidRequest([{ path: 'From', message: `must lie at most ${maxDays} days before To` }])
  const bounds = bucketBounds({ from, to, by, timeZone })
  const { organizationId } = caller
  const request = { organizationId, agentId, bounds, now: now.toISOString() }
  const sums = await stores.realtimeStatistics.sums(request)
  const sumsOf = new Map(sums.map((each) => [each.bucket, each]))
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    total: figuresOf(sums),
    buckets: bounds.slice(0, -1).map((start, index) => {
      const own = sumsOf.get(index)
      return { from: start, to: bounds[index + 1] ?? start, ...figuresOf(own === undefined ? [] : [own]) }
    }),
  }
}

function figuresOf(sums: readonly SessionSums[]): Omit<RealtimeStatisticsBucket, 'from' | 'to'> {
  const counts: number[] = []
  for (const { latencyCounts } of sums)
    for (const [latencyClass, count] of latencyCounts.entries()) addCount(counts, latencyClass, count)
  return {
    sessions: total(sums, ({ sessions }) => sessions),
    ends: endReasons.flatMap((reason) => {
      const sessions = total(sums, ({ ends }) => ends[reason] ?? 0)
      return sessions === 0 ? [] : [{ reason, sessions }]
    }),
    seconds: Math.round(total(sums, ({ seconds }) => seconds * 1000)) / 1000,
    usage: usageOf(sums),
    exchanges: total(sums, ({ exchanges }) => exchanges),
    firstAudioP50Ms: percentileOf(counts, 0.5),
    firstAudioP95Ms: percentileOf(counts, 0.95),
  }
}

function usageOf(sums: readonly SessionSums[]): RealtimeUsage {
  const of = (name: keyof RealtimeUsage) => wholeNumber(total(sums, ({ usage }) => usage[name]))
  return {
    responses: of('responses'),
    totalTokens: of('totalTokens'),
    inputTokens: of('inputTokens'),
    inputTextTokens: of('inputTextTokens'),
    inputAudioTokens: of('inputAudioTokens'),
    inputImageTokens: of('inputImageTokens'),
    cachedTokens: of('cachedTokens'),
    cachedTextTokens: of('cachedTextTokens'),
    cachedAudioTokens: of('cachedAudioTokens'),
    outputTokens: of('outputTokens'),
    outputTextTokens: of('outputTextTokens'),
    outputAudioTokens: of('outputAudioTokens'),
  }
}

/** A provider may have written fractions, or more than there are whole numbers for. */
const wholeNumber = (value: number) => Math.round(Math.min(Math.max(0, value), Number.MAX_SAFE_INTEGER))

function total<Row>(rows: readonly Row[], figure: (row: Row) => number): number {
  return rows.reduce((sum, row) => sum + figure(row), 0)
}
