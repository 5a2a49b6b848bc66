import {
  type PhoneCallStatistics,
  type PhoneCallStatisticsBucket,
  type PhoneCallStatisticsQuery,
  phoneCallEndReasons,
} from '@parley/contract'
import type { PhoneCallSums } from '../../ports/phone-stores.js'
import type { Clock } from '../../ports/time.js'
import type { CallerScope } from '../caller-scope.js'
import { readPeriod } from '../realtime/statistics/session-statistics.js'

/** Returns the totals of the calls that were created in the period, by hour or day. */
export async function readCallStatistics(
  { clock }: { readonly clock: Clock },
  { stores, caller }: CallerScope,
  query: PhoneCallStatisticsQuery,
): Promise<PhoneCallStatistics> {
  const { from, to, bounds } = readPeriod(clock.now(), query)
  const sums = await stores.phoneCalls.sums(caller.organizationId, bounds, {
    agentId: query.AgentId,
    phoneNumberId: query.PhoneNumberId,
    phoneConnectionId: query.PhoneConnectionId,
    direction: query.Direction,
  })
  return {
    from,
    to,
    total: toFigures(sums),
    buckets: bounds.slice(0, -1).map((start, index) => ({
      from: start,
      to: bounds[index + 1] ?? start,
      ...toFigures(sums.filter(({ bucket }) => bucket === index)),
    })),
  }
}

const directions = ['incoming', 'outgoing'] as const
const reasons = Object.keys(phoneCallEndReasons) as (keyof typeof phoneCallEndReasons)[]

function toFigures(sums: readonly PhoneCallSums[]): Omit<PhoneCallStatisticsBucket, 'from' | 'to'> {
  const countOf = (rows: readonly PhoneCallSums[]) => rows.reduce((count, { calls }) => count + calls, 0)
  const total = (figure: (row: PhoneCallSums) => number) => sums.reduce((sum, row) => sum + figure(row), 0)
  const inDirection = (wanted: PhoneCallSums['direction']) =>
    countOf(sums.filter(({ direction }) => direction === wanted))
  const answered = total((row) => row.answered)
  // Calls that ring may still be answered.
  const decided = total(({ endReason, calls, ...row }) => (endReason === null ? row.answered : calls))
  const timed = total((row) => (row.endReason === null ? 0 : row.answered))
  const seconds = total((row) => row.seconds)
  return {
    calls: countOf(sums),
    incoming: inDirection('incoming'),
    outgoing: inDirection('outgoing'),
    answered,
    answeredShare: decided === 0 ? null : Math.round((answered / decided) * 10_000) / 10_000,
    ends: directions.flatMap((direction) =>
      reasons.flatMap((reason) => {
        const rows = sums.filter((row) => row.direction === direction && row.endReason === reason)
        return rows.length === 0 ? [] : [{ direction, reason, calls: countOf(rows) }]
      }),
    ),
    seconds: roundToMilliseconds(seconds),
    averageSeconds: timed === 0 ? null : roundToMilliseconds(seconds / timed),
  }
}

const roundToMilliseconds = (seconds: number) => Math.round(seconds * 1000) / 1000
