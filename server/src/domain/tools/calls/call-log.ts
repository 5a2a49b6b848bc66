import type { CustomEvent, ToolStatus } from '@parley/contract'
import type { MessageRecord } from '../../../ports/conversation-store.js'

/** A call that was answered, as its message is to say. */
export interface FinishedCall {
  readonly messageId: string
  readonly status: ToolStatus
  readonly content: string
  readonly executionTimeSeconds: number
  /** The approval that is finished with the call. */
  readonly approvalId: string | null
}

/**
 * Where the messages of calls are written: in order, each until it is in, and only then are its events emitted. What is
 * returned settles at that moment, and says whether it was written.
 */
export interface CallLog {
  /** A call was made. */
  append(message: MessageRecord, events: readonly CustomEvent[]): Promise<boolean>
  /** A call that waited for approval runs. */
  startCall(messageId: string, events: readonly CustomEvent[]): Promise<boolean>
  /** A call was answered. */
  finishCall(call: FinishedCall, events: readonly CustomEvent[]): Promise<boolean>
  /** An approval that may or may not have been written must not be decided on any more. */
  withdrawApproval(approvalId: string): Promise<boolean>
}
