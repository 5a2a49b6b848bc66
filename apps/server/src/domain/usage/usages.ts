import type { Usage, UsageItem, UsageQuery } from '@parley/contract'
import type { Clock } from '../../ports/time.js'
import type { UsageGroupSums, UsageSums } from '../../ports/usage-stores.js'
import type { CallerScope } from '../caller-scope.js'
import { invalidRequest } from '../domain-error.js'
import { addSums, toUsageFigures } from './cost.js'
import { noUsage } from './model-use.js'

const dayMilliseconds = 24 * 60 * 60 * 1000
const defaultDays = 30
/** The maximum number of groups in one response. */
const maxGroups = 10_000

export type Usages = ReturnType<typeof makeUsages>

interface UsagesDependencies {
  readonly clock: Clock
  /** How long individual records are stored. */
  readonly recordDays: number
}

export function makeUsages({ clock, recordDays }: UsagesDependencies) {
  return {
    async sum({ stores, caller }: CallerScope, query: UsageQuery): Promise<Usage> {
      const now = clock.now()
      const to = query.To === undefined ? now : new Date(query.To)
      const from =
        query.From === undefined
          ? new Date(to.getTime() - defaultDays * dayMilliseconds)
          : new Date(query.From)
      if (from >= to) throw invalidRequest([{ path: 'From', message: 'must be before To' }])
      const isByEndUser = query.EndUserId !== undefined || query.GroupBy.includes('endUser')
      const split = isByEndUser ? recordedTime : splitTime
      const { days, parts, used } = split({ from, to, now, recordDays })
      const groups = await stores.usageLedger.sum({
        organizationId: caller.organizationId,
        days,
        parts,
        groupBy: query.GroupBy,
        filter: {
          agentId: query.AgentId,
          apiKeyId: query.ApiKeyId,
          connectionId: query.ConnectionId,
          model: query.Model,
          channel: query.Channel,
          rehearsal: query.Rehearsal,
          endUserId: query.EndUserId,
        },
        limit: maxGroups + 1,
      })
      if (groups.length > maxGroups)
        throw invalidRequest([
          {
            path: 'GroupBy',
            message: `creates more than ${maxGroups} groups. Use fewer fields, or a shorter period`,
          },
        ])
      const ids = groups.flatMap(({ agentId, apiKeyId, connectionId }) => [agentId, apiKeyId, connectionId])
      const known = [...new Set(ids.filter((id) => typeof id === 'string'))]
      return {
        ...used,
        items: groups.map(itemOf),
        totals: toUsageFigures(groups.reduce<UsageSums>(addSums, noUsage)),
        names: Object.fromEntries(await stores.usageLedger.names(caller.organizationId, known)),
      }
    },
  }
}

function itemOf(sums: UsageGroupSums): UsageItem {
  const { day, agentId, apiKeyId, model, connectionId, channel, rehearsal, endUserId } = sums
  const group = { day, agentId, apiKeyId, model, connectionId, channel, rehearsal, endUserId }
  return { group, ...toUsageFigures(sums) }
}

interface Span {
  readonly from: string
  readonly to: string
}

interface AskedTime {
  readonly from: Date
  readonly to: Date
  readonly now: Date
  /** How long individual records are stored. */
  readonly recordDays: number
}

interface SplitTime {
  /** Whole days by date, from the first (inclusive) to the last (exclusive). */
  readonly days: Span
  readonly parts: readonly Span[]
  /** The period of the totals. It is longer than requested if the records of a partial day were removed. */
  readonly used: Span
}

/**
 * Splits a period into whole days and the partial days at both ends. A partial day counts as a whole day if
 * its records were removed or are about to be removed. Today also counts as a whole day if the period ends
 * now, because there are no records after that.
 */
export function splitTime({ from, to, now, recordDays }: AskedTime): SplitTime {
  const firstRecord = firstRecordAt({ now, recordDays })
  const start = from.getTime() < firstRecord ? dayOf(from) : from.getTime()
  const isToNow = to.getTime() >= now.getTime()
  const end = to.getTime() < firstRecord ? dayAfter(to) : to.getTime()
  const used = { from: moment(start), to: moment(end) }
  const firstDay = dayAfter(new Date(start))
  const lastDay = isToNow ? dayAfter(to) : dayOf(new Date(end))
  const name = (milliseconds: number) => moment(milliseconds).slice(0, 'yyyy-mm-dd'.length)
  // Both ends lie in the same partial day.
  if (firstDay > lastDay) return { days: { from: name(firstDay), to: name(firstDay) }, parts: [used], used }
  const span = (begin: number, over: number) =>
    begin < over ? [{ from: moment(begin), to: moment(over) }] : []
  return {
    days: { from: name(firstDay), to: name(lastDay) },
    parts: [...span(start, firstDay), ...(isToNow ? [] : span(lastDay, end))],
    used,
  }
}

/** Returns the part of a period whose records are stored. */
function recordedTime({ from, to, now, recordDays }: AskedTime): SplitTime {
  const start = Math.max(from.getTime(), firstRecordAt({ now, recordDays }))
  const used = { from: moment(start), to: moment(Math.max(start, to.getTime())) }
  return { days: { from: '', to: '' }, parts: [used], used }
}

const firstRecordAt = ({ now, recordDays }: Pick<AskedTime, 'now' | 'recordDays'>) =>
  now.getTime() - (recordDays - 1) * dayMilliseconds

const dayOf = (moment: Date) => Math.floor(moment.getTime() / dayMilliseconds) * dayMilliseconds
/**
 * The last day whose date has ten characters. PostgreSQL rejects the format of `toISOString` for later days.
 */
const lastNamedDay = Date.parse('9999-12-31T00:00:00.000Z')
const dayAfter = (moment: Date) =>
  Math.min(lastNamedDay, Math.ceil(moment.getTime() / dayMilliseconds) * dayMilliseconds)
const moment = (milliseconds: number) => new Date(milliseconds).toISOString()
