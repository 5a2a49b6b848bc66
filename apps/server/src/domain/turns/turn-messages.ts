import type { MessagePosition, MessageRecord } from '../../ports/conversation-store.js'
import type { TurnRecord } from '../../ports/turn-store.js'
import { storable } from '../storable-text.js'

/** The question as the message that is stored of it. */
export function questionMessage(turn: TurnRecord, position: MessagePosition): MessageRecord {
  return {
    ...blankMessage(turn, position),
    id: turn.questionMessageId,
    itemId: 'question',
    role: 'user',
    content: turn.question,
  }
}

export interface GivenAnswer {
  readonly text: string
  /** Why it is not complete; null where it is. */
  readonly failure: string | null
}

/** The answer as the message that is stored of it: also one that was cut off, with what was said of it. */
export function answerMessage(
  turn: TurnRecord,
  position: MessagePosition,
  { text, failure }: GivenAnswer,
): MessageRecord {
  return {
    ...blankMessage(turn, position),
    id: turn.answerMessageId,
    itemId: 'answer',
    role: 'assistant',
    content: storable(text),
    interrupted: failure !== null,
    failure: failure === null ? null : storable(failure),
  }
}

function blankMessage(turn: TurnRecord, { microseconds, counter }: MessagePosition) {
  const saidAt = new Date(Math.floor(microseconds / 1000)).toISOString()
  return {
    organizationId: turn.organizationId,
    conversationId: turn.conversationId,
    originId: turn.id,
    contentIndex: 0,
    positionMicroseconds: microseconds,
    positionCounter: counter,
    createdAt: saidAt,
    updatedAt: saidAt,
    channel: 'text',
    interrupted: false,
    failure: null,
    callId: null,
    name: null,
    arguments: null,
    status: null,
    executionTimeSeconds: null,
  } as const
}
