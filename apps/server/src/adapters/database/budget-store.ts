import { and, asc, eq, isNull, or, sql } from 'drizzle-orm'
import type { BudgetFilter, BudgetRecord, BudgetStore } from '../../ports/budget-store.js'
import type { Handle } from './handle.js'
import { budget, budgetCrossing } from './ledger-schema.js'
import { given, keep, keepWritten } from './queries/keep.js'
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

const lockBudgets = keepWritten(
  'budget_lock',
  () => sql`select id from budget where id = any(${given('ids')}::uuid[]) order by id for no key update`,
)

/** Once noted, the row is only read: to write it each time would make all uses of a period wait for one another. */
const noteCrossing = keepWritten(
  'budget_crossing_note',
  () => sql`
    insert into budget_crossing (budget_id, kind, starts_on)
    select ${given('budgetId')}::uuid, ${given('kind')}::text, ${given('startsOn')}::date
    where not exists (select from budget_crossing where budget_id = ${given('budgetId')}::uuid
      and kind = ${given('kind')}::text and starts_on >= ${given('startsOn')}::date)
    on conflict (budget_id, kind) do update set starts_on = excluded.starts_on
      where budget_crossing.starts_on < excluded.starts_on
    returning budget_id`,
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

    async lock(ids) {
      await lockBudgets(handle, { ids: `{${ids.join()}}` })
    },

    noteCrossing: async (budgetId, kind, startsOn) =>
      (await noteCrossing(handle, { budgetId, kind, startsOn })).length > 0,

    async forgetCrossing(budgetId, kind) {
      const isOne = and(eq(budgetCrossing.budgetId, budgetId), eq(budgetCrossing.kind, kind))
      await handle.delete(budgetCrossing).where(isOne)
    },
  }
}
