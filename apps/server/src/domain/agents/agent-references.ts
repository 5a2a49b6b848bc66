import {
  type AgentInput,
  type AgentToolInput,
  type FieldError,
  replaceVariables,
  subAgentToolName,
} from '@parley/contract'
import type { AgentLinks, AgentRecord } from '../../ports/agent-stores.js'
import type { Outbound } from '../../ports/outbound.js'
import type { CallerScope } from '../caller-scope.js'
import { invalidRequest } from '../domain-error.js'
import { templatesOf } from '../end-users/agent-templates.js'
import { undeclaredVariables } from '../end-users/template-values.js'
import { toolAddress } from './tool-secrets.js'

export interface KnownOutside {
  readonly outbound: Outbound
  readonly mcpServerNames: readonly string[]
}

/**
 * Throws if an agent refers to resources that do not exist or are not allowed. Existing references are not
 * checked again, because an unmodified agent must remain saveable after a target was deleted.
 */
export async function requireReferences(
  outside: KnownOutside,
  scope: CallerScope,
  intended: IntendedAgent,
): Promise<void> {
  const errors = [
    ...(await connectionErrors(scope, intended)),
    ...(await subAgentErrors(scope, intended)),
    ...toolErrors(outside, intended),
    ...undeclaredVariables(intended.input, templatesOf(intended.input)),
  ]
  if (errors.length > 0) throw invalidRequest(errors)
}

async function connectionErrors(
  { stores, caller }: CallerScope,
  { current, input: { connectionId, realtimeFallbacks } }: IntendedAgent,
): Promise<FieldError[]> {
  const known = new Set([
    null,
    current?.connectionId,
    ...(current?.realtimeFallbacks ?? []).map((fallback) => fallback.connectionId),
  ])
  const named = [
    { path: 'connectionId', id: connectionId },
    ...realtimeFallbacks.map((fallback, index) => ({
      path: `realtimeFallbacks[${index}].connectionId`,
      id: fallback.connectionId,
    })),
  ]
  const errors: FieldError[] = []
  for (const { path, id } of named) {
    if (id === null || known.has(id)) continue
    if (!(await stores.connections.holdExisting(caller.organizationId, id)))
      errors.push({ path, message: 'must be a connection of this organization' })
  }
  return errors
}

function toolErrors(outside: KnownOutside, { current, input }: IntendedAgent): FieldError[] {
  const known = new Set(current?.tools.map(toolAddress))
  return input.tools.flatMap((tool, index) => {
    const reason = known.has(toolAddress(tool)) ? null : refusalOf(outside, tool)
    return reason === null ? [] : [{ path: `tools[${index}].${reason.field}`, message: reason.message }]
  })
}

function refusalOf(
  { outbound, mcpServerNames }: KnownOutside,
  tool: AgentToolInput,
): { readonly field: string; readonly message: string } | null {
  if (tool.kind === 'builtin') return null
  if (tool.kind === 'mcp' && tool.server.name !== null)
    return mcpServerNames.includes(tool.server.name)
      ? null
      : { field: 'server.name', message: "must be on the operator's list PARLEY_MCP_SERVERS" }
  // The model never chooses the host, so the placeholders may have any values in this check.
  const url =
    tool.kind === 'http'
      ? replaceVariables(tool.request.url, () => 'x').replaceAll(/[{}]/g, '')
      : (tool.server.url ?? '')
  const message = outbound.explainRefusal(url)
  return message === null ? null : { field: tool.kind === 'http' ? 'request.url' : 'server.url', message }
}

/** The change to check. */
interface IntendedAgent {
  /** The current agent; null if it is new. */
  readonly current: AgentRecord | null
  readonly id: string
  readonly input: AgentInput
}

/**
 * Returns the problems of an agent's sub-agents. Existing sub-agents are not checked again, even if they were
 * deleted.
 */
async function subAgentErrors(
  { stores, caller }: CallerScope,
  intended: IntendedAgent,
): Promise<FieldError[]> {
  const { current, id: agentId, input } = intended
  if (input.subAgentIds.length === 0) return []
  const { organizationId } = caller
  const had = new Set(current?.subAgentIds)
  const found = await stores.agents.findMany(organizationId, input.subAgentIds)
  const nameProblems = findNameProblems(intended, had, found)
  const added = input.subAgentIds.filter((id) => !had.has(id) && !nameProblems.has(id))
  const links = added.length === 0 ? [] : await stores.agents.listLinks(organizationId)
  const linkProblems = findLinkProblems(links, { id: agentId, name: input.name }, added)
  return input.subAgentIds.flatMap((id, index) => {
    const message = nameProblems.get(id) ?? linkProblems.get(id)
    return message === undefined ? [] : [{ path: `subAgentIds[${index}]`, message }]
  })
}

