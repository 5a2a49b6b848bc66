import type { Task, TaskStatus } from '@parley/contract'
import type { ResourceRecord, ResourceStore } from './resource-store.js'

export interface TaskRecord extends Readonly<Task>, ResourceRecord {}

export interface TaskFilter {
  readonly status?: TaskStatus | undefined
  readonly agentId?: string | undefined
  readonly search?: string | undefined
  readonly dueBefore?: string | undefined
}

export interface TaskStore extends ResourceStore<TaskRecord, TaskFilter> {
  /** Adds the task unless its external id is taken; false where it is. Waits for a concurrent writer of the same id. */
  insertUnlessTaken(record: TaskRecord): Promise<boolean>
  /** The task of this external id, kept from changing until the transaction ends. */
  findByExternalIdLocked(organizationId: string, externalId: string): Promise<TaskRecord | null>
}
