import type { Clock } from '../../../ports/clock.js'
import type { Stores } from '../../../ports/database.js'
import { DomainError } from '../../domain-error.js'
import { type BudgetStanding, currentStandings } from './budget-standing.js'

/** Who is about to use models: an agent, begun with a key or by a person. */
export interface BudgetedWork {
  readonly organizationId: string
  readonly agentId: string
  readonly apiKeyId: string | null
}

/** Refuses work if a budget is used up. Reserves nothing: a turn or session does that when it begins. */
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

/** A budget that is used up and limits such work; null where there is none. */
async function findUsedUp(
  dependencies: { readonly clock: Clock },
  stores: Stores,
  { organizationId, ...who }: BudgetedWork,
): Promise<BudgetStanding | null> {
  const budgets = await stores.budgets.limiting(organizationId, who)
  const standings = await currentStandings(dependencies, stores, budgets)
  return standings.find(({ state }) => state === 'exceeded') ?? null
}

/** The error text for work that a budget stops. */
export function usedUpText({ budget, resetsAt }: BudgetStanding): string {
  const { name, agentId, apiKeyId, period, limit } = budget
  const whose = agentId === null ? (apiKeyId === null ? 'the organization' : 'this key') : 'this agent'
  const most = limit.amount === undefined ? `${limit.tokens} tokens` : `${limit.amount} USD`
  return `The budget ${name} of ${whose} (${most} a ${period}) is used up until ${resetsAt}. Wait until then, or raise it.`
}
