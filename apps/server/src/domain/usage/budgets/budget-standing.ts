import type { Budget } from '@parley/contract'
import type { BudgetRecord } from '../../../ports/budget-store.js'
import type { Clock } from '../../../ports/clock.js'
import type { Stores } from '../../../ports/database.js'
import type { UsageCounter } from '../../../ports/usage-ledger.js'
import { countedMoney, millionths } from '../money.js'
import { periodOf, startsAt } from './budget-period.js'

/** How a budget stands in a period: what was used, and what is left of it. */
export interface BudgetStanding extends Pick<Budget, 'state' | 'spent' | 'periodStartsAt' | 'resetsAt'> {
  readonly budget: BudgetRecord
}

type Used = Pick<UsageCounter, 'tokens' | 'unpricedTokens' | 'cost'>

const nothing: Used = { tokens: 0, unpricedTokens: 0, cost: '0' }

/** Whom a budget limits. */
export const subjectOf = ({ organizationId, agentId, apiKeyId }: BudgetRecord): string =>
  agentId ?? apiKeyId ?? organizationId

/** How budgets of one organization stand now. */
export const currentStandings = (
  { clock }: { readonly clock: Clock },
  stores: Stores,
  budgets: readonly BudgetRecord[],
): Promise<readonly BudgetStanding[]> => standingsAt(stores, budgets, clock.now())

/** How budgets of one organization stand in the periods that hold the moment. */
export async function standingsAt(
  stores: Stores,
  budgets: readonly BudgetRecord[],
  moment: Date,
): Promise<readonly BudgetStanding[]> {
  const [first] = budgets
  if (first === undefined) return []
  const starts = startsAt(moment)
  const counters = await stores.usageLedger.counters(first.organizationId, budgets.map(subjectOf), starts)
  return standingsOf(budgets, counters, starts)
}

/** How budgets stand with these counters. */
export function standingsOf(
  budgets: readonly BudgetRecord[],
  counters: readonly UsageCounter[],
  starts: ReturnType<typeof startsAt>,
): readonly BudgetStanding[] {
  return budgets.map((budget) => {
    const counter = counters.find((one) => isOf(budget, one))
    return standingOf(budget, starts[budget.period], counter ?? nothing)
  })
}

const isOf = (budget: BudgetRecord, { subjectId, period }: UsageCounter) =>
  subjectId === subjectOf(budget) && period === budget.period

/** What counts towards a budget's limit, and the limit, in the same unit: tokens, or money as it is counted. */
export function amountsOf(
  { limit }: BudgetRecord,
  used: Pick<Used, 'tokens' | 'cost'>,
): { readonly spent: bigint; readonly most: bigint } {
  return limit.amount === undefined
    ? { spent: BigInt(used.tokens), most: BigInt(limit.tokens ?? 0) }
    : { spent: countedMoney(used.cost), most: millionths(limit.amount) * 1_000_000n }
}

function standingOf(budget: BudgetRecord, startsOn: string, used: Used): BudgetStanding {
  const { period, warnAtPercent } = budget
  const { spent, most } = amountsOf(budget, used)
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

/** What has been spent of a budget, and its limit, in the budget's unit. */
export function spentOf({ budget, spent }: BudgetStanding): ReturnType<typeof amountsOf> {
  const { most } = amountsOf(budget, { tokens: 0, cost: '0' })
  const isMoney = budget.limit.amount !== undefined
  return { spent: isMoney ? millionths(spent.amount) * 1_000_000n : BigInt(spent.tokens), most }
}

/** More transactions than that are never under way at once: 20 of each process, of 50 processes. */
export const mostAtOnce = 1000n

/**
 * Whether a budget is so near its next line that uses of this size, as many as can be under way at once, could reach it.
 * Only then must its uses wait for one another. Transactions do not see the use that others have not committed, so each
 * of two could otherwise believe that the line is not reached yet.
 */
export function isNearLine(standing: BudgetStanding, size: bigint): boolean {
  const { budget, state } = standing
  if (state === 'exceeded') return false
  const { spent: used, most } = spentOf(standing)
  const line = state === 'open' ? (most * BigInt(budget.warnAtPercent)) / 100n : most
  return used + size * mostAtOnce >= line
}
