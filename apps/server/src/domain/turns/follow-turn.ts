import type { Database } from '../../ports/database.js'
import type { Timers } from '../../ports/timers.js'
import type { StoredTurnEvent, TurnRecord } from '../../ports/turn-store.js'
import type { TurnFeeds } from './turn-feeds.js'

/** How long until a turn that is answered elsewhere is polled again, where no signal comes before. */
const pollMilliseconds = 250
const atATime = 500
/** How many polls may fail while the database is away; then the stream breaks, and can be resumed. */
const maxFailures = 240

export interface FollowDependencies {
  readonly database: Database
  readonly timers: Timers
  readonly feeds: TurnFeeds
}

/**
 * The events of a turn after the given one, as they come, until the turn has ended or nobody wants them. They are
 * stored before they are emitted, so it does not matter where the turn is answered, nor how often its stream breaks.
 */
export async function* followTurn(
  { database, timers, feeds }: FollowDependencies,
  { organizationId, conversationId, id }: Pick<TurnRecord, 'organizationId' | 'conversationId' | 'id'>,
  afterSequence: number,
  signal: AbortSignal,
): AsyncGenerator<StoredTurnEvent> {
  const { turns } = database.stores
  let last = afterSequence
  let failures = 0
  let stopListening: (() => void) | null = null

  const stored = async () => {
    try {
      return await database.runFairly({ organizationId, kind: 'follow' }, async () => {
        // First whether it has ended, then its events: the last ones are stored together with the end.
        const turn = await turns.find(organizationId, conversationId, id)
        const hasEnded = turn === null || turn.endedAt !== null
        return { hasEnded, events: await turns.eventsAfter(id, last, atATime) }
      })
    } catch (error) {
      failures += 1
      if (failures > maxFailures) throw error
      return { hasEnded: false, events: [] }
    }
  }

  try {
    while (!signal.aborted) {
      const change = nextChange(feeds, timers, id, signal)
      // Whoever is sent away gets first what there is.
      const isLast = feeds.isOver
      try {
        const recent = feeds.recentAfter(id, last)
        const { hasEnded, events } = recent === null ? await stored() : { hasEnded: false, events: recent }
        // What is stored before the subscription stands is found by the signal that it begins with.
        if (recent === null && !hasEnded) stopListening ??= feeds.listenElsewhere(id, () => feeds.wake(id))
        for (const event of events) {
          yield event
          last = event.sequence
          failures = 0
        }
        if ((hasEnded || isLast) && events.length < atATime) return
        if (events.length === 0) await change.happened
      } finally {
        change.stop()
      }
    }
  } finally {
    stopListening?.()
  }
}

/** Begins to listen at once, so that nothing that happens from now on is missed. */
function nextChange(feeds: TurnFeeds, timers: Timers, turnId: string, signal: AbortSignal) {
  let report: () => void = () => undefined
  const happened = new Promise<void>((resolve) => {
    report = resolve
  })
  const stopListening = feeds.listen(turnId, report)
  const cancel = timers.after(pollMilliseconds, report)
  signal.addEventListener('abort', report, { once: true })
  if (signal.aborted) report()
  return {
    happened,
    stop() {
      stopListening()
      cancel()
      signal.removeEventListener('abort', report)
    },
  }
}
