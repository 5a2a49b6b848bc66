import type { Clock } from '../../ports/clock.js'
import type { Database, Stores } from '../../ports/database.js'
import type { Timers } from '../../ports/timers.js'
import type { StoredTurnEvent, TurnRecord } from '../../ports/turn-store.js'
import { createdEvent } from './turn-events.js'
import { questionMessage } from './turn-messages.js'

/** The database's time when the turn started, and the monotonic time then: positions are counted from there. */
export interface TurnStart {
  readonly microseconds: number
  readonly monotonic: number
}

export type StartOutcome =
  | { readonly kind: 'started'; readonly start: TurnStart; readonly event: StoredTurnEvent }
  /** An earlier question of the conversation has no answer yet. */
  | { readonly kind: 'waiting' }
  /** Somebody else has ended it, or it was never stored. */
  | { readonly kind: 'over' }

export interface StartTurnDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly timers: Timers
}

/**
 * Starts a turn if it is next, and stores its question. `mayHaveStarted`: an attempt failed before, and may have been
 * committed all the same.
 */
export async function startTurn(
  { database, clock, timers }: StartTurnDependencies,
  turn: TurnRecord,
  mayHaveStarted: boolean,
): Promise<StartOutcome> {
  const start = async (stores: Stores): Promise<StartOutcome> => {
    await stores.conversations.lock(turn.conversationId)
    const microseconds = await stores.turns.start(turn.id, clock.now().toISOString())
    if (microseconds === null) {
      const current = await stores.turns.find(turn.organizationId, turn.conversationId, turn.id)
      return { kind: current?.endedAt === null ? 'waiting' : 'over' }
    }
    // Not before: positions that run ahead of the database's time would come after the next question's.
    const monotonic = timers.monotonic()
    const message = questionMessage(turn, { microseconds, counter: 0 })
    const created = { sequence: 2, event: JSON.stringify(createdEvent(turn, message.createdAt)) }
    await stores.conversations.addMessage(message)
    await stores.turns.addEvents(turn.id, [created])
    // The first attempt's event stays, and followers may have read it already.
    const [event = created] = mayHaveStarted ? await stores.turns.eventsAfter(turn.id, 1, 1) : []
    return { kind: 'started', start: { microseconds, monotonic }, event }
  }
  const { organizationId } = turn
  return database.runFairly({ organizationId, kind: 'log' }, () => database.transaction(start))
}
