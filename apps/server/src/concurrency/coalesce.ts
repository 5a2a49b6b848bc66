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
