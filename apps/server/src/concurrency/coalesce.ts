export interface Coalesced {
  /**
   * Calls `act` at once, or at the end of the current interval if the previous call was less than one
   * interval ago.
   */
  request(): void
  /** Prevents all further calls of `act`. */
  stop(): void
}

/**
 * Calls `act` at most once per interval for any number of requests, and once after the last request. Calls
 * `onIdle` when an interval has passed without a request.
 */
export function coalesce(
  intervalMilliseconds: number,
  act: () => void,
  onIdle: () => void = () => undefined,
): Coalesced {
  let timer: NodeJS.Timeout | null = null
  let isRequestedAgain = false
  let isStopped = false

  function actNow(): void {
    isRequestedAgain = false
    timer = setTimeout(() => {
      timer = null
      if (isRequestedAgain) actNow()
      else onIdle()
    }, intervalMilliseconds).unref()
    act()
  }

  return {
    request() {
      if (isStopped) return
      if (timer === null) actNow()
      else isRequestedAgain = true
    },
    stop() {
      isStopped = true
      if (timer !== null) clearTimeout(timer)
    },
  }
}

export interface Batch<Item> {
  /** Adds an item. Null means all items. */
  add(item: Item | null): void
  stop(): void
}

/**
 * Passes items on in batches: the first batch immediately, later ones at the end of the interval. A batch
 * contains each item once. The batch is null if null was added or if it would exceed `maxItems` items.
 */
export function batch<Item>(
  intervalMilliseconds: number,
  maxItems: number,
  onBatch: (items: ReadonlySet<Item> | null) => void,
): Batch<Item> {
  let items: Set<Item> | null = new Set()
  const coalesced = coalesce(intervalMilliseconds, () => {
    const taken = items
    items = new Set()
    onBatch(taken)
  })
  return {
    add(item) {
      if (item === null) items = null
      else items?.add(item)
      if (items !== null && items.size > maxItems) items = null
      coalesced.request()
    },
    stop: () => coalesced.stop(),
  }
}
