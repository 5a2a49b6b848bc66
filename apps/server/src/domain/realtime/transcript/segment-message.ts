import { v7 as uuid } from 'uuid'
import type { MessageRecord } from '../../../ports/conversation-store.js'
import type { RealtimeSessionRecord } from '../../../ports/realtime-session-store.js'
import { storable } from '../../storable-text.js'
import type { TranscriptSegment } from './transcript.js'

/** A transcript segment as the message that is stored of it. Its time is the time it was said. */
export function segmentMessage(session: RealtimeSessionRecord, segment: TranscriptSegment): MessageRecord {
  const saidAt = new Date(Math.floor(segment.position.microseconds / 1000)).toISOString()
  return {
    id: uuid(),
    organizationId: session.organizationId,
    conversationId: session.conversationId,
    originId: session.id,
    itemId: storable(segment.itemId),
    contentIndex: segment.contentIndex,
    positionMicroseconds: segment.position.microseconds,
    positionCounter: segment.position.counter,
    createdAt: saidAt,
    updatedAt: saidAt,
    role: segment.role,
    content: storable(segment.content),
    channel: 'realtime',
    interrupted: segment.interrupted,
    failure: segment.failure === null ? null : storable(segment.failure),
    callId: null,
    name: null,
    arguments: null,
    status: null,
    executionTimeSeconds: null,
  }
}
