import { isAudioType, type LoggedEvent, withoutAudio } from './logged-event'

const maxEvents = 500
/** Audio arrives 25 times a second. Rendering is batched. */
const notifyMilliseconds = 100

/** The newest events, for debugging. Consecutive audio events are merged into one. */
export class EventLog {
  readonly #listeners = new Set<() => void>()
  #events: readonly LoggedEvent[] = []
  #nextId = 1
  #timer: ReturnType<typeof setTimeout> | null = null

  readonly get = (): readonly LoggedEvent[] => this.#events

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  add(direction: 'in' | 'out', event: object): void {
    const type = 'type' in event && typeof event.type === 'string' ? event.type : 'unknown'
    const isAudio = isAudioType(type)
    const { event: kept, seconds } = withoutAudio(event, isAudio)
    const index = isAudio ? this.#soundGoingOn(direction, type) : -1
    const before = this.#events[index]
    const at = Date.now()
    if (before?.audio) {
      const audio = { count: before.audio.count + 1, seconds: before.audio.seconds + seconds }
      this.#events = this.#events.with(index, { ...before, event: kept, audio })
    } else {
      const audio = isAudio ? { count: 1, seconds } : null
      const logged = { id: this.#nextId++, at, direction, type, event: kept, audio }
      this.#events = [...this.#events.slice(1 - maxEvents), logged]
    }
    this.#notify()
  }

  clear(): void {
    this.#events = []
    this.#notify()
  }

  /** The last event of that direction, if it is audio of the same type. */
  #soundGoingOn(direction: 'in' | 'out', type: string): number {
    const index = this.#events.findLastIndex((event) => event.direction === direction)
    return this.#events[index]?.type === type ? index : -1
  }

  #notify(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      for (const listener of [...this.#listeners]) listener()
    }, notifyMilliseconds)
  }
}
