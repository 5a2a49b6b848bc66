import type { TurnEvent } from '@parley/contract'
import type { StoredTurnEvent, TurnRecord } from '../../ports/turn-store.js'

/** Events as they are stored, numbered after that one. */
export function numberedAfter(sequence: number, events: readonly TurnEvent[]): StoredTurnEvent[] {
  return events.map((event, index) => ({ sequence: sequence + 1 + index, event: JSON.stringify(event) }))
}

/** The first event of a turn: that the question was taken. */
export function startedEvent({
  id,
  conversationId,
}: Pick<TurnRecord, 'id' | 'conversationId'>): StoredTurnEvent {
  const event: TurnEvent = { type: 'turn.started', data: { conversationId, turnId: id } }
  return { sequence: 1, event: JSON.stringify(event) }
}
