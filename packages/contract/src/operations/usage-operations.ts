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
  onReplace: 'Fields left out fall back to their defaults. What was used in the period counts on.',
  onDelete: 'It limits nothing any more; what was used stays counted.',
})

export const usageOperations = {
  getUsage: defineOperation({
    operationId: 'getUsage',
    method: 'GET',
    path: '/api/v1/Usage',
    tag: 'Usage',
    summary: 'Sum up what was used',
    description:
      'What models were used for, and what that cost, summed by what is asked for. What was answered has been counted. Where the single records of a day are no longer kept, the day counts whole: `from` and `to` tell what was summed up. More than 10 000 groups are refused.',
    scope: 'usage:read',
    query: UsageQuery,
    outcome: 'The sums, by group and of all of it.',
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
    outcome: "The organization's own prices, and those that come with the service.",
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
    description:
      'They count for what is used from now on: what was used before keeps the cost it was counted with.',
    scope: 'usage:write',
    body: PriceListInput,
    outcome: 'The prices, as they are stored now.',
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
