import type { QuestionAnswer, TurnErrorCode, TurnEvent } from '@parley/contract'
import type { ChangeSignals } from '../../ports/changes.js'
import type { StoredTurnEvent, TurnRecord } from '../../ports/conversation-stores.js'
import type { Database } from '../../ports/database.js'
import type { Timers } from '../../ports/time.js'
import { DomainError } from '../domain-error.js'
import { answerSoFar } from './turns.js'

/** The interval between polls for a turn of another instance, if no signal arrives earlier. */
const pollMilliseconds = 250
const batchSize = 500
/**
 * The maximum number of polls that fail because the database is unavailable. After that, the stream ends and
 * can be resumed.
 */
const maxFailures = 240

export interface FollowDependencies {
  readonly database: Database
  readonly timers: Timers
  readonly feeds: TurnFeeds
}

/**
 * Yields the events of a turn after the given one, until the turn has ended or the signal aborts. Events are
 * stored before they are emitted, so a follower may connect to any instance and may reconnect.
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
        // Reads the turn before its events, because the last events are stored together with the end of the
        // turn.
        const turn = await turns.find(organizationId, conversationId, id)
        const hasEnded = turn === null || turn.endedAt !== null
        return { hasEnded, events: await turns.eventsAfter(id, last, batchSize) }
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
      // A follower that is being disconnected first receives the events that are already waiting.
      const isLast = feeds.isOver
      try {
        const recent = feeds.recentAfter(id, last)
        const { hasEnded, events } = recent === null ? await stored() : { hasEnded: false, events: recent }
        // The subscription starts with a signal, so that events that were stored before it are found.
        if (recent === null && !hasEnded) stopListening ??= feeds.listenElsewhere(id, () => feeds.wake(id))
        for (const event of events) {
          yield event
          last = event.sequence
          failures = 0
        }
        if ((hasEnded || isLast) && events.length < batchSize) return
        if (events.length === 0) await change.happened
      } finally {
        change.stop()
      }
    }
  } finally {
    stopListening?.()
  }
}

/** Subscribes immediately, so that no later change is missed. */
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

/**
 * Waits until the turn has ended or a call waits for approval. Returns the current state if the caller
 * disconnects. Throws if there will be no answer.
 */
export async function awaitAnswer(
  dependencies: FollowDependencies,
  turn: TurnRecord,
  signal: AbortSignal,
): Promise<QuestionAnswer> {
  let errorCode: TurnErrorCode | null = null
  for await (const { event } of followTurn(dependencies, turn, 0, signal)) {
    const { type, data } = JSON.parse(event) as TurnEvent
    if (type === 'error') errorCode = data.code
    if (type !== 'approval.waiting') continue
    // The turn may have ended long ago, because a question can be sent again with its key.
    const answer = await currentAnswer(dependencies, turn)
    if (answer.status === 'waiting_for_approval') return answer
  }
  const answer = await currentAnswer(dependencies, turn)
  if (answer.status === 'failed')
    throw new DomainError(
      errorCode === 'response_schema_not_met' ? 'ResponseSchemaNotMet' : 'Unavailable',
      `${answer.failure ?? 'The agent could not answer.'} The question is stored as turn ${turn.id} of conversation ${turn.conversationId}.`,
    )
  return answer
}

async function currentAnswer(
  { database }: FollowDependencies,
  { organizationId, conversationId, id }: TurnRecord,
): Promise<QuestionAnswer> {
  const { stores } = database.ownedBy({ organizationId, kind: 'follow' })
  const turn = await stores.turns.find(organizationId, conversationId, id)
  if (turn === null) throw new DomainError('NotFound', 'The conversation was deleted.')
  return answerSoFar(stores, turn)
}

/** The maximum number of events of a turn in memory. Slower followers read from the database. */
const keptEvents = 512

interface Feed {
  readonly events: StoredTurnEvent[]
  readonly followers: Set<() => void>
}

/** The recently stored events of this instance's turns, for its followers. */
export class TurnFeeds {
  readonly #signals: ChangeSignals
  readonly #feeds = new Map<string, Feed>()
  #isOver = false

  constructor(signals: ChangeSignals) {
    this.#signals = signals
  }

  /** Whether all followers were disconnected. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** Publishes stored events. */
  publish(turnId: string, events: readonly StoredTurnEvent[]): void {
    const feed = this.#feeds.get(turnId) ?? { events: [], followers: new Set() }
    this.#feeds.set(turnId, feed)
    feed.events.push(...events)
    if (feed.events.length > keptEvents) feed.events.splice(0, feed.events.length - keptEvents)
    wake(feed)
    this.#signals.publish(`turn ${turnId}`)
  }

  /** Called when the turn has ended on this instance. No more events follow. */
  close(turnId: string, organizationId: string): void {
    this.#signals.publish(`turn ${turnId}`)
    // The next question of the conversation may be waiting on another instance.
    this.#signals.publishChange(`turns ${organizationId}`)
    const feed = this.#feeds.get(turnId)
    if (feed === undefined) return
    feed.events.length = 0
    if (feed.followers.size === 0) this.#feeds.delete(turnId)
    wake(feed)
  }

  /** Returns the events after the given one, or null if some of them are no longer in memory. */
  recentAfter(turnId: string, sequence: number): readonly StoredTurnEvent[] | null {
    const events = this.#feeds.get(turnId)?.events ?? []
    const first = events[0]
    if (first === undefined || first.sequence > sequence + 1) return null
    return events.slice(events.findLastIndex((event) => event.sequence <= sequence) + 1)
  }

  /**
   * Calls `onChange` when events of another instance's turn may have been stored. Returns a function that
   * unsubscribes.
   */
  listenElsewhere(turnId: string, onChange: () => void): () => void {
    return this.#signals.subscribe(`turn ${turnId}`, onChange)
  }

  /** Calls back whenever something is stored. Returns a function that unsubscribes. */
  listen(turnId: string, onChange: () => void): () => void {
    const feed = this.#feeds.get(turnId) ?? { events: [], followers: new Set() }
    this.#feeds.set(turnId, feed)
    feed.followers.add(onChange)
    return () => {
      feed.followers.delete(onChange)
      if (feed.followers.size === 0 && feed.events.length === 0) this.#feeds.delete(turnId)
    }
  }

  /** Called when any instance may have stored events of the turn. */
  wake(turnId: string): void {
    const feed = this.#feeds.get(turnId)
    if (feed !== undefined) wake(feed)
  }

  /** Returns whether the turn has followers on this instance. */
  isFollowed(turnId: string): boolean {
    return (this.#feeds.get(turnId)?.followers.size ?? 0) > 0
  }

  /** Disconnects all followers. They can reconnect to another instance. */
  end(): void {
    this.#isOver = true
    for (const feed of this.#feeds.values()) wake(feed)
  }
}

function wake({ followers }: Feed): void {
  for (const follower of [...followers]) follower()
}
