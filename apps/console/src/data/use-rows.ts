import type { Page } from '@parley/sdk'
import { useQueries } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'

const pageSize = 100

interface RowsOptions<Item> {
  /** What the rows are: 'Agent', 'Task', …; what is said to have changed is read again by this name. */
  readonly resource: string
  /** Whose rows they are, where a page has those of one thing: those of another are never shown in their place. */
  readonly of?: string
  /** What the list is narrowed to; part of what it is known by. */
  readonly filter?: Readonly<Record<string, string | boolean | undefined>>
  /** How often the rows are read again, where nobody says that they have changed. */
  readonly refetchSeconds?: number
  readonly read: (range: { readonly Offset: number; readonly Limit: number }) => PromiseLike<Page<Item>>
}

/** A list of any length, of which only what is looked at is read. */
export interface Rows<Item> {
  /** What the list is and is narrowed to: another one begins at its first row. */
  readonly name: string
  /** Whether these are the rows of before, while those of another filter are on their way. */
  readonly isOutdated: boolean
  /** Undefined while nothing has been read yet. */
  readonly totalCount: number | undefined
  /** Undefined while that part of the list is on its way. */
  readonly at: (index: number) => Item | undefined
  readonly error: unknown
  readonly retry: () => void
  /** Says which rows are looked at. */
  readonly show: (first: number, last: number) => void
}

/** What of a list was read, by the numbers of its pages. */
interface ReadPages<Item> {
  readonly of: string
  readonly totalCount: number | undefined
  readonly pages: ReadonlyMap<number, readonly Item[] | undefined>
}

export function useRows<Item>({
  resource,
  of = '',
  filter = {},
  refetchSeconds,
  read,
}: RowsOptions<Item>): Rows<Item> {
  const [shown, setShown] = useState({ first: 0, last: 0 })
  const numbers = Array.from({ length: shown.last - shown.first + 1 }, (_, index) => shown.first + index)
  const wanted = numbers.includes(0) ? numbers : [0, ...numbers]
  const pages = useQueries({
    queries: wanted.map((number) => ({
      queryKey: [resource, 'list', of, filter, number],
      queryFn: async () => read({ Offset: number * pageSize, Limit: pageSize }),
      refetchInterval: refetchSeconds === undefined ? (false as const) : refetchSeconds * 1000,
    })),
  })
  const error = pages.find((page) => page.error !== null)?.error ?? null
  const found: ReadPages<Item> = {
    of,
    totalCount: pages[wanted.indexOf(0)]?.data?.totalCount,
    pages: new Map(wanted.map((number, index) => [number, pages[index]?.data?.items])),
  }
  const { rows, isOutdated } = useKept(found, error !== null)
  return {
    name: JSON.stringify([of, filter]),
    isOutdated,
    totalCount: rows.totalCount,
    at: (index) => rows.pages.get(Math.floor(index / pageSize))?.[index % pageSize],
    error,
    retry: () => {
      for (const page of pages) if (page.isError) void page.refetch()
    },
    show: (firstRow, lastRow) => {
      const [first, last] = [
        Math.floor(firstRow / pageSize),
        Math.floor(Math.max(firstRow, lastRow) / pageSize),
      ]
      if (first !== shown.first || last !== shown.last) setShown({ first, last })
    },
  }
}

/** What was shown stays until there is something else to show: what is narrowed must not be empty for a moment. */
function useKept<Item>(rows: ReadPages<Item>, hasFailed: boolean) {
  const before = useRef<ReadPages<Item>>(null)
  useEffect(() => {
    if (rows.totalCount !== undefined) before.current = rows
  })
  const isAwaited = rows.totalCount === undefined && !hasFailed
  if (!isAwaited || before.current?.of !== rows.of) return { rows, isOutdated: false }
  return { rows: before.current, isOutdated: true }
}

/** Rows that were read all at once, by a page of its own. */
export function rowsOf<Item>(items: readonly Item[] | undefined, isOutdated = false): Rows<Item> {
  return {
    name: '',
    isOutdated,
    totalCount: items?.length,
    at: (index) => items?.[index],
    error: null,
    retry: () => undefined,
    show: () => undefined,
  }
}
