import { operations } from '@parley/contract'
import type { Router } from '../operation-route.js'
import type { Services } from '../services.js'

export function registerUsageRoutes(
  { read, write, upsert }: Router,
  { usages, prices, budgets }: Services,
): void {
  read(operations.getUsage, ({ query }, scope) => usages.sum(scope, query))
  read(operations.getPrices, (_, scope) => prices.read(scope))
  write(operations.replacePrices, ({ ifMatch, body }, scope) => prices.replace(scope, ifMatch, body))
  read(operations.listBudgets, ({ query }, scope) => budgets.list(scope, query))
  write(operations.createBudget, ({ body }, scope) => budgets.create(scope, body))
  read(operations.getBudget, ({ params }, scope) => budgets.read(scope, params.budgetId))
  write(operations.replaceBudget, ({ params, ifMatch, body }, scope) =>
    budgets.replace(scope, { id: params.budgetId, ifMatch }, body),
  )
  write(operations.patchBudget, ({ params, ifMatch, body }, scope) =>
    budgets.patch(scope, { id: params.budgetId, ifMatch }, body),
  )
  upsert(operations.upsertBudget, ({ params, ifMatch, body }, scope) =>
    budgets.upsert(scope, { externalId: params.externalId, ifMatch }, body),
  )
  write(operations.deleteBudget, ({ params, ifMatch }, scope) =>
    budgets.remove(scope, { id: params.budgetId, ifMatch }),
  )
}
