import type { Budget } from '@parley/contract'
import type { Stores } from '../../../ports/database.js'
import type { Clock } from '../../../ports/time.js'
import type { BudgetRecord, ReservedUsage, UsageCounter } from '../../../ports/usage-stores.js'
import { DomainError } from '../../domain-error.js'
import { countedMoney, moneyText } from '../cost.js'
import {
  amountsOf,
  type BudgetStanding,
  currentStandings,
  maxConcurrentUses,
  spentOf,
  standingsOf,
  startsAt,
  subjectOf,
} from './budget-standing.js'

/** Work with its own reservation: a turn or a session. */
interface ReservingWork extends BudgetedWork {
  readonly sourceId: string
}

interface BudgetRefusal {
  readonly standing: BudgetStanding
  /** Null if the budget is used up. Otherwise, running work has reserved the rest of it. */
  readonly reserved: string | null
}

interface Estimate {
  readonly tokens: number
  readonly cost: string
}

/** The estimate for a response if the organization has no counted response in this month. */
const firstEstimate: Estimate = { tokens: 1000, cost: '0.01' }

/**
 * Reserves the estimate for one response in all budgets that limit the work, or returns the budget that is
 * too small. The reservation is released when the turn or session ends. A budget that is not used up and has
 * no reservations is always sufficient, because otherwise a budget below the estimate would admit nothing.
 * Must be called inside a transaction. Only a budget that is nearly used up is locked, until the end of the
 * transaction.
 */
export async function reserveBudget(
  { clock }: { readonly clock: Clock },
  stores: Stores,
  work: ReservingWork,
  source: 'new' | 'running',
): Promise<BudgetRefusal | null> {
  const { organizationId, ...who } = work
  const budgets = await stores.budgets.limiting(organizationId, who)
  if (budgets.length === 0) return null
  if (source === 'running' && (await stores.usageLedger.isReserved(work.sourceId, work.agentId))) {
    const { rooms } = await lookAt(clock, stores, budgets, work)
    const usedUp = rooms.find(({ standing }) => standing.state === 'exceeded')
    return usedUp === undefined ? null : { standing: usedUp.standing, reserved: null }
  }
  let found = await lookAt(clock, stores, budgets, work)
  const near = found.rooms.filter(({ left, size }) => left < size * maxConcurrentUses)
  if (near.length > 0) {
    // Concurrent reservations wait here, so that they see the committed ones.
    await stores.budgets.lock(near.map(({ standing }) => standing.budget.id))
    found = await lookAt(clock, stores, budgets, work)
  }
  const full = found.rooms.find(({ hasRoom }) => !hasRoom)
  if (full !== undefined) {
    const { standing } = full
    return { standing, reserved: standing.state === 'exceeded' ? null : reservedText(standing.budget) }
  }
  await stores.usageLedger.reserve({ ...work, ...found.estimate }, source)
  return null
}

/** Like `reserveBudget` for new work, but throws if a budget is not sufficient. */
export async function requireReservation(
  dependencies: { readonly clock: Clock },
  stores: Stores,
  work: ReservingWork,
  source: 'new' | 'running',
): Promise<void> {
  const refusal = await reserveBudget(dependencies, stores, work, source)
  if (refusal !== null) throw refusalError(refusal)
}

export function refusalError(refusal: BudgetRefusal): DomainError {
  const { budget, resetsAt } = refusal.standing
  const { id, name } = budget
  return new DomainError('BudgetExceeded', refusalText(refusal), { budget: { id, name, resetsAt } })
}

export const refusalText = ({ standing, reserved }: BudgetRefusal): string => reserved ?? usedUpText(standing)

const reservedText = ({ name }: Pick<Budget, 'name'>) =>
  `Running work has reserved the rest of the budget ${name}. Try again when it has ended, or raise the budget.`

interface Room {
  readonly standing: BudgetStanding
  /** The amount that is neither spent nor reserved, in the budget's unit. */
  readonly left: bigint
  /** The estimate, in the budget's unit. */
  readonly size: bigint
  readonly hasRoom: boolean
}

