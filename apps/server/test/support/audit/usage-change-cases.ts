import { expect } from 'vitest'
import type { RunningService } from '../start-service.js'
import type { ChangeCase } from './change-cases.js'

const budgets = '/api/v1/Budget'
const budget = { name: 'Audited', period: 'day', limit: { tokens: 1000 } }

export const usageChanges = {
  'creating a budget': {
    method: 'POST',
    path: () => budgets,
    body: budget,
    action: 'budget.create',
    resourceType: 'Budget',
    details: budget,
  },
  'patching a budget': {
    prepare: [budgets, budget],
    method: 'PATCH',
    path: (id) => `${budgets}/${id}`,
    body: { warnAtPercent: 50 },
    action: 'budget.update',
    resourceType: 'Budget',
    details: { changed: ['warnAtPercent'], name: 'Audited' },
  },
  'replacing a budget': {
    prepare: [budgets, budget],
    method: 'PUT',
    path: (id) => `${budgets}/${id}`,
    body: { ...budget, name: 'Replaced' },
    action: 'budget.update',
    resourceType: 'Budget',
    details: { changed: ['name'], name: 'Replaced' },
  },
  'deleting a budget': {
    prepare: [budgets, budget],
    method: 'DELETE',
    path: (id) => `${budgets}/${id}`,
    action: 'budget.delete',
    resourceType: 'Budget',
    details: { name: 'Audited' },
  },
  'setting prices': {
    arrange: async ({ organizationId }: RunningService) => organizationId,
    method: 'PUT',
    path: () => '/api/v1/Price',
    body: { items: [{ kind: 'openai', model: 'audited', perHour: 1 }] },
    action: 'price.update',
    resourceType: 'Price',
    resourceId: (organizationId) => organizationId,
    details: { before: expect.any(Number), after: 1, models: ['audited'] },
  },
} satisfies Record<string, Omit<ChangeCase, 'change'>>
