import type { Budget, BudgetInput } from '@parley/sdk'

export interface BudgetDraft {
  readonly name: string
  readonly scope: 'organization' | 'agent' | 'key'
  readonly agentId: string | null
  readonly apiKeyId: string | null
  readonly period: Budget['period']
  readonly unit: 'amount' | 'tokens'
  /** An empty string means no value. */
  readonly limit: number | ''
  readonly warnAtPercent: number | ''
  readonly onExceeded: Budget['onExceeded']
}

export const newBudget: BudgetDraft = {
  name: '',
  scope: 'organization',
  agentId: null,
  apiKeyId: null,
  period: 'month',
  unit: 'amount',
  limit: '',
  warnAtPercent: 80,
  onExceeded: 'refuse',
}

export function draftOf(budget: Budget): BudgetDraft {
  const { name, agentId, apiKeyId, period, limit, warnAtPercent, onExceeded } = budget
  return {
    name,
    agentId,
    apiKeyId,
    period,
    warnAtPercent,
    onExceeded,
    scope: agentId !== null ? 'agent' : apiKeyId !== null ? 'key' : 'organization',
    unit: limit.amount === undefined ? 'tokens' : 'amount',
    limit: limit.amount ?? limit.tokens ?? '',
  }
}

export function inputOf(draft: BudgetDraft): BudgetInput {
  const { name, scope, agentId, apiKeyId, period, unit, limit, warnAtPercent, onExceeded } = draft
  return {
    name: name.trim(),
    agentId: scope === 'agent' ? agentId : null,
    apiKeyId: scope === 'key' ? apiKeyId : null,
    period,
    limit: { [unit]: Number(limit) },
    warnAtPercent: warnAtPercent === '' ? 80 : warnAtPercent,
    onExceeded,
  }
}

export function validateDraft(draft: BudgetDraft): Readonly<Record<string, string>> {
  const { name, scope, agentId, apiKeyId, limit } = draft
  return {
    ...(name.trim() === '' && { name: 'Name is required' }),
    ...(scope === 'agent' && agentId === null && { agentId: 'Select an agent' }),
    ...(scope === 'key' && apiKeyId === null && { apiKeyId: 'Select an API key' }),
    ...((limit === '' || limit <= 0) && { limit: 'Must be greater than 0' }),
  }
}
