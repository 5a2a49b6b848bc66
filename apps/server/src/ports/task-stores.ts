import type { Approval, Task, TaskStatus } from '@parley/contract'
import type { RealtimeSessionRecord } from './realtime-stores.js'
import type { PageRequest, RecordPage, ResourceRecord, ResourceStore } from './resource-store.js'
import type { CallableTool } from './tool-executor.js'

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

/** A call that a person decides on. The row decides, also at the deadline; nobody else's memory counts. */
export interface ApprovalRecord extends Readonly<Omit<Approval, 'title'>>, ResourceRecord {
  /** What runs when it is approved: what the person saw, with the title that it had. */
  readonly call: CallableTool
  /**
   * The newest session whose client knows of the call, or the turn in text that made it: it handles the call while it
   * runs. Null where none does.
   */
  readonly originId: string | null
  /** The instance that has begun to run the call; nobody else may. */
  readonly claimedBy: string | null
  /** When the call was answered, whichever way; what is not finished still waits for something. */
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

/** Which call comes first in a list. */
export type ApprovalOrder = 'newest' | 'oldest'

export interface Decision {
  readonly state: 'approved' | 'rejected'
  readonly decidedBy: NonNullable<Approval['decidedBy']>
  readonly reason: string | null
}

/** Who wants to decide: the client of a session, or a caller of the API with its key; null: a person. */
export type Decider =
  | { readonly type: 'client' }
  | { readonly type: 'caller'; readonly apiKeyId: string | null }

/** The session that takes calls over. What another agent than its own has asked for is a sub-agent's. */
export type AdoptingSession = Pick<RealtimeSessionRecord, 'id' | 'agentId' | 'conversationId'>

export interface ApprovalStore {
  insert(record: ApprovalRecord): Promise<void>
  find(organizationId: string, id: string): Promise<ApprovalRecord | null>
  /** Newest first, unless the page says otherwise. */
  list(
    organizationId: string,
    filter: ApprovalFilter,
    page: PageRequest & { readonly order?: ApprovalOrder },
  ): Promise<RecordPage<ApprovalRecord>>
  /** Those of these ids that exist, in no order. */
  findMany(ids: readonly string[]): Promise<readonly ApprovalRecord[]>
  /**
   * Decides on the call that waits in this conversation, in one statement: of two decisions the first wins, and none
   * counts after the deadline. Null if no such call waits that the decider may decide on. The caller who asked a question
   * in text is its client.
   */
  decide(
    organizationId: string,
    conversationId: string,
    callId: string,
    decision: Decision,
    by: Decider,
    at: string,
  ): Promise<ApprovalRecord | null>
  /** Whether there is any call, of anybody, that is not finished. */
  isAnyOpen(): Promise<boolean>
  /** Expires whatever waits past its deadline. */
  expireDue(at: string): Promise<number>
  /** Expires this one, if it still waits and is still of this origin: the call will not be run any more. */
  withdraw(id: string, originId: string, at: string): Promise<void>
  /** Expires what waits in this conversation, and what was approved in it and nobody has begun to run. */
  withdrawUnclaimed(conversationId: string, at: string): Promise<void>
  /**
   * Of a conversation that is deleted nothing waits or begins to run any more, and what was said in it is gone from
   * the calls as well.
   */
  forgetConversation(conversationId: string, at: string): Promise<void>
  /**
   * Gives the unfinished calls of its conversation to a session that has just begun, whoever had them: the newest
   * session has the call, and a former one that still runs can claim it no more. Only what a sub-agent waits for in
   * another session, or turn in text, that runs stays there. Returns all that the session now has, oldest first.
   */
  adopt(session: AdoptingSession, at: string): Promise<readonly ApprovalRecord[]>
  /**
   * Claims an approved call for running, once and for all. A session or turn may claim what is its own, and everybody,
   * also an instance with `originId` null, what belongs to none that runs. False where somebody else has, or may, or
   * it is not approved.
   */
  claim(id: string, instanceId: string, originId: string | null, at: string): Promise<boolean>
  /** The call was answered. */
  finish(id: string, at: string): Promise<void>
  /**
   * Decided, not finished, claimed by nobody, and of no session or turn that runs: somebody must handle them. Oldest
   * first.
   */
  unattended(limit: number): Promise<readonly ApprovalRecord[]>
}
