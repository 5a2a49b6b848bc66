import { type ApprovedBy, type CustomEvent, type Rehearsal, ToolStatus } from '@parley/contract'
import type { MessagePosition, MessageRecord } from '../../../ports/conversation-stores.js'
import type { ApprovalRecord } from '../../../ports/task-stores.js'
import type { Clock } from '../../../ports/time.js'
import type { CallableTool, ToolCaller } from '../../../ports/tool-executor.js'
import { newResource } from '../../resources/resource.js'
import { storable } from '../../storable-text.js'
import type { UseCounter } from '../../usage/use-counter.js'
import type { AnswerEffect, AskedApproval, CallWork } from './tool-call.js'

/** The context that all calls of a session, a turn or a sub-agent share. */
export interface CallContext {
  readonly caller: ToolCaller & { readonly conversationId: string }
  /** The id of the session or turn that makes the calls. */
  readonly originId: string
  readonly channel: MessageRecord['channel']
  readonly tools: readonly CallableTool[]
  /** The stubs that replace the tools, including those of sub-agents. Null if this is not a rehearsal. */
  readonly rehearsal: Rehearsal | null
  /** Who may decide on these calls. A tool may restrict this further. */
  readonly approvedBy: ApprovedBy
  /** The number of agents above this one. */
  readonly depth: number
  /** Distinguishes the item ids of these calls from those of other callers in the conversation. */
  readonly itemPrefix: string
  /**
   * Whether a later session or turn can resume a waiting call. This is not possible for a call of a
   * sub-agent.
   */
  readonly canBeResumed: boolean
  readonly log: CallLog
  readonly nextPosition: () => MessagePosition
  /** Sends an event that does not depend on a write. */
  readonly emit: (event: CustomEvent) => void
  /** Counts the usage of the sub-agents' text models. */
  readonly uses: UseCounter
  /** Called when a call, or a call of its sub-agent, starts or stops waiting for approval. */
  readonly onApprovalAwaited: (isAwaited: boolean, callId: string) => void
}

/** A finished call: the fields of its message, and its approval. */
export interface FinishedCall {
  readonly messageId: string
  readonly status: ToolStatus
  readonly content: string
  readonly executionTimeSeconds: number
  /** Set if the outcome is unknown. */
  readonly failure?: string
  /** The approval that ends together with the call. */
  readonly approvalId: string | null
}

/**
 * Stores the messages of calls, in order. Each write is retried until it succeeds, and its events are emitted
 * after that. The returned promise then resolves with whether the message was stored.
 */
export interface CallLog {
  /** Stores a new call. Also resolves with false if the conversation was deleted or the turn has ended. */
  append(message: MessageRecord, events: readonly CustomEvent[]): Promise<boolean>
  /** Called when an approved call starts to run. */
  startCall(messageId: string, events: readonly CustomEvent[]): Promise<boolean>
  /** Called when the outcome of a call is known. */
  finishCall(call: FinishedCall, events: readonly CustomEvent[]): Promise<boolean>
  /** Closes an approval that may or may not have been stored. */
  withdrawApproval(approvalId: string): Promise<boolean>
}

/** The maximum length of a result in events for people. */
const maxShownCharacters = 2000

/** A call by a model, and the id of its message. */
export interface ToolCall {
  readonly messageId: string
  readonly callId: string
  /** The agent that makes the call. A sub-agent has its own id. */
  readonly agentId: string
  readonly functionName: string
  readonly argumentsText: string
  /** Null if the agent has no tool with this name. */
  readonly tool: CallableTool | null
}

/** Returns the message of a call. */
export function callMessage(
  { caller, originId, channel, itemPrefix, nextPosition }: CallContext,
  call: ToolCall,
  status: ToolStatus = ToolStatus.Pending,
): MessageRecord {
  const { microseconds, counter } = nextPosition()
  const madeAt = new Date(Math.floor(microseconds / 1000)).toISOString()
  return {
    id: call.messageId,
    organizationId: caller.organizationId,
    conversationId: caller.conversationId,
    originId,
    itemId: storable(`${itemPrefix}${call.callId}`),
    contentIndex: 0,
    positionMicroseconds: microseconds,
    positionCounter: counter,
    createdAt: madeAt,
    updatedAt: madeAt,
    role: call.tool?.action.kind === 'subagent' ? 'subagent' : 'tool',
    content: '',
    channel,
    interrupted: false,
    failure: null,
    callId: storable(call.callId),
    name: storable(call.functionName),
    arguments: storable(call.argumentsText),
    status,
    executionTimeSeconds: null,
  }
}

/** Returns the approval row for a call. */
export function callApproval(
  { caller, originId, rehearsal }: CallContext,
  { callId, messageId, functionName, argumentsText }: ToolCall,
  { approval, work, clock }: { approval: AskedApproval; work: CallWork; clock: Clock },
): ApprovalRecord {
  return {
    ...newResource(clock, caller.organizationId),
    id: approval.id,
    conversationId: caller.conversationId,
    messageId,
    callId,
    agentId: caller.agentId,
    tool: functionName,
    arguments: argumentsText,
    approvedBy: approval.approvedBy,
    state: 'waiting',
    deadline: approval.deadline,
    decidedBy: null,
    decidedAt: null,
    reason: null,
    call: work.tool,
    originId,
    claimedBy: null,
    finishedAt: null,
    rehearsal: rehearsal !== null,
  }
}

/** Returns the event that announces a call to the client. */
export function startEvent(call: ToolCall, approvalRequired: boolean): CustomEvent {
  const { tool } = call
  if (tool?.action.kind === 'subagent') {
    const { agentId: id, agentName: name, icon, iconColor } = tool.action
    return { type: 'subagent.start', data: { id, name, icon, iconColor, callId: call.callId } }
  }
  return {
    type: 'response.function_invocation.start',
    data: {
      id: call.messageId,
      callId: call.callId,
      title: tool?.title ?? call.functionName,
      imageUrl: tool?.imageUrl ?? null,
      chatbotId: call.agentId,
      arguments: call.argumentsText,
      approvalRequired,
      functionName: call.functionName,
    },
  }
}

/** Returns the event that reports the end of a call to the client. */
export function doneEvent(
  call: ToolCall,
  { status, output, executionTimeSeconds }: Pick<AnswerEffect, 'status' | 'output' | 'executionTimeSeconds'>,
): CustomEvent {
  const { tool } = call
  if (tool?.action.kind === 'subagent')
    return { type: 'subagent.done', data: { chatbotId: tool.action.agentId } }
  return {
    type: 'response.function_invocation.done',
    data: {
      id: call.messageId,
      callId: call.callId,
      text: shortened(output),
      title: tool?.title ?? call.functionName,
      imageUrl: tool?.imageUrl ?? null,
      button: tool?.button !== null && tool?.button !== undefined,
      buttonLabel: tool?.button?.label ?? null,
      buttonLink: tool?.button?.link ?? null,
      chatbotId: call.agentId,
      status,
      executionTimeSeconds,
    },
  }
}

function shortened(text: string): string {
  return text.length <= maxShownCharacters
    ? text
    : `${text.slice(0, maxShownCharacters).replace(/[\uD800-\uDBFF]$/, '')}…`
}
