import type { ToolStatus } from '@parley/contract'
import type { MessageRecord } from '../../../ports/conversation-store.js'
import { storable } from '../../storable-text.js'
import type { AnnouncedCall } from './call-events.js'
import type { CallContext } from './tool-calls.js'

/** What the item of a call is named: calls of sub-agents carry the message of the call above them. */
export const callItemPrefix = 'call:'

/** A call as the message that is stored of it. */
export function callMessage(
  { place, originId, channel, itemPrefix, nextPosition }: CallContext,
  call: AnnouncedCall,
  status: ToolStatus,
): MessageRecord {
  const { microseconds, counter } = nextPosition()
  const madeAt = new Date(Math.floor(microseconds / 1000)).toISOString()
  return {
    id: call.messageId,
    organizationId: place.organizationId,
    conversationId: place.conversationId,
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
