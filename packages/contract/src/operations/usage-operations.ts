import { Budget, BudgetInput, BudgetListQuery, BudgetPage, BudgetPatch, BudgetUpsert } from '../budget.js'
import { defineOperation } from '../operation.js'
import { PriceList, PriceListInput } from '../price.js'
import { Usage, UsageQuery } from '../usage.js'
import { keptResourceOperations } from './kept-resource-operations.js'

const budget = keptResourceOperations({
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
  onReplace: 'Fields that are left out get their defaults. Usage of the current period keeps counting.',
  onDelete: 'The budget no longer limits anything. Usage stays recorded.',
})

export const usageOperations = {
  getUsage: defineOperation({
    operationId: 'getUsage',
    method: 'GET',
    path: '/api/v1/Usage',
    tag: 'Usage',
    summary: 'Sum up usage',
    description:
      'Usage and cost of models, grouped as requested. Every finished answer is included. If the single records of a day are no longer kept, the whole day counts: `from` and `to` give the covered time. More than 10 000 groups are rejected.',
    scope: 'usage:read',
    query: UsageQuery,
    outcome: 'The sums by group, and of all groups.',
    status: 200,
    answer: Usage,
  }),
  getPrices: defineOperation({
    operationId: 'getPrices',
    method: 'GET',
    path: '/api/v1/Price',
    tag: 'Price',
    summary: 'Read prices',
    scope: 'usage:read',
    outcome: "The organization's own prices, and the built-in ones.",
    status: 200,
    answer: PriceList,
    hasETag: true,
  }),
  replacePrices: defineOperation({
    operationId: 'replacePrices',
    method: 'PUT',
    path: '/api/v1/Price',
    tag: 'Price',
    summary: "Replace the organization's own prices",
    description: 'They apply to future usage. Recorded usage keeps its cost.',
    scope: 'usage:write',
    body: PriceListInput,
    outcome: 'The updated prices.',
    status: 200,
    answer: PriceList,
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
