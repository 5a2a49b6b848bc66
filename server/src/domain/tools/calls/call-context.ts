import type { CustomEvent } from '@parley/contract'
import type { ChatUsage } from '../../../ports/chat-model.js'
import type { MessagePosition, MessageRecord } from '../../../ports/conversation-store.js'
import type { CallableTool } from '../../../ports/tool-executor.js'
import type { ToolScope } from '../running/run-tool.js'
import type { CallLog } from './call-log.js'

/** What all calls of a session, a turn or a sub-agent have in common. */
export interface CallContext {
  readonly scope: ToolScope & { readonly conversationId: string }
  /** The session or turn that the calls come out of. */
  readonly originId: string
  readonly channel: MessageRecord['channel']
  readonly tools: readonly CallableTool[]
  /** How many agents stand above this one. */
  readonly depth: number
  /** Set apart from call ids of others in the same conversation. */
  readonly itemPrefix: string
  /** Whether what waits here can go on without the one who waits: a sub-agent's turn cannot. */
  readonly canBeResumed: boolean
  readonly log: CallLog
  readonly nextPosition: () => MessagePosition
  /** Sends an event that belongs to no write. */
  readonly emit: (event: CustomEvent) => void
  /** A text model has worked for a call: a sub-agent's. */
  readonly onUsage: (usage: ChatUsage) => void
  /** A call begins to wait for a person, or waits no longer. */
  readonly onPersonAwaited: (isAwaited: boolean) => void
}
