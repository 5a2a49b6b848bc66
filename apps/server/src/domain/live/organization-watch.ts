import { coversScope, type LiveChange, type LiveEvent, liveResources, type Scope } from '@parley/contract'
import type { ChangeCursor, ChangeStore, FoundChanges } from '../../ports/changes.js'
import type { Database } from '../../ports/database.js'
import type { Log } from '../../ports/log.js'
import type { Timers } from '../../ports/time.js'
import {
  canResume,
  cursorIn,
  cursorText,
  isAccessChange,
  PacedActivities,
  RecentlyReported,
  toLiveEvents,
} from './live-events.js'

const pollMilliseconds = 1000
/** The minimum interval between polls, because each poll is a query. */
const minMilliseconds = 25
/**
 * The maximum number of changes per poll. If there are more, a single event tells the client to fetch
 * everything again.
 */
const maxChangesAtOnce = 500
/** The number of earlier changes that a new watch loads. */
const maxRemembered = 2000

export interface WatchDependencies {
  readonly database: Database
  readonly timers: Timers
  readonly log: Log
}

/**
 * Polls the changes of one organization for all of its streams on this instance. Does not poll while there
 * are no streams. A poll uses one of the organization's database slots.
 */
export class OrganizationWatch {
  readonly streams = new Set<LiveStream>()
  readonly #dependencies: WatchDependencies
  readonly #organizationId: string
  readonly #changes: ChangeStore
  readonly #onAccessChange: () => void
  readonly #reported = new RecentlyReported()
  readonly #paced = new PacedActivities()
  #cursor: ChangeCursor | null = null
  #beginning: Promise<ChangeCursor> | null = null
  #isPolling = false
  #isWokenMeanwhile = false
  #isFailing = false
  #isStopped = false
  #polledAt = Number.NEGATIVE_INFINITY
  #cancelNext: () => void = () => undefined

  /** `onAccessChange` is called when a member of the organization may have lost a right. */
  constructor(dependencies: WatchDependencies, organizationId: string, onAccessChange: () => void) {
    this.#dependencies = dependencies
    this.#organizationId = organizationId
    this.#changes = dependencies.database.ownedBy({ organizationId, kind: 'follow' }).stores.changes
    this.#onAccessChange = onAccessChange
  }

  /** The cursor of the streams, or null before the first poll. */
  get cursor(): string | null {
    const cursor = this.#paced.heldFrom ?? this.#cursor
    return cursor === null ? null : cursorText(cursor)
  }

