import { and, asc, eq, isNull, or } from 'drizzle-orm'
import type { BudgetFilter, BudgetRecord, BudgetStore } from '../../ports/budget-store.js'
import type { Handle } from './handle.js'
import { budget } from './ledger-schema.js'
import { given, keep } from './queries/keep.js'
import { resourceStore, upsertStore } from './resource-table.js'

/** Asked before every turn and session, and at every use of a model. */
const findLimiting = keep((board) =>
  board
    .select()
    .from(budget)
    .where(
      and(
        eq(budget.organizationId, given('organizationId')),
        or(
          and(isNull(budget.agentId), isNull(budget.apiKeyId)),
          eq(budget.agentId, given('agentId')),
          // Of a person's, who has no key, none is the same.
          eq(budget.apiKeyId, given('apiKeyId')),
        ),
      ),
    )
    .orderBy(asc(budget.id))
    .prepare('budget_limiting'),
)

export function makeBudgetStore(handle: Handle): BudgetStore {
  return {
    ...resourceStore<BudgetRecord, BudgetFilter>(handle, budget, {
      matching: ({ agentId, apiKeyId }) => [
        agentId === undefined ? undefined : eq(budget.agentId, agentId),
        apiKeyId === undefined ? undefined : eq(budget.apiKeyId, apiKeyId),
      ],
    }),
    ...upsertStore<BudgetRecord>(handle, budget),

    limiting: (organizationId, subjects) => findLimiting(handle, { organizationId, ...subjects }),
  }
}
