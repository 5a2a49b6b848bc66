import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import styles from './events-panel.module.css'
import type { LoggedEvent } from './logged-event'

const rowHeight = 28

interface EventListProps {
  readonly events: readonly LoggedEvent[]
  readonly selectedId: number | null
  readonly onSelect: (id: number) => void
}

/** The event list. It follows new events at the end. Arrow keys move between events. */
export function EventList({ events, selectedId, onSelect }: EventListProps) {
  const scroll = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  const virtual = useVirtualizer({
    count: events.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight,
    overscan: 10,
  })
  const count = events.length
  const newest = events.at(-1)
  useEffect(() => {
    if (isAtEnd.current && newest !== undefined) virtual.scrollToIndex(count - 1, { align: 'end' })
  }, [newest, count, virtual])
  const look = () => {
    const element = scroll.current
    if (element !== null)
      isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < rowHeight * 2
  }
  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const index = events.findIndex(({ id }) => id === selectedId)
    const next = index < 0 ? events.length - 1 : Math.min(events.length - 1, Math.max(0, index + step))
    const found = events[next]
    if (found === undefined) return
    onSelect(found.id)
    virtual.scrollToIndex(next)
  }
  return (
    <div
      className={styles.list}
      ref={scroll}
      onScroll={look}
      role="listbox"
      aria-label="Events"
      tabIndex={0}
      onKeyDown={move}
      aria-activedescendant={selectedId === null ? undefined : `event-${selectedId}`}
    >
      <div style={{ height: virtual.getTotalSize(), position: 'relative' }} role="presentation">
        {virtual.getVirtualItems().map(({ index, start }) => {
          const event = events[index]
          if (event === undefined) return null
          return (
            <div
              key={event.id}
              id={`event-${event.id}`}
              className={styles.row}
              style={{ transform: `translateY(${start}px)` }}
              role="option"
              aria-selected={event.id === selectedId}
              aria-posinset={index + 1}
              aria-setsize={events.length}
              onClick={() => onSelect(event.id)}
            >
              <EventRow event={event} />
            </div>
          )
        })}
      </div>
    </div>
  )
}

function EventRow({ event: { at, direction, type, audio } }: { readonly event: LoggedEvent }) {
  return (
    <>
      <span className={styles.quiet}>{clock(at)}</span>
      <span
        role="img"
        aria-label={direction === 'in' ? 'received' : 'sent'}
        title={direction === 'in' ? 'received' : 'sent'}
      >
        {direction === 'in' ? '↓' : '↑'}
      </span>
      <span className={styles.type} title={type}>
        {type}
      </span>
      <span className={styles.quiet}>
        {audio === null ? '' : `${audio.seconds.toFixed(1)} s${audio.count > 1 ? ` ×${audio.count}` : ''}`}
      </span>
    </>
  )
}

/** Minutes, seconds and milliseconds. */
function clock(at: number): string {
  return new Date(at).toISOString().slice(14, 23)
}
