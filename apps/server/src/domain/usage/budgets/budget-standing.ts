import type { Budget } from '@parley/contract'
import type { Stores } from '../../../ports/database.js'
import type { Clock } from '../../../ports/time.js'
import type { BudgetRecord, BudgetThreshold, UsageCounter } from '../../../ports/usage-stores.js'
import { recordChange } from '../../audit/record-change.js'
import { systemCaller } from '../../caller-scope.js'
import { recordEvent } from '../../webhooks/webhooks.js'
import { countedMoney, millionths } from '../cost.js'

/** The used and the remaining amount of a budget in a period. */
export interface BudgetStanding extends Pick<Budget, 'state' | 'spent' | 'periodStartsAt' | 'resetsAt'> {
  readonly budget: BudgetRecord
}

type Used = Pick<UsageCounter, 'tokens' | 'unpricedTokens' | 'cost'>

const nothing: Used = { tokens: 0, unpricedTokens: 0, cost: '0' }

/** The agent or key that a budget limits. */
export const subjectOf = ({ organizationId, agentId, apiKeyId }: BudgetRecord): string =>
  agentId ?? apiKeyId ?? organizationId

/** Returns the current standings of budgets of one organization. */
export const currentStandings = (
  { clock }: { readonly clock: Clock },
  stores: Stores,
  budgets: readonly BudgetRecord[],
): Promise<readonly BudgetStanding[]> => standingsAt(stores, budgets, clock.now())

/** Returns the standings of budgets of one organization in the periods that contain the moment. */
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

/** Returns the standings of budgets for these counters. */
export function standingsOf(
  budgets: readonly BudgetRecord[],
  counters: readonly UsageCounter[],
  starts: ReturnType<typeof startsAt>,
): readonly BudgetStanding[] {
  return budgets.map((budget) => {
    const counter = counters.find((one) => isCounterOf(budget, one))
    return standingOf(budget, starts[budget.period], counter ?? nothing)
  })
}

const isCounterOf = (budget: BudgetRecord, { subjectId, period }: UsageCounter) =>
  subjectId === subjectOf(budget) && period === budget.period

/**
 * Returns the amount that counts towards a budget's limit, and the limit, both in tokens or in counted money.
 */
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

/** Returns the spent amount and the limit, in the budget's unit. */
export function spentOf({ budget, spent }: BudgetStanding): ReturnType<typeof amountsOf> {
  const { most } = amountsOf(budget, { tokens: 0, cost: '0' })
  const isMoney = budget.limit.amount !== undefined
  return { spent: isMoney ? millionths(spent.amount) * 1_000_000n : BigInt(spent.tokens), most }
}

/** The maximum number of concurrent transactions: 20 in each of 50 processes. */
export const maxConcurrentUses = 1000n

/**
 * Returns whether a budget is so close to its next threshold that the maximum number of concurrent uses of
 * this size could reach it. Only in that case, the uses are serialized. Otherwise, two transactions could
 * each conclude that the threshold is not reached yet, because they do not see each other's uncommitted uses.
 */
export function isNearThreshold(standing: BudgetStanding, size: bigint): boolean {
  const { budget, state } = standing
  if (state === 'exceeded') return false
  const { spent: used, most } = spentOf(standing)
  const threshold = state === 'open' ? (most * BigInt(budget.warnAtPercent)) / 100n : most
  return used + size * maxConcurrentUses >= threshold
}

type Period = Budget['period']

/** Returns the first day of the period that contains the moment, in UTC, such as `2026-11-01`. */
function startOf(period: Period, moment: string): string {
  const [year, month, day] = moment.slice(0, 'yyyy-mm-dd'.length).split('-')
  return `${year}-${month}-${period === 'month' ? '01' : day}`
}

/** Returns the starts of the periods that contain the moment. */
export function startsAt(date: Date): Readonly<Record<Period, string>> {
  const moment = date.toISOString()
  return { day: startOf('day', moment), month: startOf('month', moment) }
}

function periodOf(
  period: Period,
  startsOn: string,
): { readonly periodStartsAt: string; readonly resetsAt: string } {
  const start = new Date(`${startsOn}T00:00:00.000Z`)
  const end = new Date(start)
  if (period === 'day') end.setUTCDate(end.getUTCDate() + 1)
  else end.setUTCMonth(end.getUTCMonth() + 1)
  return { periodStartsAt: start.toISOString(), resetsAt: end.toISOString() }
}

interface BudgetCrossing {
  readonly kind: BudgetThreshold
  readonly standing: BudgetStanding
}

const linesOf = {
  open: [],
  warning: ['warning'],
  exceeded: ['warning', 'exceeded'],
} as const satisfies Record<BudgetStanding['state'], readonly BudgetThreshold[]>

/** The thresholds that a budget has reached. */
export const reachedThresholds = ({ state }: BudgetStanding): readonly BudgetThreshold[] => linesOf[state]

/** Records that a budget has reached a threshold in its period. Returns false if this was recorded before. */
export const recordThreshold = (
  stores: Stores,
  { budget, periodStartsAt }: BudgetStanding,
  threshold: BudgetThreshold,
): Promise<boolean> =>
  stores.budgets.noteCrossing(budget.id, threshold, periodStartsAt.slice(0, 'yyyy-mm-dd'.length))

/**
 * Records the thresholds that budgets have reached: a warning, a limit, or both at once. Each is recorded
 * once per period, even if several transactions detect it at the same time.
 */
export async function recordCrossings(
  dependencies: { readonly clock: Clock },
  stores: Stores,
  standings: readonly BudgetStanding[],
): Promise<void> {
  for (const standing of standings)
    for (const kind of reachedThresholds(standing))
      if (await recordThreshold(stores, standing, kind))
        await recordCrossing(dependencies, stores, { kind, standing })
}

/**
 * Called when a budget reaches its warning threshold or its limit, in the same transaction. All consequences
 * belong here.
 */
async function recordCrossing(
  { clock }: { readonly clock: Clock },
  stores: Stores,
  { kind, standing }: BudgetCrossing,
): Promise<void> {
  const { budget, ...current } = standing
  const { spent, resetsAt } = current
  const { id, organizationId, name, limit, period } = budget
  await recordChange(
    clock,
    { stores, caller: systemCaller(organizationId) },
    {
      action: `budget.${kind}`,
      type: 'Budget',
      id,
      details: { name, period, limit, spent, resetsAt },
    },
  )
  await recordEvent(stores, organizationId, { type: `usage.budget.${kind}`, data: { ...budget, ...current } })
}
