export interface Coalesced {
  /** Acts at once, or, where that was less than the interval ago, as soon as the interval is over. */
  request(): void
  /** Acts no more. */
  stop(): void
}

/**
 * However often it is requested, `act` is called at most once in each interval, and once after the last request. `onIdle`
 * is called when an interval has passed without a request.
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
