import type { LoggedEvent } from './logged-event'

export interface EventFilter {
  readonly text: string
  readonly direction: 'all' | 'in' | 'out'
  /** Null for all types. */
  readonly type: string | null
}

const texts = new WeakMap<object, string>()

/** Events are immutable, so their text is cached. */
function textOf(event: LoggedEvent): string {
  const known = texts.get(event.event)
  if (known !== undefined) return known
  const text = JSON.stringify(event.event).toLowerCase()
  texts.set(event.event, text)
  return text
}

export function filterEvents(events: readonly LoggedEvent[], filter: EventFilter): readonly LoggedEvent[] {
  const wanted = filter.text.trim().toLowerCase()
  return events.filter(
    (event) =>
      (filter.direction === 'all' || event.direction === filter.direction) &&
      (filter.type === null || event.type === filter.type) &&
      (wanted === '' || textOf(event).includes(wanted)),
  )
}

export function typesOf(events: readonly LoggedEvent[]): string[] {
  return [...new Set(events.map(({ type }) => type))].toSorted()
}
