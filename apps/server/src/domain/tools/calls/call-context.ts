import type { ApprovedBy, CustomEvent, Rehearsal, ToolStatus } from '@parley/contract'
import type { MessagePosition, MessageRecord } from '../../../ports/conversation-store.js'
import type { CallableTool, ToolCaller } from '../../../ports/tool-executor.js'
import type { UseCounter } from '../../usage/use-counter.js'

/** What all calls of a session, a turn or a sub-agent have in common. */
export interface CallContext {
  readonly caller: ToolCaller & { readonly conversationId: string }
  /** The session or turn that the calls come out of. */
  readonly originId: string
  readonly channel: MessageRecord['channel']
  readonly tools: readonly CallableTool[]
  /** What stands in for tools, those of sub-agents as well; null where it is no rehearsal. */
  readonly rehearsal: Rehearsal | null
  /** Who may decide on calls here; a tool may narrow it further. */
  readonly approvedBy: ApprovedBy
  /** How many agents stand above this one. */
  readonly depth: number
  /** Keeps the item ids of these calls apart from those of other callers in the same conversation. */
  readonly itemPrefix: string
  /** Whether what waits here can go on without the one who waits: a sub-agent's turn cannot. */
  readonly canBeResumed: boolean
  readonly log: CallLog
  readonly nextPosition: () => MessagePosition
  /** Sends an event that belongs to no write. */
  readonly emit: (event: CustomEvent) => void
  /** Counts what text models use that work for a call: a sub-agent's. */
  readonly uses: UseCounter
  /** A call begins to wait for a person, or waits no longer; so does one whose sub-agent has made such a call. */
  readonly onPersonAwaited: (isAwaited: boolean, callId: string) => void
}

/** A call that was answered, as its message is to say. */
export interface FinishedCall {
  readonly messageId: string
  readonly status: ToolStatus
  readonly content: string
  readonly executionTimeSeconds: number
  /** Set where nobody knows what came of it. */
  readonly failure?: string
  /** The approval that is finished with the call. */
  readonly approvalId: string | null
}

/**
 * Where the messages of calls are written: in order, each until it is in, and only then are its events emitted. What is
 * returned settles at that moment, and says whether it was written.
 */
export interface CallLog {
  /** A call was made. False also where its conversation is gone, or its turn is over. */
  append(message: MessageRecord, events: readonly CustomEvent[]): Promise<boolean>
  /** A call that waited for approval runs. */
  startCall(messageId: string, events: readonly CustomEvent[]): Promise<boolean>
  /** A call was answered. */
  finishCall(call: FinishedCall, events: readonly CustomEvent[]): Promise<boolean>
  /** An approval that may or may not have been written must not be decided on any more. */
  withdrawApproval(approvalId: string): Promise<boolean>
}
