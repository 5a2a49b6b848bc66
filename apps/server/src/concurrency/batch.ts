import { coalesce } from './coalesce.js'

export interface Batch<Item> {
  /** Adds an item; null stands for all there could be. */
  add(item: Item | null): void
  stop(): void
}

/**
 * Hands items on together: the first at once, the others when the interval is over. Each item is handed on once in an
 * interval. Null is handed on if it was added, or if there are more than `most` items.
 */
export function batch<Item>(
  intervalMilliseconds: number,
  most: number,
  handOn: (items: ReadonlySet<Item> | null) => void,
): Batch<Item> {
  let items: Set<Item> | null = new Set()
  const coalesced = coalesce(intervalMilliseconds, () => {
    const taken = items
    items = new Set()
    handOn(taken)
  })
  return {
    add(item) {
      if (item === null) items = null
      else items?.add(item)
      if (items !== null && items.size > most) items = null
      coalesced.request()
    },
    stop: () => coalesced.stop(),
  }
}
