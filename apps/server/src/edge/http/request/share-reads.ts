interface SharedRead<Value> {
  readonly current: Promise<Value>
  /** Begins when the current one is over, for all who came meanwhile. */
  next: Promise<Value> | null
}

/**
 * Reads once for all who ask for the same at the same time. What each gets was read after it asked, never before: of
 * several that come during a read, all share the next one. So four hundred requests of one key at once are two reads.
 */
export function shareReads<Value>(read: (key: string) => Promise<Value>): (key: string) => Promise<Value> {
  const reads = new Map<string, SharedRead<Value>>()

  function begin(key: string): Promise<Value> {
    const shared: SharedRead<Value> = { current: read(key), next: null }
    reads.set(key, shared)
    const forget = () => {
      if (shared.next === null) reads.delete(key)
    }
    shared.current.then(forget, forget)
    return shared.current
  }

  return (key) => {
    const shared = reads.get(key)
    if (shared === undefined) return begin(key)
    const beginNext = () => begin(key)
    shared.next ??= shared.current.then(beginNext, beginNext)
    return shared.next
  }
}
