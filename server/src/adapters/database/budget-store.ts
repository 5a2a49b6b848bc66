import { and, asc, eq, isNull, or } from 'drizzle-orm'
import type { BudgetFilter, BudgetRecord, BudgetStore } from '../../ports/budget-store.js'
import type { Handle } from './handle.js'
import { budget } from './ledger-schema.js'
import { resourceStore, upsertStore } from './resource-table.js'

export function makeBudgetStore(handle: Handle): BudgetStore {
  return {
    ...resourceStore<BudgetRecord, BudgetFilter>(handle, budget, {
      matching: ({ agentId, apiKeyId }) => [
        agentId === undefined ? undefined : eq(budget.agentId, agentId),
        apiKeyId === undefined ? undefined : eq(budget.apiKeyId, apiKeyId),
      ],
    }),
    ...upsertStore<BudgetRecord>(handle, budget),

    limiting: (organizationId, { agentId, apiKeyId }) =>
      handle
        .select()
        .from(budget)
        .where(
          and(
            eq(budget.organizationId, organizationId),
            or(
              and(isNull(budget.agentId), isNull(budget.apiKeyId)),
              eq(budget.agentId, agentId),
              apiKeyId === null ? undefined : eq(budget.apiKeyId, apiKeyId),
            ),
          ),
        )
        .orderBy(asc(budget.id)),
  }
}
