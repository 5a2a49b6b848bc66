import type { Task, TaskStatus } from '@parley/contract'
import type { ResourceRecord, ResourceStore } from './resource-store.js'

export interface TaskRecord extends Readonly<Task>, ResourceRecord {
  /** The key that has set when it runs, whose runs by this plan are; null: a person has. */
  readonly plannedByKeyId: string | null
  /** The key that the run which goes on counts for; null where none does, or a person asked for it. */
  readonly runByKeyId: string | null
}

export interface TaskFilter {
  readonly status?: TaskStatus | undefined
  readonly agentId?: string | undefined
  readonly search?: string | undefined
  readonly dueBefore?: string | undefined
}

/** What is due, and whose it is. */
export type DueTask = Pick<TaskRecord, 'id' | 'organizationId'>

export interface DueRequest {
  readonly at: string
  readonly limit: number
  /** How many runs each organization has here already; those with fewer come first. */
  readonly running: ReadonlyMap<string, number>
  /** How many an organization may have. */
  readonly maxOfEach: number
}

/** A task that has a next run, with its rules. */
export type PlannedTask = DueTask &
  Pick<TaskRecord, 'status' | 'runAt' | 'schedule' | 'timeZone' | 'runStartedAt'> & {
    readonly nextRunAt: string
  }

/** An attempt that is under way. */
export type TaskUnderWay = Pick<TaskRecord, 'id' | 'runStartedAt' | 'runDeadlineAt'> & {
  readonly turnId: string
}

export interface TaskStore extends ResourceStore<TaskRecord, TaskFilter> {
  /** Adds the task unless its external id is taken; false where it is. Waits for a concurrent writer of the same id. */
  insertUnlessTaken(record: TaskRecord): Promise<boolean>
  /** The task of this external id, kept from changing until the transaction ends. */
  findByExternalIdLocked(organizationId: string, externalId: string): Promise<TaskRecord | null>
  /**
   * Tasks whose next run or attempt is due, organizations taking turns. One in whose conversation a call waits for a
   * person, or for somebody to run it, is not due: its model would make the call again.
   */
  due(request: DueRequest): Promise<readonly DueTask[]>
  /** When the first of all that are planned is due, or was; null where none is. */
  firstDueAt(): Promise<string | null>
  /** Planned tasks, the one whose next run lies furthest ahead first, after this one; null for the first page. */
  plannedFurthest(after: PlannedTask | null, limit: number): Promise<readonly PlannedTask[]>
  /** The attempts that these turns are. */
  underWay(turnIds: readonly string[]): Promise<readonly TaskUnderWay[]>
  /** Tasks whose attempt counts as under way although its turn has ended, or is gone. */
  unsettled(limit: number): Promise<readonly DueTask[]>
}
