import { v7 as uuid } from 'uuid'
import type { MessageRecord } from '../../../ports/conversation-store.js'
import type { RealtimeSessionRecord } from '../../../ports/realtime-session-store.js'
import { storable } from '../../storable-text.js'
import type { Turn } from './transcript.js'

/** A segment as the message that is stored of it. Its time is the time it was said. */
export function segmentMessage(session: RealtimeSessionRecord, turn: Turn): MessageRecord {
  const saidAt = new Date(Math.floor(turn.place.microseconds / 1000)).toISOString()
  return {
    id: uuid(),
    organizationId: session.organizationId,
    conversationId: session.conversationId,
    originId: session.id,
    itemId: storable(turn.itemId),
    contentIndex: turn.contentIndex,
    positionMicroseconds: turn.place.microseconds,
    positionCounter: turn.place.counter,
    createdAt: saidAt,
    updatedAt: saidAt,
    role: turn.role,
    content: storable(turn.content),
    channel: 'realtime',
    interrupted: turn.interrupted,
    failure: turn.failure === null ? null : storable(turn.failure),
    callId: null,
    name: null,
    arguments: null,
    status: null,
    executionTimeSeconds: null,
  }
}
