import type { Budget } from '@parley/contract'
import type { ResourceRecord, ResourceStore, UpsertStore } from './resource-store.js'

type ReadFields = 'id' | 'createdAt' | 'updatedAt' | 'spent' | 'state' | 'periodStartsAt' | 'resetsAt'

export interface BudgetRecord extends Readonly<Omit<Budget, ReadFields>>, ResourceRecord {}

/** What a budget can reach: the percentage at which it warns, and its limit. */
export type BudgetLine = 'warning' | 'exceeded'

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
  /** Locks these budgets until the transaction ends, in the order of their ids. */
  lock(ids: readonly string[]): Promise<void>
  /** Notes that the budget has reached a line. Returns false if that was noted for this period or a later one before. */
  noteCrossing(budgetId: string, line: BudgetLine, startsOn: string): Promise<boolean>
  /** Forgets that the budget has reached a line: its limit was raised. */
  forgetCrossing(budgetId: string, line: BudgetLine): Promise<void>
}