/** Returns problems by sub-agent id: the sub-agent does not exist, or its function name is already taken. */
function findNameProblems(
  { id: agentId, input }: IntendedAgent,
  had: ReadonlySet<string>,
  found: readonly AgentRecord[],
): ReadonlyMap<string, string> {
  const mistakes = new Map<string, string>()
  const names = new Map<string, string>(input.tools.map((tool) => [tool.name, `the tool ${tool.name}`]))
  for (const id of input.subAgentIds) {
    const subAgent = found.find((agent) => agent.id === id)
    if (id === agentId) mistakes.set(id, 'must not be the agent itself')
    else if (subAgent !== undefined) {
      const name = subAgentToolName(subAgent.name)
      const rival = names.get(name)
      names.set(name, `the agent ${subAgent.name}`)
      if (rival !== undefined && !had.has(id))
        mistakes.set(id, `has the function name ${name}, which is already used by ${rival}`)
    } else if (!had.has(id)) mistakes.set(id, 'must be an agent of this organization')
  }
  return mistakes
}

/** The maximum number of agents in a chain below an agent. */
const maxSubAgentDepth = 3

/**
 * Returns the problems that new sub-agents of an agent cause, by the sub-agent's id. A problem is a cycle, or
 * a chain of sub-agents that exceeds the maximum depth. A chain includes the agents above and below this
 * agent. Every such path contains this agent exactly once, so each sub-agent can be checked independently.
 */
function findLinkProblems(
  links: readonly AgentLinks[],
  agent: { readonly id: string; readonly name: string },
  addedIds: readonly string[],
): ReadonlyMap<string, string> {
  if (addedIds.length === 0) return new Map()
  const others = new Map(links.filter(({ id }) => id !== agent.id).map((each) => [each.id, each]))
  // A deleted sub-agent cannot be called, so it has no paths.
  const below = (id: string) =>
    others.get(id)?.subAgentIds.filter((subId) => subId === agent.id || others.has(subId)) ?? []
  const askers = reversed(others)
  const lengthAbove = longestChain(agent.id, (id) => askers.get(id) ?? [])
  const mistakes = new Map<string, string>()
  for (const id of addedIds) {
    const pathBack = shortestPath(id, agent.id, below)
    const depth = lengthAbove + 1 + longestChain(id, below)
    if (pathBack !== null) {
      const names = pathBack.map((step) => others.get(step)?.name ?? agent.name)
      mistakes.set(id, `creates a cycle: ${[agent.name, ...names].join(' → ')}`)
    } else if (depth > maxSubAgentDepth)
      mistakes.set(id, `creates a chain of more than ${maxSubAgentDepth} sub-agents`)
  }
  return mistakes
}

type Neighbors = (id: string) => readonly string[]

function reversed(links: ReadonlyMap<string, AgentLinks>): ReadonlyMap<string, readonly string[]> {
  const askers = new Map<string, string[]>()
  for (const { id, subAgentIds } of links.values())
    for (const subAgentId of subAgentIds) askers.set(subAgentId, [...(askers.get(subAgentId) ?? []), id])
  return askers
}

/**
 * Returns the length of the longest path from this agent. For a cycle or a path that is too long, returns one
 * more than the maximum.
 */
function longestChain(id: string, next: Neighbors): number {
  let reached: ReadonlySet<string> = new Set([id])
  for (let steps = 0; steps <= maxSubAgentDepth; steps += 1) {
    reached = new Set([...reached].flatMap((each) => next(each)))
    if (reached.size === 0) return steps
  }
  return maxSubAgentDepth + 1
}

/** Returns the ids on the shortest path, including both ends, or null if there is no path. */
function shortestPath(from: string, to: string, next: Neighbors): readonly string[] | null {
  const seen = new Set([from])
  // A breadth-first search: the loop appends to the list that it iterates over.
  const paths: (readonly [string, ...string[]])[] = [[from]]
  for (const path of paths) {
    for (const id of next(path[0])) {
      if (id === to) return [...path].reverse().concat(to)
      if (seen.has(id)) continue
      seen.add(id)
      paths.push([id, ...path])
    }
  }
  return null
}
