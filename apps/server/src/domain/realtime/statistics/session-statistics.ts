import {
  endReasons,
  type RealtimeStatistics,
  type RealtimeStatisticsBucket,
  type RealtimeStatisticsQuery,
  type RealtimeUsage,
} from '@parley/contract'
import type { SessionSums } from '../../../ports/realtime-stores.js'
import type { Clock } from '../../../ports/time.js'
import type { CallerScope } from '../../caller-scope.js'
import { invalidRequest } from '../../domain-error.js'
import { addCount, percentileOf } from '../timeline/latencies.js'

const hour = 60 * 60 * 1000
const day = 24 * hour
const defaultDays = 7
const maxDays = 92

/** Returns the totals of the sessions that started in the period, by hour or day. */
export async function readStatistics(
  { clock }: { readonly clock: Clock },
  { stores, caller }: CallerScope,
  { AgentId: agentId, ...query }: RealtimeStatisticsQuery,
): Promise<RealtimeStatistics> {
  const now = clock.now()
  const { from, to, bounds } = readPeriod(now, query)
  const { organizationId } = caller
  const request = { organizationId, agentId, bounds, now: now.toISOString() }
  const sums = await stores.realtimeStatistics.sums(request)
  const sumsByBucket = new Map(sums.map((each) => [each.bucket, each]))
  return {
    from,
    to,
    total: toFigures(sums),
    buckets: bounds.slice(0, -1).map((start, index) => {
      const own = sumsByBucket.get(index)
      return { from: start, to: bounds[index + 1] ?? start, ...toFigures(own === undefined ? [] : [own]) }
    }),
  }
}

export type PeriodQuery = Pick<RealtimeStatisticsQuery, 'From' | 'To' | 'By' | 'TimeZone'>

/** Returns the requested period and the bounds of its buckets. Throws if it is too long. */
export function readPeriod(now: Date, { From, To, By: by, TimeZone: timeZone }: PeriodQuery) {
  const to = To === undefined ? now : new Date(To)
  const from = From === undefined ? new Date(to.getTime() - defaultDays * day) : new Date(From)
  if (from >= to) throw invalidRequest([{ path: 'From', message: 'must be before To' }])
  if (to.getTime() - from.getTime() > maxDays * day)
    throw invalidRequest([{ path: 'From', message: `must be at most ${maxDays} days before To` }])
  const bounds = bucketBounds({ from, to, by, timeZone })
  return { from: from.toISOString(), to: to.toISOString(), bounds }
}

function toFigures(sums: readonly SessionSums[]): Omit<RealtimeStatisticsBucket, 'from' | 'to'> {
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

/** Values from providers may be fractions or exceed the safe integers. */
const wholeNumber = (value: number) => Math.round(Math.min(Math.max(0, value), Number.MAX_SAFE_INTEGER))

function total<Row>(rows: readonly Row[], figure: (row: Row) => number): number {
  return rows.reduce((sum, row) => sum + figure(row), 0)
}

interface BucketRequest {
  readonly from: Date
  readonly to: Date
  readonly by: 'hour' | 'day'
  readonly timeZone: string
}

/**
 * Returns the bounds of the buckets: the start of the period, every full hour or local midnight in it, and
 * its end. Days differ in length, and a day begins later than midnight if clocks go forward at midnight. The
 * bounds are computed here, because the database may know fewer time zones.
 */
export function bucketBounds({ from, to, by, timeZone }: BucketRequest): string[] {
  const offsetAt = offsetsOf(timeZone)
  const next = by === 'hour' ? nextHour : nextDay
  const bounds: number[] = []
  for (let at = from.getTime(); at < to.getTime(); at = next(at, offsetAt)) bounds.push(at)
  return [...bounds, to.getTime()].map((at) => new Date(at).toISOString())
}

/** Returns the offset of local time at a moment, in milliseconds. */
type OffsetAt = (at: number) => number

function nextHour(at: number, offsetAt: OffsetAt): number {
  const local = at + offsetAt(at)
  return at + hour - modulo(local, hour)
}

function nextDay(at: number, offsetAt: OffsetAt): number {
  const local = at + offsetAt(at)
  const midnight = local - modulo(local, day) + day
  const about = midnight - offsetAt(midnight)
  // Uses the offset before a clock change at midnight. If midnight is skipped, the day begins at the change.
  // If midnight occurs twice, the day begins at the first one.
  return midnight - offsetAt(about - 1)
}

/**
 * Returns a function that computes the offset once per day, because the computation is slow. On the few days
 * on which the offset changes, it computes the offset for every call.
 */
function offsetsOf(timeZone: string): OffsetAt {
  const measure = measureOffset(timeZone)
  const atMidnight = new Map<number, number>()
  const offsetOn = (date: number) => {
    const offset = atMidnight.get(date) ?? measure(date * day)
    atMidnight.set(date, offset)
    return offset
  }
  return (at) => {
    const date = Math.floor(at / day)
    const offset = offsetOn(date)
    return offset === offsetOn(date + 1) ? offset : measure(at)
  }
}

function measureOffset(timeZone: string): OffsetAt {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  return (at) => {
    const fields = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
    const field = (name: Intl.DateTimeFormatPartTypes) => fields.get(name) ?? 0
    const [year, month, date] = [field('year'), field('month') - 1, field('day')]
    const local = Date.UTC(year, month, date, field('hour'), field('minute'), field('second'))
    return local - (at - modulo(at, 1000))
  }
}

const modulo = (value: number, divisor: number) => ((value % divisor) + divisor) % divisor
