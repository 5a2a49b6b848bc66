import type { ChangeSignals } from '../../ports/change-signals.js'
import type { StoredTurnEvent } from '../../ports/turn-store.js'

/** How many events of a turn are kept in memory; whoever is further behind reads the database. */
const keptEvents = 512

interface Feed {
  readonly events: StoredTurnEvent[]
  readonly followers: Set<() => void>
}

/** What has just been stored of the turns that are answered here, for those who follow them here. */
export class TurnFeeds {
  readonly #signals: ChangeSignals
  readonly #feeds = new Map<string, Feed>()
  #isOver = false

  constructor(signals: ChangeSignals) {
    this.#signals = signals
  }

  /** Whether nobody is served any more. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** These events are stored. */
  publish(turnId: string, events: readonly StoredTurnEvent[]): void {
    const feed = this.#feeds.get(turnId) ?? { events: [], followers: new Set() }
    this.#feeds.set(turnId, feed)
    feed.events.push(...events)
    if (feed.events.length > keptEvents) feed.events.splice(0, feed.events.length - keptEvents)
    wake(feed)
    this.#signals.publish(`turn ${turnId}`)
  }

  /** The turn is over here: from now on what is stored is all there is. */
  close(turnId: string, organizationId: string): void {
    this.#signals.publish(`turn ${turnId}`)
    // The next question of the conversation may wait on another instance.
    this.#signals.publishChange(`turns ${organizationId}`)
    const feed = this.#feeds.get(turnId)
    if (feed === undefined) return
    feed.events.length = 0
    if (feed.followers.size === 0) this.#feeds.delete(turnId)
    wake(feed)
  }

  /** The events after that one, where memory has them without a gap; null where it has not. */
  recentAfter(turnId: string, sequence: number): readonly StoredTurnEvent[] | null {
    const events = this.#feeds.get(turnId)?.events ?? []
    const first = events[0]
    if (first === undefined || first.sequence > sequence + 1) return null
    return events.slice(events.findLastIndex((event) => event.sequence <= sequence) + 1)
  }

  /** Calls back when something of a turn that is answered elsewhere may have been stored. Returns how to stop. */
  listenElsewhere(turnId: string, onChange: () => void): () => void {
    return this.#signals.subscribe(`turn ${turnId}`, onChange)
  }

  /** Calls back whenever something is stored. Returns a function that stops it. */
  listen(turnId: string, onChange: () => void): () => void {
    const feed = this.#feeds.get(turnId) ?? { events: [], followers: new Set() }
    this.#feeds.set(turnId, feed)
    feed.followers.add(onChange)
    return () => {
      feed.followers.delete(onChange)
      if (feed.followers.size === 0 && feed.events.length === 0) this.#feeds.delete(turnId)
    }
  }

  /** Something of the turn may have been stored, by whomever. */
  wake(turnId: string): void {
    const feed = this.#feeds.get(turnId)
    if (feed !== undefined) wake(feed)
  }

  /** Whether anybody follows the turn here. */
  isFollowed(turnId: string): boolean {
    return (this.#feeds.get(turnId)?.followers.size ?? 0) > 0
  }

  /** Sends all followers away; they can go on elsewhere. */
  end(): void {
    this.#isOver = true
    for (const feed of this.#feeds.values()) wake(feed)
  }
}

function wake({ followers }: Feed): void {
  for (const follower of [...followers]) follower()
}
