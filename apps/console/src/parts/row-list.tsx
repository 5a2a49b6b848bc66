import { Skeleton, VisuallyHidden } from '@mantine/core'
import { useVirtualizer, useWindowVirtualizer } from '@tanstack/react-virtual'
import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react'
import type { Rows } from '../data/use-rows'
import { ErrorNotice } from './error-notice'
import styles from './row-list.module.css'

export interface Column<Item> {
  readonly title: string
  /** A track of a CSS grid: `2fr`, `8rem`, … */
  readonly width: string
  readonly cell: (item: Item) => ReactNode
  /** Keeps at least 30 % of the list's width. */
  readonly isMain?: boolean
  /** Hidden on a phone. */
  readonly isMinor?: boolean
  /** The column is hidden while it is empty in all loaded rows. */
  readonly isEmpty?: (item: Item) => boolean
}

interface RowListProps<Item> {
  /** The accessible name of the list. */
  readonly label: string
  readonly rows: Rows<Item>
  readonly columns: readonly Column<Item>[]
  readonly onOpen?: (item: Item) => void
  /** Shown if the list is empty. */
  readonly empty: ReactNode
  /** Whether the rows scroll with the page, below other contents. By default, the list fills its place and scrolls. */
  readonly isInPage?: boolean
}

const rowHeight = 48
const headHeight = 36

/** A list of any length. Only visible rows are loaded and rendered. */
export function RowList<Item extends { readonly id: string }>(props: RowListProps<Item>) {
  const { label, rows, onOpen, empty, isInPage = false } = props
  const scroll = useRef<HTMLDivElement>(null)
  const count = rows.totalCount ?? 8
  const { items, top, height } = useVisibleRows(scroll, { count, isInPage })
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0]
  useEffect(() => rows.show(first, last))
  useBeginning(scroll, rows.name)

  const columns = props.columns.filter(({ isEmpty }) => isEmpty === undefined || !rows.loaded.every(isEmpty))
  if (rows.error !== null && rows.totalCount === undefined)
    return <ErrorNotice error={rows.error} onRetry={rows.retry} />
  if (rows.totalCount === 0) return <div className={styles.frame}>{empty}</div>
  const open = (item: Item | undefined) => () => item !== undefined && onOpen?.(item)
  return (
    <div className={styles.frame} style={columnTracks(columns)} data-in-page={isInPage || undefined}>
      <VisuallyHidden aria-live="polite">
        {rows.totalCount !== undefined && `${rows.totalCount} ${rows.totalCount === 1 ? 'row' : 'rows'}`}
      </VisuallyHidden>
      <div
        role="table"
        aria-label={label}
        aria-rowcount={rows.totalCount ?? -1}
        aria-busy={rows.isOutdated || rows.totalCount === undefined}
        className={styles.scroll}
        ref={scroll}
      >
        <div role="rowgroup">
          <div role="row" className={styles.head}>
            {columns.map(({ title, isMinor }) => (
              <div
                role="columnheader"
                key={title}
                className={isMinor ? styles.minor : undefined}
                tabIndex={-1}
              >
                {title}
              </div>
            ))}
          </div>
        </div>
        <div role="rowgroup" style={{ height, position: 'relative' }}>
          {items.map(({ index, start }) => {
            const item = rows.at(index)
            return (
              <div
                role="row"
                key={item?.id ?? `row-${index}`}
                className={styles.row}
                style={{ transform: `translateY(${start - top}px)` }}
                aria-rowindex={index + 2}
                data-opens={onOpen !== undefined || undefined}
                tabIndex={onOpen === undefined ? -1 : 0}
                onClick={open(item)}
                onKeyDown={(event) => moveOrOpen(event, open(item))}
              >
                {columns.map(({ title, cell, isMinor }) => (
                  <div role="cell" key={title} className={`${styles.cell} ${isMinor ? styles.minor : ''}`}>
                    {item === undefined ? <Skeleton h={14} w="70%" /> : cell(item)}
                  </div>
                ))}
              </div>
            )
          })}
        </div>
      </div>
    </div>
  )
}

interface VisibleRowsOptions {
  readonly count: number
  readonly isInPage: boolean
}

/** The rows near the visible part of the list or the page. `top` is the position of the first row. */
function useVisibleRows(scroll: RefObject<HTMLElement | null>, { count, isInPage }: VisibleRowsOptions) {
  const [top, setTop] = useState(0)
  useEffect(() => {
    if (!isInPage) return
    // Contents above the list change their height while they load.
    const measure = () => {
      const list = scroll.current?.getBoundingClientRect().top
      if (list !== undefined) setTop(Math.round(list + window.scrollY) + headHeight)
    }
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [scroll, isInPage])
  const shared = { count, estimateSize: () => rowHeight, overscan: 12 }
  const own = useVirtualizer({ ...shared, getScrollElement: () => scroll.current, enabled: !isInPage })
  const ofPage = useWindowVirtualizer({ ...shared, scrollMargin: top, enabled: isInPage })
  const virtual = isInPage ? ofPage : own
  return { items: virtual.getVirtualItems(), top: isInPage ? top : 0, height: virtual.getTotalSize() }
}

/** Scrolls a new list to its first row. */
function useBeginning(scroll: RefObject<HTMLElement | null>, name: string): void {
  const shown = useRef(name)
  useEffect(() => {
    if (shown.current !== name) {
      scroll.current?.scrollTo({ top: 0 })
      // A list in the page may begin above the visible part.
      if ((scroll.current?.getBoundingClientRect().top ?? 0) < 0) scroll.current?.scrollIntoView()
    }
    shown.current = name
  }, [scroll, name])
}

function columnTracks<Item>(columns: readonly Column<Item>[]): CSSProperties {
  const tracks = (some: readonly Column<Item>[]) =>
    some.map(({ width, isMain }) => `minmax(${isMain ? '30%' : '0'}, ${width})`).join(' ')
  return {
    '--columns': tracks(columns),
    '--narrow-columns': tracks(columns.filter(({ isMinor }) => !isMinor)),
  } as CSSProperties
}

function moveOrOpen(event: KeyboardEvent<HTMLElement>, open: () => void): void {
  if (event.target !== event.currentTarget) return
  if (event.key === 'Enter') open()
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  event.preventDefault()
  const wanted = Number(event.currentTarget.ariaRowIndex) + step
  const rows = event.currentTarget.parentElement?.querySelectorAll<HTMLElement>('[role=row]') ?? []
  for (const row of rows) if (Number(row.ariaRowIndex) === wanted) row.focus()
}
