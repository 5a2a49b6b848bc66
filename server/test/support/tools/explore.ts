export interface Exploration {
  readonly states: number
  readonly moves: number
  readonly ends: number
}

interface Explored<State> {
  /** The same text for the same state. */
  readonly keyOf: (state: State) => string
  readonly moves: (state: State) => readonly { readonly name: string; readonly next: State }[]
  /** Says what is wrong with a state, or null. */
  readonly judge: (state: State, isEnd: boolean) => string | null
}

/** Walks every state that can be reached, and judges each. The way to a bad one is told step by step. */
export function explore<State>(start: State, { keyOf, moves, judge }: Explored<State>): Exploration {
  const cameFrom = new Map<string, { readonly from: string; readonly name: string } | null>()
  let frontier = [{ state: start, key: keyOf(start) }]
  let moveCount = 0
  let ends = 0
  for (const { key } of frontier) cameFrom.set(key, null)
  while (frontier.length > 0) {
    const next: typeof frontier = []
    for (const { state, key } of frontier) {
      const possible = moves(state)
      moveCount += possible.length
      if (possible.length === 0) ends += 1
      const problem = judge(state, possible.length === 0)
      if (problem !== null) throw new Error(`${problem}\n${wayTo(key)}\n${JSON.stringify(state)}`)
      for (const move of possible) {
        const nextKey = keyOf(move.next)
        if (cameFrom.has(nextKey)) continue
        cameFrom.set(nextKey, { from: key, name: move.name })
        next.push({ state: move.next, key: nextKey })
      }
    }
    frontier = next
  }
  return { states: cameFrom.size, moves: moveCount, ends }

  function wayTo(key: string): string {
    const names: string[] = []
    for (let at = cameFrom.get(key); at; at = cameFrom.get(at.from)) names.unshift(at.name)
    return names.join(' -> ')
  }
}
