import type { Page } from '@parley/sdk'
import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { useState } from 'react'

const pageSize = 100

interface RowsOptions<Item> {
  /** What the rows are: 'Agent', 'Task', …; what is said to have changed is read again by this name. */
  readonly resource: string
  /** What the list is narrowed to; part of what it is known by. */
  readonly filter?: Readonly<Record<string, string | boolean | undefined>>
  /** How often the rows are read again, where nobody says that they have changed. */
  readonly refetchSeconds?: number
  readonly read: (range: { readonly Offset: number; readonly Limit: number }) => PromiseLike<Page<Item>>
}

/** A list of any length, of which only what is looked at is read. */
export interface Rows<Item> {
  /** Undefined while nothing has been read yet. */
  readonly totalCount: number | undefined
  /** Undefined while that part of the list is on its way. */
  readonly at: (index: number) => Item | undefined
  readonly error: unknown
  readonly retry: () => void
  /** Says which rows are looked at. */
  readonly show: (first: number, last: number) => void
}

export function useRows<Item>({
  resource,
  filter = {},
  refetchSeconds,
  read,
}: RowsOptions<Item>): Rows<Item> {
  const [shown, setShown] = useState({ first: 0, last: 0 })
  const numbers = Array.from({ length: shown.last - shown.first + 1 }, (_, index) => shown.first + index)
  const wanted = numbers.includes(0) ? numbers : [0, ...numbers]
  const pages = useQueries({
    queries: wanted.map((number) => ({
      queryKey: [resource, 'list', filter, number],
      queryFn: async () => read({ Offset: number * pageSize, Limit: pageSize }),
      placeholderData: keepPreviousData,
      refetchInterval: refetchSeconds === undefined ? (false as const) : refetchSeconds * 1000,
    })),
  })
  const byNumber = new Map(wanted.map((number, index) => [number, pages[index]?.data]))
  return {
    totalCount: byNumber.get(0)?.totalCount,
    at: (index) => byNumber.get(Math.floor(index / pageSize))?.items[index % pageSize],
    error: pages.find(({ error }) => error !== null)?.error ?? null,
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

/** Rows that were read all at once, by a page of its own. */
export function rowsOf<Item>(items: readonly Item[] | undefined): Rows<Item> {
  return {
    totalCount: items?.length,
    at: (index) => items?.[index],
    error: null,
    retry: () => undefined,
    show: () => undefined,
  }
}
