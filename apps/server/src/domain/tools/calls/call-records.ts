import { type CustomEvent, ToolStatus } from '@parley/contract'
import type { ApprovalRecord } from '../../../ports/approval-store.js'
import type { Clock } from '../../../ports/clock.js'
import type { MessageRecord } from '../../../ports/conversation-store.js'
import type { CallableTool } from '../../../ports/tool-executor.js'
import { newResource } from '../../resources/new-resource.js'
import { storable } from '../../storable-text.js'
import type { CallContext } from './call-context.js'
import type { AnswerEffect, AskedApproval, CallWork } from './tool-call.js'

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
