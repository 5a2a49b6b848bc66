import { coversScope, type LiveChange, type LiveEvent, liveResources, type Scope } from '@parley/contract'

/** What a stream sends: an event, or the bare cursor, which keeps the connection and its place. */
export interface SentEvent {
  /** The cursor to go on from once this was received; null where it stays. */
  readonly id: string | null
  readonly event: LiveEvent | null
}

/** Why a stream ended: its reader left, read too slowly, lost the right to it, or the service stops. */
export type StreamEnd = 'left' | 'slow' | 'refused' | 'stopped'

/** More than that does not wait for a slow reader: a cursor is enough to go on from later. */
const maxWaitingEvents = 1000

export interface LiveStreamOptions {
  readonly scopes: readonly Scope[]
  readonly onEnd: (end: StreamEnd) => void
}

/** What one reader is told, in order, as fast as they read. */
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

  /** Puts the first events before those that came meanwhile. */
  begin(events: readonly SentEvent[]): void {
    this.#waiting.unshift(...events)
  }

  /**
   * Tells of those changes that the reader could read. Only the last one moves the cursor on: whoever breaks off before
   * it is told all of them again.
   */
  tell(changes: readonly LiveChange[], before: string, after: string): void {
    this.#push(...this.eventsOf(changes, before, after))
  }

  eventsOf(changes: readonly LiveChange[], before: string, after: string): readonly SentEvent[] {
    const { scopes } = this.#options
    const readable = changes.filter(({ resource }) => coversScope(scopes, liveResources[resource]))
    return readable.map((data, index) => ({
      id: index === readable.length - 1 ? after : before,
      event: { type: 'changed', data },
    }))
  }

  /** Everything is to be read again. */
  reset(cursor: string): void {
    this.#push({ id: cursor, event: { type: 'reset', data: {} } })
  }

  /** Nothing happened up to this cursor that was not told. */
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
