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
export function explore<State>(start: State, explored: Explored<State>): Exploration {
  const { keyOf, moves, judge } = explored
  const seen = new Set([keyOf(start)])
  let frontier = [start]
  let moveCount = 0
  let ends = 0
  while (frontier.length > 0) {
    const next: State[] = []
    for (const state of frontier) {
      const possible = moves(state)
      moveCount += possible.length
      if (possible.length === 0) ends += 1
      const problem = judge(state, possible.length === 0)
      if (problem !== null)
        throw new Error(`${problem}\n${wayTo(keyOf(state), start, explored)}\n${JSON.stringify(state)}`)
      for (const move of possible) {
        const { size } = seen
        if (seen.add(keyOf(move.next)).size > size) next.push(move.next)
      }
    }
    frontier = next
  }
  return { states: seen.size, moves: moveCount, ends }
}

/** Walks again to one state: how each of hundreds of thousands was reached is not kept for the one that may be bad. */
function wayTo<State>(goal: string, start: State, { keyOf, moves }: Explored<State>): string {
  const ways = new Map([[keyOf(start), '']])
  // What is found is walked as well.
  const found = [start]
  for (const state of found) {
    const key = keyOf(state)
    const way = ways.get(key) ?? ''
    if (key === goal) return way
    for (const { name, next } of moves(state)) {
      const nextKey = keyOf(next)
      if (ways.has(nextKey)) continue
      ways.set(nextKey, way === '' ? name : `${way} -> ${name}`)
      found.push(next)
    }
  }
  return ''
}
