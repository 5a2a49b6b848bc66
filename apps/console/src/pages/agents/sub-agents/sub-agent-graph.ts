export interface GraphAgent {
  readonly id: string
  readonly name: string
  readonly subAgentIds: readonly string[]
}

export interface GraphNode {
  readonly id: string
  /** Null if the agent was deleted. */
  readonly name: string | null
  /** The distance from the root agent. */
  readonly column: number
  readonly row: number
}

export interface GraphArrow {
  readonly from: GraphNode
  readonly to: GraphNode
}

export interface Graph {
  readonly nodes: readonly GraphNode[]
  readonly arrows: readonly GraphArrow[]
}

/** True if the graph was too large to load completely. */
const maxNodes = 60

/** All reachable agents, each once and at its shortest distance. Cycles stop at a known agent. */
export function graphFrom(start: GraphAgent, agents: readonly GraphAgent[]): Graph {
  const known = new Map(agents.map((agent) => [agent.id, agent]))
  known.set(start.id, start)
  const columns = new Map([[start.id, 0]])
  // The loop also visits agents that it adds (breadth-first).
  const order = [start.id]
  for (const id of order)
    for (const next of known.get(id)?.subAgentIds ?? []) {
      if (columns.has(next) || order.length === maxNodes) continue
      columns.set(next, (columns.get(id) ?? 0) + 1)
      order.push(next)
    }
  const filled = new Map<number, number>()
  const nodes = order.map((id) => {
    const column = columns.get(id) ?? 0
    const row = filled.get(column) ?? 0
    filled.set(column, row + 1)
    return { id, name: known.get(id)?.name ?? null, column, row }
  })
  const arrows = nodes.flatMap((from) =>
    (known.get(from.id)?.subAgentIds ?? []).flatMap((id) => {
      const to = nodes.find((node) => node.id === id)
      return to === undefined ? [] : [{ from, to }]
    }),
  )
  return { nodes, arrows }
}

const maxDepth = 3

/** Returns the reason for which the service would reject it: a cycle or too much depth. */
export function validateGraph({ nodes, arrows }: Graph, startId: string): readonly string[] {
  const back = arrows.find(({ to }) => to.id === startId)
  return [
    ...(back === undefined
      ? []
      : [`Circular reference: ${back.from.name ?? 'a deleted agent'} can ask this agent`]),
    ...(nodes.some(({ column }) => column > maxDepth) ? ['Sub-agents can be at most 3 levels deep'] : []),
  ]
}
