import type { Page } from '@parley/sdk'
import { useQueries } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'

const pageSize = 100

interface RowsOptions<Item> {
  /** The resource: 'Agent', 'Task', … Its change events refetch the rows. */
  readonly resource: string
  /** The parent of the rows, on a page that lists one parent's rows. Rows of another parent are never shown. */
  readonly of?: string
  /** The filters. They are part of the query key. */
  readonly filter?: Readonly<Record<string, string | boolean | undefined>>
  /** The polling interval, if there are no change events. */
  readonly refetchSeconds?: number
  readonly read: (range: { readonly Offset: number; readonly Limit: number }) => PromiseLike<Page<Item>>
}

/** A list of any length that loads only the visible rows. */
export interface Rows<Item> {
  /** Identifies the list and its filters. A new key scrolls to the first row. */
  readonly name: string
  /** True while the rows of the previous filter are still shown. */
  readonly isOutdated: boolean
  /** Undefined until the first response. */
  readonly totalCount: number | undefined
  /** Undefined while its page loads. */
  readonly at: (index: number) => Item | undefined
  readonly loaded: readonly Item[]
  readonly error: unknown
  readonly retry: () => void
  /** Reports the visible rows. */
  readonly show: (first: number, last: number) => void
}

/** The loaded pages by their number. */
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
  const { rows, isOutdated } = usePreviousRows(found, error !== null)
  return {
    name: JSON.stringify([of, filter]),
    isOutdated,
    totalCount: rows.totalCount,
    at: (index) => rows.pages.get(Math.floor(index / pageSize))?.[index % pageSize],
    loaded: [...rows.pages.values()].flatMap((page) => page ?? []),
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

/** Old rows stay visible until new ones arrive, so that a new filter does not flash an empty list. */
function usePreviousRows<Item>(rows: ReadPages<Item>, hasFailed: boolean) {
  const before = useRef<ReadPages<Item>>(null)
  useEffect(() => {
    if (rows.totalCount !== undefined) before.current = rows
  })
  const isAwaited = rows.totalCount === undefined && !hasFailed
  if (!isAwaited || before.current?.of !== rows.of) return { rows, isOutdated: false }
  return { rows: before.current, isOutdated: true }
}

/** Rows that a page has loaded all at once. */
export function rowsOf<Item>(items: readonly Item[] | undefined, isOutdated = false): Rows<Item> {
  return {
    name: '',
    isOutdated,
    totalCount: items?.length,
    at: (index) => items?.[index],
    loaded: items ?? [],
    error: null,
    retry: () => undefined,
    show: () => undefined,
  }
}
