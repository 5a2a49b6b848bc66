import { ToolStatus } from '@parley/contract'
import type { ApprovalRecord } from '../../../ports/approval-store.js'
import type { Clock } from '../../../ports/clock.js'
import type { MessageRecord } from '../../../ports/conversation-store.js'
import { newResource } from '../../resources/new-resource.js'
import { storable } from '../../storable-text.js'
import type { CallContext } from './call-context.js'
import type { MadeCall } from './call-events.js'
import type { AskedApproval, CallWork } from './tool-call.js'

/** A call as the message that is stored of it. */
export function callMessage(
  { scope, originId, channel, itemPrefix, nextPosition }: CallContext,
  call: MadeCall,
  status: ToolStatus = ToolStatus.Pending,
): MessageRecord {
  const { microseconds, counter } = nextPosition()
  const madeAt = new Date(Math.floor(microseconds / 1000)).toISOString()
  return {
    id: call.messageId,
    organizationId: scope.organizationId,
    conversationId: scope.conversationId,
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
  { scope, originId }: CallContext,
  { callId, messageId, functionName, argumentsText }: MadeCall,
  { approval, work, clock }: { approval: AskedApproval; work: CallWork; clock: Clock },
): ApprovalRecord {
  return {
    ...newResource(clock, scope.organizationId),
    id: approval.id,
    conversationId: scope.conversationId,
    messageId,
    callId,
    agentId: scope.agentId,
    tool: functionName,
    arguments: argumentsText,
    state: 'waiting',
    deadline: approval.deadline,
    decidedBy: null,
    decidedAt: null,
    reason: null,
    call: work.tool,
    originId,
    claimedBy: null,
    finishedAt: null,
  }
}
