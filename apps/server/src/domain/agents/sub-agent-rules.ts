import { type AgentInput, type FieldError, subAgentToolName } from '@parley/contract'
import type { AgentRecord } from '../../ports/agent-store.js'
import type { CallerScope } from '../caller-scope.js'
import { findLinkMistakes } from './sub-agent-graph.js'

/** What an agent is to become. */
export interface IntendedAgent {
  /** What it is now; null where it is new. */
  readonly current: AgentRecord | null
  readonly id: string
  readonly input: AgentInput
}

/** What is wrong with the sub-agents of an agent. Those that it had before may stay, whatever has become of them. */
export async function subAgentErrors(
  { stores, caller }: CallerScope,
  intended: IntendedAgent,
): Promise<FieldError[]> {
  const { current, id: agentId, input } = intended
  if (input.subAgentIds.length === 0) return []
  const { organizationId } = caller
  const had = new Set(current?.subAgentIds)
  const found = await stores.agents.findMany(organizationId, input.subAgentIds)
  const nameMistakes = findNameMistakes(intended, had, found)
  const added = input.subAgentIds.filter((id) => !had.has(id) && !nameMistakes.has(id))
  const links = added.length === 0 ? [] : await stores.agents.listLinks(organizationId)
  const linkMistakes = findLinkMistakes(links, { id: agentId, name: input.name }, added)
  return input.subAgentIds.flatMap((id, index) => {
    const message = nameMistakes.get(id) ?? linkMistakes.get(id)
    return message === undefined ? [] : [{ path: `subAgentIds[${index}]`, message }]
  })
}

/** By the id of the sub-agent: it is not there, or the model could not tell it from another tool. */
function findNameMistakes(
  { id: agentId, input }: IntendedAgent,
  had: ReadonlySet<string>,
  found: readonly AgentRecord[],
): ReadonlyMap<string, string> {
  const mistakes = new Map<string, string>()
  const names = new Map<string, string>(input.tools.map((tool) => [tool.name, `the tool ${tool.name}`]))
  for (const id of input.subAgentIds) {
    const subAgent = found.find((agent) => agent.id === id)
    if (id === agentId) mistakes.set(id, 'names the agent itself')
    else if (subAgent !== undefined) {
      const name = subAgentToolName(subAgent.name)
      const rival = names.get(name)
      names.set(name, `the agent ${subAgent.name}`)
      if (rival !== undefined && !had.has(id))
        mistakes.set(id, `is called ${name} by the model, as is ${rival}`)
    } else if (!had.has(id)) mistakes.set(id, 'names no agent of this organization')
  }
  return mistakes
}
