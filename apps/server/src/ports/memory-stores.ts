import type { EndUserFact } from '@parley/contract'
import type { ResourceRecord, ResourceStore } from './resource-store.js'

export interface EndUserFactRecord extends Readonly<EndUserFact>, ResourceRecord {}

/** The end user, and the agent that remembers the facts. */
export interface Remembered {
  readonly endUserId: string
  readonly agentId: string
}

export interface EndUserFactFilter {
  readonly endUserId: string
  readonly agentId?: string | undefined
}

export interface EndUserFactStore extends ResourceStore<EndUserFactRecord, EndUserFactFilter> {
  /** Returns the facts that were added or confirmed last, newest first. */
  newest(remembered: Remembered, limit: number): Promise<readonly EndUserFactRecord[]>
  /** Removes all but the newest facts. */
  removeOldest(remembered: Remembered, keep: number): Promise<void>
}

/** A conversation from which facts will be extracted. */
export interface MemoryPlan {
  readonly conversationId: string
  readonly organizationId: string
  readonly dueAt: string
  /** The number of attempts that have started. */
  readonly attempts: number
  /** The position of the last message that was read. */
  readonly throughMicroseconds: number
}

export interface MemoryPlanStore {
  /** Plans an extraction, unless one is already planned. */
  plan(plan: Pick<MemoryPlan, 'conversationId' | 'organizationId' | 'dueAt'>): Promise<void>
  /** Returns plans that are due: the earliest of each organization, then the second of each, and so on. */
  due(at: string, limit: number): Promise<readonly MemoryPlan[]>
  /**
   * Starts an attempt, which other instances repeat after `until` unless it has ended. Returns null if
   * another instance came first.
   */
  claim(plan: MemoryPlan, until: string): Promise<MemoryPlan | null>
  /** Like `claim`, but locks the plan of an attempt that is still valid until the transaction ends. */
  lockClaimed(plan: MemoryPlan): Promise<boolean>
  /** Returns whether a turn or session of the conversation is in progress. */
  isBusy(conversationId: string): Promise<boolean>
  /** Ends an attempt. If `dueAt` is null, nothing is planned until the next message. */
  settle(
    plan: MemoryPlan,
    next: Omit<MemoryPlan, 'conversationId' | 'organizationId' | 'dueAt'> & { readonly dueAt: string | null },
  ): Promise<void>
}
