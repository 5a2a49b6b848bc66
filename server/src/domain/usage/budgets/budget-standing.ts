import type { Budget } from '@parley/contract'
import type { BudgetRecord } from '../../../ports/budget-store.js'
import type { Clock } from '../../../ports/clock.js'
import type { Stores } from '../../../ports/database.js'
import type { UsageCounter, UsageRecord } from '../../../ports/usage-ledger.js'
import { countedMoney, millionths, moneyText } from '../money.js'
import { currentStarts, periodOf, startOf } from './budget-period.js'

/** How a budget stands in a period: what was used, and what is left of it. */
export interface BudgetStanding extends Pick<Budget, 'state' | 'spent' | 'periodStartsAt' | 'resetsAt'> {
  readonly budget: BudgetRecord
}

export interface StandingChange {
  readonly before: BudgetStanding
  readonly after: BudgetStanding
}

type Used = Pick<UsageCounter, 'tokens' | 'unpricedTokens' | 'cost'>

const nothing: Used = { tokens: 0, unpricedTokens: 0, cost: '0' }

/** Whom a budget limits. */
const subjectOf = ({ organizationId, agentId, apiKeyId }: BudgetRecord): string =>
  agentId ?? apiKeyId ?? organizationId

/** How budgets of one organization stand now. */
export async function currentStandings(
  { clock }: { readonly clock: Clock },
  stores: Stores,
  budgets: readonly BudgetRecord[],
): Promise<readonly BudgetStanding[]> {
  const [first] = budgets
  if (first === undefined) return []
  const starts = currentStarts(clock.now())
  const counters = await stores.usageLedger.counters(first.organizationId, budgets.map(subjectOf), starts)
  return budgets.map((budget) => {
    const counter = counters.find((one) => isOf(budget, one))
    return standingOf(budget, starts[budget.period], counter ?? nothing)
  })
}

/** How budgets stood before a record was counted, and how they stand with it. */
export function standingsAround(
  budgets: readonly BudgetRecord[],
  counters: readonly UsageCounter[],
  record: UsageRecord,
): readonly StandingChange[] {
  return budgets.flatMap((budget) => {
    const counter = counters.find((one) => isOf(budget, one))
    if (counter === undefined) return []
    const startsOn = startOf(budget.period, record.at)
    const before = {
      tokens: counter.tokens - tokensOf(record),
      unpricedTokens: counter.unpricedTokens - record.unpricedTokens,
      cost: moneyText(countedMoney(counter.cost) - countedMoney(record.cost)),
    }
    return [{ before: standingOf(budget, startsOn, before), after: standingOf(budget, startsOn, counter) }]
  })
}

const isOf = (budget: BudgetRecord, { subjectId, period }: UsageCounter) =>
  subjectId === subjectOf(budget) && period === budget.period

const tokensOf = ({ textInput, textOutput, audioInput, audioOutput, imageInput }: UsageRecord) =>
  textInput + textOutput + audioInput + audioOutput + imageInput

function standingOf(budget: BudgetRecord, startsOn: string, used: Used): BudgetStanding {
  const { limit, period, warnAtPercent } = budget
  const [spent, most] =
    limit.amount === undefined
      ? [BigInt(used.tokens), BigInt(limit.tokens ?? 0)]
      : [countedMoney(used.cost), millionths(limit.amount) * 1_000_000n]
  const state = spent >= most ? 'exceeded' : spent * 100n >= most * BigInt(warnAtPercent) ? 'warning' : 'open'
  return {
    budget,
    state,
    spent: {
      amount: Number(used.cost),
      currency: 'USD',
      tokens: used.tokens,
      unpricedTokens: used.unpricedTokens,
      percent: most === 0n ? 100 : Number((spent * 10_000n) / most) / 100,
    },
    ...periodOf(period, startsOn),
  }
}
