import type { AgentLinks } from '../../ports/agent-store.js'

/** How many agents may stand below one another: one that is asked asks another, who asks a third. */
const maxSubAgentDepth = 3

/**
 * What is wrong with new sub-agents of an agent, by their ids: a way that leads back to it, or a chain that becomes too
 * long, wherever in the chain the agent stands. Every such way goes through the agent once, so each is judged alone.
 */
export function findLinkMistakes(
  links: readonly AgentLinks[],
  agent: { readonly id: string; readonly name: string },
  addedIds: readonly string[],
): ReadonlyMap<string, string> {
  if (addedIds.length === 0) return new Map()
  const others = new Map(links.filter(({ id }) => id !== agent.id).map((each) => [each.id, each]))
  // An agent may name one that was deleted since; it cannot be asked, so no way leads there.
  const below = (id: string) =>
    others.get(id)?.subAgentIds.filter((subId) => subId === agent.id || others.has(subId)) ?? []
  const askers = reversed(others)
  const lengthAbove = longestChain(agent.id, (id) => askers.get(id) ?? [])
  const mistakes = new Map<string, string>()
  for (const id of addedIds) {
    const wayBack = shortestWay(id, agent.id, below)
    const depth = lengthAbove + 1 + longestChain(id, below)
    if (wayBack !== null) {
      const names = wayBack.map((step) => others.get(step)?.name ?? agent.name)
      mistakes.set(id, `leads back to the agent itself: ${[agent.name, ...names].join(' → ')}`)
    } else if (depth > maxSubAgentDepth)
      mistakes.set(id, `makes a chain of more than ${maxSubAgentDepth} sub-agents below one another`)
  }
  return mistakes
}

type Neighbours = (id: string) => readonly string[]

function reversed(links: ReadonlyMap<string, AgentLinks>): ReadonlyMap<string, readonly string[]> {
  const askers = new Map<string, string[]>()
  for (const { id, subAgentIds } of links.values())
    for (const subAgentId of subAgentIds) askers.set(subAgentId, [...(askers.get(subAgentId) ?? []), id])
  return askers
}

/** The most steps that can be made from here; whatever is too long, or has no end, counts as one too many. */
function longestChain(id: string, next: Neighbours): number {
  let reached: ReadonlySet<string> = new Set([id])
  for (let steps = 0; steps <= maxSubAgentDepth; steps += 1) {
    reached = new Set([...reached].flatMap((each) => next(each)))
    if (reached.size === 0) return steps
  }
  return maxSubAgentDepth + 1
}

/** The ids on the shortest way, both ends included, or null where there is none. */
function shortestWay(from: string, to: string, next: Neighbours): readonly string[] | null {
  const seen = new Set([from])
  // Grows while it is walked: what was reached first is looked at first.
  const ways: (readonly [string, ...string[]])[] = [[from]]
  for (const way of ways) {
    for (const id of next(way[0])) {
      if (id === to) return [...way].reverse().concat(to)
      if (seen.has(id)) continue
      seen.add(id)
      ways.push([id, ...way])
    }
  }
  return null
}
