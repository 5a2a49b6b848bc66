export interface Exploration {
  readonly states: number
  readonly moves: number
  readonly ends: number
}

interface Explored<State> {
  /** Returns a key that is equal for equal states. */
  readonly keyOf: (state: State) => string
  readonly moves: (state: State) => readonly { readonly name: string; readonly next: State }[]
  /** Returns the problem of a state, or null. */
  readonly findProblem: (state: State, isEnd: boolean) => string | null
}

/** Visits every reachable state and judges it. For a bad state, the error lists the moves that lead to it. */
export function explore<State>(start: State, explored: Explored<State>): Exploration {
  const { keyOf, moves, findProblem } = explored
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
      const problem = findProblem(state, possible.length === 0)
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

/**
 * Explores again to find the path to one state. The first pass does not store paths, since there are hundreds
 * of thousands of states.
 */
function wayTo<State>(goal: string, start: State, { keyOf, moves }: Explored<State>): string {
  const ways = new Map([[keyOf(start), '']])
  // The loop also visits states that it appends here.
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