async function lookAt(
  clock: Clock,
  stores: Stores,
  budgets: readonly BudgetRecord[],
  { organizationId, agentId }: ReservingWork,
): Promise<{ readonly estimate: Estimate; readonly rooms: readonly Room[] }> {
  const starts = startsAt(clock.now())
  const subjects = budgets.map(subjectOf)
  const [counters, reservations] = await Promise.all([
    stores.usageLedger.counters(organizationId, [...subjects, agentId, organizationId], starts),
    stores.usageLedger.reserved(organizationId, subjects),
  ])
  const estimate = estimateOf(counters, [agentId, organizationId])
  const rooms = standingsOf(budgets, counters, starts).map((standing) =>
    roomOf(standing, reservations, estimate),
  )
  return { estimate, rooms }
}

function roomOf(standing: BudgetStanding, reservations: readonly ReservedUsage[], estimate: Estimate): Room {
  const { budget, state } = standing
  const ofSubject = reservations.find(({ subjectId }) => subjectId === subjectOf(budget))
  const { spent, most } = spentOf(standing)
  const reserved = ofSubject === undefined ? 0n : amountsOf(budget, ofSubject).spent
  const size = amountsOf(budget, estimate).spent
  const left = most - spent - reserved
  const isAlone = (ofSubject?.reservations ?? 0) === 0
  return { standing, left, size, hasRoom: state !== 'exceeded' && (isAlone || size <= left) }
}

/**
 * Returns the mean cost of a response in this month: that of the agent if there is one, otherwise that of the
 * organization.
 */
function estimateOf(counters: readonly UsageCounter[], subjectIds: readonly string[]): Estimate {
  for (const subject of subjectIds) {
    const month = counters.find(({ subjectId, period }) => subjectId === subject && period === 'month')
    if (month === undefined || month.responses === 0) continue
    const { tokens, cost, responses } = month
    const mean = (countedMoney(cost) + BigInt(responses) - 1n) / BigInt(responses)
    return { tokens: Math.ceil(tokens / responses), cost: moneyText(mean) }
  }
  return firstEstimate
}

/**
 * The origin of model usage: an agent, and the key that started it. The key is null if a person started it.
 */
interface BudgetedWork {
  readonly organizationId: string
  readonly agentId: string
  readonly apiKeyId: string | null
}

/**
 * Throws if a budget is used up. Makes no reservation, because turns and sessions make their own when they
 * begin.
 */
export async function requireBudget(
  dependencies: { readonly clock: Clock },
  stores: Stores,
  work: BudgetedWork,
): Promise<void> {
  const exceeded = await findUsedUp(dependencies, stores, work)
  if (exceeded === null) return
  const { budget, resetsAt } = exceeded
  const { id, name } = budget
  throw new DomainError('BudgetExceeded', usedUpText(exceeded), { budget: { id, name, resetsAt } })
}

/** Returns a used-up budget that limits the work, or null if there is none. */
async function findUsedUp(
  dependencies: { readonly clock: Clock },
  stores: Stores,
  { organizationId, ...who }: BudgetedWork,
): Promise<BudgetStanding | null> {
  const budgets = await stores.budgets.limiting(organizationId, who)
  const standings = await currentStandings(dependencies, stores, budgets)
  return standings.find(({ state }) => state === 'exceeded') ?? null
}

/** The error text for work that a budget blocks. */
export function usedUpText({ budget, resetsAt }: BudgetStanding): string {
  const { name, agentId, apiKeyId, period, limit } = budget
  const whose = agentId === null ? (apiKeyId === null ? 'the organization' : 'this key') : 'this agent'
  const most = limit.amount === undefined ? `${limit.tokens} tokens` : `${limit.amount} USD`
  return `The budget ${name} of ${whose} (${most} a ${period}) is used up until ${resetsAt}. Wait until then, or raise it.`
}