  /** Returns the first events of a stream: new ones, or those after the cursor of an earlier stream. */
  async firstEvents(stream: LiveStream, lastEventId: string | null): Promise<readonly SentEvent[]> {
    const here = cursorText(await this.#begin())
    if (lastEventId === null) return [ready(here)]
    const cursor = cursorIn(lastEventId)
    const present = await this.#changes.present()
    if (cursor === null || !canResume(cursor, present)) return startingOver(present)
    const found = await this.#changes.after(this.#organizationId, cursor, maxChangesAtOnce + 1)
    if (found.changes.length > maxChangesAtOnce) return startingOver(found.cursor)
    const changes = toLiveEvents(found.changes, new RecentlyReported())
    const after = cursorText(found.cursor)
    // The cursor advances even if the reader may not see any of the changes.
    const events = stream.eventsOf(changes, lastEventId, after)
    return [ready(lastEventId), ...(events.length > 0 ? events : [{ id: after, event: null }])]
  }

  /** Called after a change. Schedules a poll soon. */
  wake(): void {
    if (this.#isPolling) this.#isWokenMeanwhile = true
    else if (this.#cursor !== null) this.#pollIn(minMilliseconds)
  }

  stop(): void {
    this.#isStopped = true
    this.#cancelNext()
  }

  async #begin(): Promise<ChangeCursor> {
    if (this.#cursor !== null) return this.#cursor
    this.#beginning ??= this.#lookBack()
    try {
      return await this.#beginning
    } finally {
      this.#beginning = null
    }
  }

  /** Records recent audit records as reported, so that they are not sent again when they are sealed. */
  async #lookBack(): Promise<ChangeCursor> {
    const present = await this.#changes.present()
    const everything = { ...present, nextTransaction: 0, openTransactions: [] }
    const { changes, cursor } = await this.#changes.after(this.#organizationId, everything, maxRemembered)
    this.#reported.moveTo(cursor.microseconds)
    for (const { kind, id } of changes) if (kind !== 'activity') this.#reported.note(id)
    this.#cursor = cursor
    this.#pollIn(pollMilliseconds)
    return cursor
  }

  /** Schedules the next poll for this long after the last one, or immediately if that time has passed. */
  #pollIn(milliseconds: number): void {
    const { timers } = this.#dependencies
    this.#cancelNext()
    if (this.#isStopped) return
    const left = this.#polledAt + milliseconds - timers.monotonic()
    this.#cancelNext = timers.after(Math.min(Math.max(left, 0), milliseconds), () => void this.#poll())
  }

  async #poll(): Promise<void> {
    const { log, timers } = this.#dependencies
    const since = this.#cursor
    if (this.#isPolling || since === null) return
    this.#isPolling = true
    this.#isWokenMeanwhile = false
    this.#polledAt = timers.monotonic()
    try {
      const found = await this.#changes.after(this.#organizationId, since, maxChangesAtOnce + 1)
      this.#isFailing = false
      if (!this.#isStopped) this.#enqueue(found, since)
    } catch (error) {
      // The next poll starts from the same cursor, so no change is lost.
      if (!this.#isFailing) log.warn({ err: error }, 'changes could not be read; streams are delayed')
      this.#isFailing = true
    }
    this.#isPolling = false
    this.#pollIn(this.#isWokenMeanwhile ? minMilliseconds : pollMilliseconds)
  }

  #enqueue({ cursor, changes: found }: FoundChanges, since: ChangeCursor): void {
    const before = this.cursor ?? cursorText(since)
    this.#cursor = cursor
    this.#reported.moveTo(cursor.microseconds)
    if (found.length > maxChangesAtOnce)
      for (const stream of [...this.streams]) stream.reset(cursorText(cursor))
    else {
      const reported = toLiveEvents(this.#paced.pass(found, since, this.#polledAt), this.#reported)
      this.#sendToAll(reported, before, this.cursor ?? cursorText(cursor))
    }
    // The skipped changes may include a lost right.
    if (found.length > maxChangesAtOnce || found.some(isAccessChange)) this.#onAccessChange()
  }

  #sendToAll(changes: readonly LiveChange[], before: string, after: string): void {
    for (const stream of [...this.streams]) stream.enqueue(changes, before, after)
  }
}

const ready = (id: string | null): SentEvent => ({ id, event: { type: 'ready', data: {} } })

/**
 * Only the reset event carries the cursor. A reader that disconnects before it therefore gets another reset.
 */
const startingOver = (cursor: ChangeCursor): readonly SentEvent[] => [
  ready(null),
  { id: cursorText(cursor), event: { type: 'reset', data: {} } },
]

/** An item of a stream: an event, or a cursor alone, which also serves as a heartbeat. */
export interface SentEvent {
  /** The cursor to resume from after this item. Null if the cursor is unchanged. */
  readonly id: string | null
  readonly event: LiveEvent | null
}

/**
 * Why a stream ended: the client disconnected, was too slow or lost its rights, or the service shuts down.
 */
export type StreamEnd = 'left' | 'slow' | 'refused' | 'stopped'

/** The maximum number of queued events for a slow reader. It can resume later from its cursor. */
const maxWaitingEvents = 1000

interface LiveStreamOptions {
  readonly scopes: readonly Scope[]
  readonly onEnd: (end: StreamEnd) => void
}

/** The event queue of one reader. Events are sent in order, as fast as the reader consumes them. */
export class LiveStream implements AsyncIterable<SentEvent> {
  readonly #options: LiveStreamOptions
  #waiting: SentEvent[] = []
  #isOver = false
  #wake: () => void = () => undefined

  constructor(options: LiveStreamOptions) {
    this.#options = options
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** Inserts the first events before those that arrived in the meantime. */
  begin(events: readonly SentEvent[]): void {
    this.#waiting.unshift(...events)
  }

  /**
   * Sends the changes that the reader may see. Only the last event advances the cursor, so that a reader that
   * disconnects before it gets all of them again.
   */
  enqueue(changes: readonly LiveChange[], before: string, after: string): void {
    this.#push(...this.eventsOf(changes, before, after))
  }

  eventsOf(changes: readonly LiveChange[], before: string, after: string): readonly SentEvent[] {
    const { scopes } = this.#options
    const readable = changes.filter(({ resource }) => coversScope(scopes, liveResources[resource]))
    const isNamed = coversScope(scopes, 'conversation:read')
    const shown = isNamed ? readable : readable.map((change) => ({ ...change, externalUserId: null }))
    return shown.map((data, index) => ({
      id: index === readable.length - 1 ? after : before,
      event: { type: 'changed', data },
    }))
  }

  /** Sends a reset event, which tells the client to fetch everything again. */
  reset(cursor: string): void {
    this.#push({ id: cursor, event: { type: 'reset', data: {} } })
  }

  /** Advances the cursor without an event. */
  mark(cursor: string): void {
    this.#push({ id: cursor, event: null })
  }

  end(end: StreamEnd): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#waiting = []
    this.#wake()
    this.#options.onEnd(end)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SentEvent> {
    while (!this.#isOver) {
      const next = this.#waiting.shift()
      if (next !== undefined) yield next
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
    }
  }

  #push(...events: readonly SentEvent[]): void {
    if (this.#isOver) return
    if (this.#waiting.length + events.length > maxWaitingEvents) return this.end('slow')
    this.#waiting.push(...events)
    this.#wake()
  }
}
