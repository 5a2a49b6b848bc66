import type { Usage, UsageItem, UsageQuery } from '@parley/contract'
import type { Clock } from '../../ports/clock.js'
import type { UsageGroupSums, UsageSums } from '../../ports/usage-ledger.js'
import type { CallerScope } from '../caller-scope.js'
import { invalidRequest } from '../domain-error.js'
import { addSums, figuresOf } from './cost-of.js'
import { noTokens } from './model-use.js'
import { splitTime } from './split-time.js'

const dayMilliseconds = 24 * 60 * 60 * 1000
const defaultDays = 30
/** More is not answered at once. */
const maxGroups = 10_000

export type Usages = ReturnType<typeof makeUsages>

export interface UsagesDependencies {
  readonly clock: Clock
  /** How long single records are kept. */
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
      const { days, parts, used } = splitTime({ from, to, now, recordDays })
      const groups = await stores.usageLedger.sum({
        organizationId: caller.organizationId,
        ...{ days, parts },
        groupBy: query.GroupBy,
        filter: {
          agentId: query.AgentId,
          apiKeyId: query.ApiKeyId,
          connectionId: query.ConnectionId,
          model: query.Model,
          channel: query.Channel,
          rehearsal: query.Rehearsal,
        },
        limit: maxGroups + 1,
      })
      if (groups.length > maxGroups)
        throw invalidRequest([
          {
            path: 'GroupBy',
            message: `makes more than ${maxGroups} groups; ask for fewer, or for less time`,
          },
        ])
      const ids = groups.flatMap(({ agentId, apiKeyId, connectionId }) => [agentId, apiKeyId, connectionId])
      const known = [...new Set(ids.filter((id) => typeof id === 'string'))]
      return {
        ...used,
        items: groups.map(itemOf),
        totals: figuresOf(groups.reduce<UsageSums>(addSums, noSums)),
        names: Object.fromEntries(await stores.usageLedger.names(caller.organizationId, known)),
      }
    },
  }
}

const noSums: UsageSums = {
  ...noTokens,
  ...{ sessions: 0, turns: 0, responses: 0, pricedResponses: 0, unknownResponses: 0, toolCalls: 0 },
  ...{ milliseconds: 0, audioMilliseconds: 0, unpricedTokens: 0, unpricedMilliseconds: 0 },
  cost: '0',
}

function itemOf(sums: UsageGroupSums): UsageItem {
  const { day, agentId, apiKeyId, model, connectionId, channel, rehearsal } = sums
  const group = { day, agentId, apiKeyId, model, connectionId, channel, rehearsal }
  return { group, ...figuresOf(sums) }
}
