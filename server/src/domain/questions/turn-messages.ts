import type { TurnEvent } from '@parley/contract'
import type { MessageRecord } from '../../ports/conversation-store.js'
import type { TurnRecord } from '../../ports/turn-store.js'
import { storable } from '../storable-text.js'

type Place = { readonly microseconds: number; readonly counter: number }

/** The question as the message that is stored of it. */
export function questionMessage(turn: TurnRecord, place: Place): MessageRecord {
  return {
    ...blankMessage(turn, place),
    id: turn.questionMessageId,
    itemId: 'question',
    role: 'user',
    content: turn.question,
  }
}

/** What followers are told of it. */
export function createdEvent(turn: TurnRecord, createdAt: string): TurnEvent {
  const { agentId, questionMessageId, question } = turn
  return {
    type: 'message.created',
    data: { chatbotId: agentId, id: questionMessageId, role: 'user', content: question, createdAt },
  }
}

export interface GivenAnswer {
  readonly text: string
  /** Why it is not complete; null where it is. */
  readonly failure: string | null
}

/** The answer as the message that is stored of it: also one that was cut off, with what was said of it. */
export function answerMessage(turn: TurnRecord, place: Place, answer: GivenAnswer): MessageRecord {
  return {
    ...blankMessage(turn, place),
    id: turn.answerMessageId,
    itemId: 'answer',
    role: 'assistant',
    content: storable(answer.text),
    interrupted: answer.failure !== null,
    failure: answer.failure === null ? null : storable(answer.failure),
  }
}

function blankMessage(turn: TurnRecord, place: Place) {
  const saidAt = new Date(Math.floor(place.microseconds / 1000)).toISOString()
  return {
    organizationId: turn.organizationId,
    conversationId: turn.conversationId,
    originId: turn.id,
    contentIndex: 0,
    positionMicroseconds: place.microseconds,
    positionCounter: place.counter,
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
