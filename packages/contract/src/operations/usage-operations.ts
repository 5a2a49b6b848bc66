import { Budget, BudgetInput, BudgetListQuery, BudgetPage, BudgetPatch, BudgetUpsert } from '../budget.js'
import { defineOperation } from '../operation.js'
import { PriceList, PriceListInput } from '../price.js'
import { Usage, UsageQuery } from '../usage.js'
import { managedResourceOperations } from './managed-resource-operations.js'

const budget = managedResourceOperations({
  name: 'Budget',
  noun: 'a budget',
  param: 'budgetId',
  read: 'usage:read',
  write: 'usage:write',
  listQuery: BudgetListQuery,
  page: BudgetPage,
  input: BudgetInput,
  patch: BudgetPatch,
  resource: Budget,
  upsert: BudgetUpsert,
  upserted: Budget,
  onReplace: 'Omitted fields are set to their defaults. The usage in the current period is not reset.',
  onDelete: 'The limit no longer applies. Recorded usage is kept.',
})

export const usageOperations = {
  getUsage: defineOperation({
    operationId: 'getUsage',
    method: 'GET',
    path: '/api/v1/Usage',
    tag: 'Usage',
    summary: 'Retrieve usage',
    description:
      'Returns the usage and cost of models, grouped by the requested dimensions. All completed responses are included. For days whose individual records have expired, only daily totals exist. `from` and `to` contain the period that is actually covered. The request is rejected if the result has more than 10,000 groups.',
    scope: 'usage:read',
    query: UsageQuery,
    outcome: 'The usage by group, and the totals.',
    status: 200,
    response: Usage,
  }),
  getPrices: defineOperation({
    operationId: 'getPrices',
    method: 'GET',
    path: '/api/v1/Price',
    tag: 'Price',
    summary: 'Retrieve prices',
    scope: 'usage:read',
    outcome: 'The custom prices of the organization, and the built-in prices.',
    status: 200,
    response: PriceList,
    hasETag: true,
  }),
  replacePrices: defineOperation({
    operationId: 'replacePrices',
    method: 'PUT',
    path: '/api/v1/Price',
    tag: 'Price',
    summary: 'Replace the custom prices',
    description: 'The new prices apply to future usage. The cost of recorded usage does not change.',
    scope: 'usage:write',
    body: PriceListInput,
    outcome: 'The updated custom prices, and the built-in prices.',
    status: 200,
    response: PriceList,
    isConditional: true,
    hasETag: true,
  }),
  listBudgets: budget.list,
  createBudget: budget.create,
  getBudget: budget.get,
  replaceBudget: budget.replace,
  patchBudget: budget.patch,
  upsertBudget: budget.upsert,
  deleteBudget: budget.remove,
}
