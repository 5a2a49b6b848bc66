import type { TurnErrorCode, TurnEvent } from '@parley/contract'
import type { StoredTurnEvent, TurnRecord } from '../../ports/turn-store.js'

/** Events as they are stored, numbered after that one. */
export function numberedAfter(sequence: number, events: readonly TurnEvent[]): StoredTurnEvent[] {
  return events.map((event, index) => ({ sequence: sequence + 1 + index, event: JSON.stringify(event) }))
}

/** The first event of a turn: that the question was accepted. */
export function startedEvent({
  id,
  conversationId,
}: Pick<TurnRecord, 'id' | 'conversationId'>): StoredTurnEvent {
  const event: TurnEvent = { type: 'turn.started', data: { conversationId, turnId: id } }
  return { sequence: 1, event: JSON.stringify(event) }
}

/** The question is stored as a message. */
export function createdEvent(turn: TurnRecord, createdAt: string): TurnEvent {
  const { agentId, questionMessageId, question } = turn
  return {
    type: 'message.created',
    data: { chatbotId: agentId, id: questionMessageId, role: 'user', content: question, createdAt },
  }
}

/** The answer goes on. */
export function deltaEvent({ agentId, answerMessageId }: TurnRecord, delta: string): TurnEvent {
  return { type: 'response.text.delta', data: { chatbotId: agentId, id: answerMessageId, delta } }
}

/** The answer is stored as a message. */
export function answerEvent({ agentId, answerMessageId }: TurnRecord): TurnEvent {
  return { type: 'response.id', data: { chatbotId: agentId, id: answerMessageId } }
}

/** The last event of a turn whose answer is complete. */
export function completedEvent({ agentId }: TurnRecord): TurnEvent {
  return { type: 'response.completed', data: { chatbotId: agentId } }
}

/** The last event of every other. */
export function errorEvent(code: TurnErrorCode, message: string): TurnEvent {
  return { type: 'error', data: { code, message } }
}
