import type { Clock } from '../../ports/clock.js'
import type { Database } from '../../ports/database.js'
import type { Timers } from '../../ports/timers.js'
import type { StoredTurnEvent, TurnRecord } from '../../ports/turn-store.js'
import { createdEvent, questionMessage } from './turn-messages.js'

/** It runs, it waits for earlier questions, or somebody else has ended it. */
export type StartOutcome = 'started' | 'waiting' | 'over'

/** The database's time when the turn started, and the monotonic time then: places are counted from there. */
export interface TurnStart {
  readonly microseconds: number
  readonly monotonic: number
}

export interface StartTurnDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly timers: Timers
}

/** Starts a turn if it is next: its question is stored with it. `hasFailed`: it was tried before, and nobody knows what came of that. */
export function startTurn(
  { database, clock, timers }: StartTurnDependencies,
  turn: TurnRecord,
  hasFailed: boolean,
): Promise<
  Exclude<StartOutcome, 'started'> | { readonly start: TurnStart; readonly stored: StoredTurnEvent }
> {
  return database.transaction(async (stores) => {
    await stores.conversations.lock(turn.conversationId)
    const microseconds = await stores.turns.start(turn.id, clock.now().toISOString())
    if (microseconds === null) {
      const current = await stores.turns.find(turn.organizationId, turn.conversationId, turn.id)
      return current?.endedAt === null ? 'waiting' : 'over'
    }
    // Not before: places that run ahead of the database's time would come after the next question's.
    const monotonic = timers.monotonic()
    const message = questionMessage(turn, { microseconds, counter: 0 })
    const event = { sequence: 2, event: JSON.stringify(createdEvent(turn, message.createdAt)) }
    await stores.conversations.addMessage(message)
    await stores.turns.addEvents(turn.id, [event])
    // A start whose commit was never answered may have been stored all the same: what stands there is told.
    const [stored = event] = hasFailed ? await stores.turns.eventsAfter(turn.id, 1, 1) : []
    return { start: { microseconds, monotonic }, stored }
  })
}
