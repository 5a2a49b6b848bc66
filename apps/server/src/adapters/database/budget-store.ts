import { and, asc, eq, getTableColumns, isNull, or, sql } from 'drizzle-orm'
import type { BudgetFilter, BudgetRecord, BudgetStore } from '../../ports/usage-stores.js'
import type { Handle } from './handle.js'
import { budget, budgetCrossing } from './ledger-schema.js'
import { resourceStore, upsertStore } from './resource-store.js'
import { builder, placeholder, selectStatement, sqlStatement } from './statement.js'

/** Executed before every turn and session, and for every use of a model. */
const findLimiting = selectStatement('budget_limiting', getTableColumns(budget), (fields) =>
  builder
    .select(fields)
    .from(budget)
    .where(
      and(
        eq(budget.organizationId, placeholder('organizationId')),
        or(
          and(isNull(budget.agentId), isNull(budget.apiKeyId)),
          eq(budget.agentId, placeholder('agentId')),
          // Users of the console have no API key, so no key matches.
          eq(budget.apiKeyId, placeholder('apiKeyId')),
        ),
      ),
    )
    .orderBy(asc(budget.id)),
)

const lockBudgets = sqlStatement(
  'budget_lock',
  () =>
    sql`select id from budget where id = any(${placeholder('ids')}::uuid[]) order by id for no key update`,
)

/** Only the first crossing writes the row. Otherwise, all uses in a period would wait for its lock. */
const noteCrossing = sqlStatement(
  'budget_crossing_note',
  () => sql`
    insert into budget_crossing (budget_id, kind, starts_on)
    select ${placeholder('budgetId')}::uuid, ${placeholder('kind')}::text, ${placeholder('startsOn')}::date
    where not exists (select from budget_crossing where budget_id = ${placeholder('budgetId')}::uuid
      and kind = ${placeholder('kind')}::text and starts_on >= ${placeholder('startsOn')}::date)
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
