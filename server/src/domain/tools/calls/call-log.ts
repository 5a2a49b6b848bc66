import type { ToolStatus } from '@parley/contract'
import type { MessageRecord } from '../../../ports/conversation-store.js'

/** What became of a call, as its message tells. */
export interface CallResult {
  readonly status: ToolStatus
  readonly content: string
  readonly executionTimeSeconds: number
}

/** Where the messages of calls are written, in order, each until it is in; then it is announced. */
export interface CallLog {
  /** A call was made. */
  add(message: MessageRecord, announce: () => void): void
  /** A call that waited for approval runs. */
  started(messageId: string, announce: () => void): void
  /** A call was answered; its approval, if it had one, is finished with it. */
  finished(messageId: string, result: CallResult, approvalId: string | null, announce: () => void): void
  /** An approval that may or may not have been written must not be decided on any more. */
  withdraw(approvalId: string): void
}
