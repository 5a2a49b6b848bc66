interface Flight<Value> {
  readonly current: Promise<Value>
  /** The call that starts after the current one, for all callers that arrive during the current one. */
  next: Promise<Value> | null
}

/**
 * Shares one call of `read` among concurrent callers with the same key. A caller never gets a value that was
 * read before it called: callers that arrive during a call share the next one. For example, 400 requests with
 * one key cause two calls.
 */
export function singleFlight<Value>(read: (key: string) => Promise<Value>): (key: string) => Promise<Value> {
  const flights = new Map<string, Flight<Value>>()

  function begin(key: string): Promise<Value> {
    const flight: Flight<Value> = { current: read(key), next: null }
    flights.set(key, flight)
    const forget = () => {
      if (flight.next === null) flights.delete(key)
    }
    flight.current.then(forget, forget)
    return flight.current
  }

  return (key) => {
    const flight = flights.get(key)
    if (flight === undefined) return begin(key)
    const beginNext = () => begin(key)
    flight.next ??= flight.current.then(beginNext, beginNext)
    return flight.next
  }
}
