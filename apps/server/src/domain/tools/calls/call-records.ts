import { type ApprovedBy, type CustomEvent, type Rehearsal, ToolStatus } from '@parley/contract'
import type { MessagePosition, MessageRecord } from '../../../ports/conversation-store.js'
import type { CallableTool, ToolCaller } from '../../../ports/tool-executor.js'
import type { UseCounter } from '../../usage/use-counter.js'
import type { ApprovalRecord } from '../../../ports/approval-store.js'
import type { Clock } from '../../../ports/clock.js'
import { newResource } from '../../resources/resource.js'
import { storable } from '../../storable-text.js'
import type { AnswerEffect, AskedApproval, CallWork } from './tool-call.js'

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

/** How much of a result a person is shown. */
const maxShownCharacters = 2000

/** A call as the model made it, and the message it is stored as. */
export interface MadeCall {
  readonly messageId: string
  readonly callId: string
  /** The agent that calls: a sub-agent has its own id. */
  readonly agentId: string
  readonly functionName: string
  readonly argumentsText: string
  /** Null where the model has made the name up. */
  readonly tool: CallableTool | null
}

/** A call as the message that is stored of it. */
export function callMessage(
  { caller, originId, channel, itemPrefix, nextPosition }: CallContext,
  call: MadeCall,
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

/** A call as the row that a person decides on. */
export function callApproval(
  { caller, originId, rehearsal }: CallContext,
  { callId, messageId, functionName, argumentsText }: MadeCall,
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

/** A call as its client gets to see it begin. */
export function startEvent(call: MadeCall, approvalRequired: boolean): CustomEvent {
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

/** A call as its client gets to see it end. */
export function doneEvent(
  call: MadeCall,
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
