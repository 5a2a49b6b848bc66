import type { Approval } from '@parley/contract'
import type { PageRequest, RecordPage, ResourceRecord } from './resource-store.js'
import type { CallableTool } from './tool-executor.js'

/** A call that a person decides on. The row decides, also at the deadline; nobody else's memory counts. */
export interface ApprovalRecord extends Readonly<Approval>, ResourceRecord {
  /** What runs when it is approved: what the person saw. */
  readonly call: CallableTool
  readonly decidedAt: string | null
  /** The session that told its client and sees to the call while it runs; null where nobody does. */
  readonly sessionId: string | null
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
}

export interface Decision {
  readonly state: 'approved' | 'rejected'
  readonly decidedBy: NonNullable<Approval['decidedBy']>
  readonly reason: string | null
}

export interface ApprovalStore {
  insert(record: ApprovalRecord): Promise<void>
  find(organizationId: string, id: string): Promise<ApprovalRecord | null>
  /** Newest first. */
  list(organizationId: string, filter: ApprovalFilter, page: PageRequest): Promise<RecordPage<ApprovalRecord>>
  /** Those of these ids that exist, in no order. */
  findMany(ids: readonly string[]): Promise<readonly ApprovalRecord[]>
  /**
   * Decides on the call that waits in this conversation, in one statement: of two decisions the first wins, and none
   * counts after the deadline. Null where no such call waits.
   */
  decide(
    organizationId: string,
    conversationId: string,
    callId: string,
    decision: Decision,
    at: string,
  ): Promise<ApprovalRecord | null>
  /** Expires whatever waits past its deadline. */
  expireDue(at: string): Promise<number>
  /** Expires this one, if it still waits: the call will not be run any more. */
  withdraw(id: string, at: string): Promise<void>
  /**
   * Of a conversation that is deleted nothing waits or begins to run any more, and what was said in it is gone from
   * the calls as well.
   */
  forgetConversation(conversationId: string, at: string): Promise<void>
  /**
   * Gives the unfinished calls of a conversation to a session that has just begun, except those of another session
   * that runs. Answers all that it now has, oldest first.
   */
  adopt(conversationId: string, sessionId: string, at: string): Promise<readonly ApprovalRecord[]>
  /**
   * Claims an approved call for running, once and for all. A session may claim what is its own; with `sessionId` null an
   * instance claims what belongs to no running session. False where somebody else has, or it is not approved.
   */
  claim(id: string, instanceId: string, sessionId: string | null, at: string): Promise<boolean>
  /** The call was answered. */
  finish(id: string, at: string): Promise<void>
  /** Decided, not finished, claimed by nobody, and of no running session: somebody must see to them. Oldest first. */
  abandoned(limit: number): Promise<readonly ApprovalRecord[]>
}
