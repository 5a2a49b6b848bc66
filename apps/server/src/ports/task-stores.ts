import type { Approval, Task, TaskStatus } from '@parley/contract'
import type { RealtimeSessionRecord } from './realtime-stores.js'
import type { PageRequest, RecordPage, ResourceRecord, ResourceStore } from './resource-store.js'
import type { CallableTool } from './tool-executor.js'

export interface TaskRecord extends Readonly<Task>, ResourceRecord {
  /** The API key that planned the task, to which scheduled runs are attributed. Null if a user planned it. */
  readonly plannedByKeyId: string | null
  /**
   * The API key to which the current run is attributed. Null if nothing is running or a user requested the
   * run.
   */
  readonly runByKeyId: string | null
}

export interface TaskFilter {
  readonly status?: TaskStatus | undefined
  readonly agentId?: string | undefined
  readonly search?: string | undefined
  readonly dueBefore?: string | undefined
}

/** A due task and its organization. */
export type DueTask = Pick<TaskRecord, 'id' | 'organizationId'>

export interface DueRequest {
  readonly at: string
  readonly limit: number
  /** The number of runs of each organization on this instance. Organizations with fewer runs come first. */
  readonly running: ReadonlyMap<string, number>
  /** The maximum number of runs of an organization. */
  readonly maxOfEach: number
}

/** A task that has a next run, and its schedule. */
export type PlannedTask = DueTask &
  Pick<TaskRecord, 'status' | 'runAt' | 'schedule' | 'timeZone' | 'runStartedAt'> & {
    readonly nextRunAt: string
  }

/** An attempt in progress. */
export type TaskInProgress = Pick<TaskRecord, 'id' | 'runStartedAt' | 'runDeadlineAt'> & {
  readonly turnId: string
}

export interface TaskStore extends ResourceStore<TaskRecord, TaskFilter> {
  /**
   * Adds the task. Returns false if its external id is taken. Waits for a concurrent writer of the same id.
   */
  insertUnlessTaken(record: TaskRecord): Promise<boolean>
  /** Returns the task with this external id, locked until the transaction ends, or null if there is none. */
  findByExternalIdLocked(organizationId: string, externalId: string): Promise<TaskRecord | null>
  /**
   * Returns tasks whose next run or attempt is due, alternating between organizations. A task is not due
   * while a call in its conversation waits for approval or execution, because otherwise the model would
   * repeat the call.
   */
  due(request: DueRequest): Promise<readonly DueTask[]>
  /**
   * Returns the earliest due time of all planned tasks, which may be in the past. Returns null if none is
   * planned.
   */
  firstDueAt(): Promise<string | null>
  /**
   * Returns one page of planned tasks, latest next run first. `after` is the last task of the previous page,
   * or null.
   */
  plannedFurthest(after: PlannedTask | null, limit: number): Promise<readonly PlannedTask[]>
  /** Returns the attempts that these turns belong to. */
  inProgress(turnIds: readonly string[]): Promise<readonly TaskInProgress[]>
  /** Returns tasks whose call is in progress although the deadline of the run has passed. */
  overdueCalls(at: string, limit: number): Promise<readonly DueTask[]>
  /** Returns tasks whose attempt counts as in progress although its turn or call has ended or was deleted. */
  unsettled(limit: number): Promise<readonly DueTask[]>
}

/**
 * A call that requires a decision. Only the row is authoritative, even at the deadline. No instance relies on
 * its memory.
 */
export interface ApprovalRecord extends Readonly<Omit<Approval, 'title'>>, ResourceRecord {
  /** The call that runs if it is approved, as it was shown for the decision, including its title. */
  readonly call: CallableTool
  /**
   * The newest session that has announced the call to its client, or the text turn that made it. It handles
   * the call while it is running. Null if there is none.
   */
  readonly originId: string | null
  /** The instance that runs the call. No other instance may run it. */
  readonly claimedBy: string | null
  /** When the call ended in any way. Null while it waits for a decision or for execution. */
  readonly finishedAt: string | null
}

export interface ApprovalFilter {
  readonly state?: Approval['state'] | undefined
  readonly agentId?: string | undefined
  readonly conversationId?: string | undefined
  readonly callId?: string | undefined
  readonly isWaiting?: boolean | undefined
  readonly rehearsal?: boolean | undefined
}

/** The sort order of a list of calls. */
export type ApprovalOrder = 'newest' | 'oldest'

export interface Decision {
  readonly state: 'approved' | 'rejected'
  readonly decidedBy: NonNullable<Approval['decidedBy']>
  readonly reason: string | null
}

/** Who decides: the client of a session, or an API caller. `apiKeyId` is null for a user. */
export type Decider =
  | { readonly type: 'client' }
  | { readonly type: 'caller'; readonly apiKeyId: string | null }

/** The session that takes over calls. If a call belongs to a different agent, it was made by a sub-agent. */
export type AdoptingSession = Pick<RealtimeSessionRecord, 'id' | 'agentId' | 'conversationId'>

export interface ApprovalStore {
  insert(record: ApprovalRecord): Promise<void>
  find(organizationId: string, id: string): Promise<ApprovalRecord | null>
  /** Returns one page of calls, newest first by default. */
  list(
    organizationId: string,
    filter: ApprovalFilter,
    page: PageRequest & { readonly order?: ApprovalOrder },
  ): Promise<RecordPage<ApprovalRecord>>
  /** Returns the calls with these ids that exist, in no particular order. */
  findMany(ids: readonly string[]): Promise<readonly ApprovalRecord[]>
  /**
   * Decides on a waiting call of this conversation, in one statement. The first of two decisions is valid,
   * and decisions after the deadline are ignored. Returns null if no such call is waiting, or if the decider
   * may not decide on it. The caller who asked a question in text counts as its client.
   */
  decide(
    organizationId: string,
    conversationId: string,
    callId: string,
    decision: Decision,
    by: Decider,
    at: string,
  ): Promise<ApprovalRecord | null>
  /** Returns whether any call of any organization is unfinished. */
  isAnyOpen(): Promise<boolean>
  /** Expires all calls that wait past their deadline. Returns their number. */
  expireDue(at: string): Promise<number>
  /** Expires the call if it is still waiting and still has this origin. The call will not run. */
  withdraw(id: string, originId: string, at: string): Promise<void>
  /** Expires the waiting calls of this conversation, and the approved ones that no instance has claimed. */
  withdrawUnclaimed(conversationId: string, at: string): Promise<void>
  /**
   * Called when a conversation is deleted. Its calls no longer wait or start, and their arguments and
   * reasons are erased.
   */
  forgetConversation(conversationId: string, at: string): Promise<void>
  /**
   * Assigns the unfinished calls of its conversation to a session that has just started, regardless of their
   * previous origin. The previous origin can no longer claim them. Calls of sub-agents stay with their
   * session or text turn while it runs. Returns all calls that the session now has, oldest first.
   */
  adopt(session: AdoptingSession, at: string): Promise<readonly ApprovalRecord[]>
  /**
   * Claims an approved call in order to run it. The claim is permanent. A session or turn may claim its own
   * calls. Every caller, including an instance with `originId` null, may claim calls whose origin no longer
   * runs. Returns false if the call is claimed, not approved, or reserved for its running origin.
   */
  claim(id: string, instanceId: string, originId: string | null, at: string): Promise<boolean>
  /** Marks the call as answered. */
  finish(id: string, at: string): Promise<void>
  /**
   * Returns calls that are decided but neither finished nor claimed, and whose origin is no longer running,
   * so that an instance must handle them. Oldest first.
   */
  unattended(limit: number): Promise<readonly ApprovalRecord[]>
}
