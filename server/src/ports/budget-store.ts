import type { Budget } from '@parley/contract'
import type { ResourceRecord, ResourceStore, UpsertStore } from './resource-store.js'

type ReadFields = 'id' | 'createdAt' | 'updatedAt' | 'spent' | 'state' | 'periodStartsAt' | 'resetsAt'

export interface BudgetRecord extends Readonly<Omit<Budget, ReadFields>>, ResourceRecord {}

export interface BudgetFilter {
  readonly agentId?: string | undefined
  readonly apiKeyId?: string | undefined
}

export interface BudgetStore extends ResourceStore<BudgetRecord, BudgetFilter>, UpsertStore<BudgetRecord> {
  /** The budgets that limit whoever uses this agent with this key, those of the organization included. */
  limiting(
    organizationId: string,
    who: { readonly agentId: string; readonly apiKeyId: string | null },
  ): Promise<readonly BudgetRecord[]>
}
