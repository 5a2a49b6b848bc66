import { type AgentInput, type FieldError, subAgentToolName } from '@parley/contract'
import type { AgentRecord } from '../../ports/agent-store.js'
import type { Stores } from '../../ports/database.js'
import type { Outbound } from '../../ports/outbound.js'
import { invalidRequest } from '../domain-error.js'

export interface KnownOutside {
  readonly outbound: Outbound
  readonly mcpServerNames: readonly string[]
}

/**
 * Refuses an agent that points at what is not there or not allowed. What it pointed at before may stay, even if it is
 * gone by now: what was read can always be put back.
 */
export async function requireReferences(
  stores: Stores,
  current: AgentRecord | null,
  organizationId: string,
  agentId: string,
  input: AgentInput,
  outside: KnownOutside,
): Promise<void> {
  const errors = [
    ...(await connectionErrors(stores, current, organizationId, input)),
    ...(await subAgentErrors(stores, current, organizationId, agentId, input)),
    ...toolErrors(input, outside),
  ]
  if (errors.length > 0) throw invalidRequest(errors)
}

async function connectionErrors(
  stores: Stores,
  current: AgentRecord | null,
  organizationId: string,
  { connectionId }: AgentInput,
): Promise<FieldError[]> {
  if (connectionId === null || connectionId === current?.connectionId) return []
  if (await stores.connections.holdExisting(organizationId, connectionId)) return []
  return [{ path: 'connectionId', message: 'names no connection of this organization' }]
}

async function subAgentErrors(
  stores: Stores,
  current: AgentRecord | null,
  organizationId: string,
  agentId: string,
  input: AgentInput,
): Promise<FieldError[]> {
  const subAgents = await stores.agents.findMany(organizationId, input.subAgentIds)
  const names = new Map<string, string>(input.tools.map((tool) => [tool.name, `the tool ${tool.name}`]))
  return input.subAgentIds.flatMap((id, index) => {
    const path = `subAgentIds[${index}]`
    if (id === agentId) return [{ path, message: 'names the agent itself' }]
    const found = subAgents.find((agent) => agent.id === id)
    if (!found)
      return current?.subAgentIds.includes(id)
        ? []
        : [{ path, message: 'names no agent of this organization' }]
    const name = subAgentToolName(found.name)
    const rival = names.get(name)
    names.set(name, `the agent ${found.name}`)
    return rival === undefined ? [] : [{ path, message: `is called ${name} by the model, as is ${rival}` }]
  })
}

function toolErrors(input: AgentInput, { outbound, mcpServerNames }: KnownOutside): FieldError[] {
  return input.tools.flatMap((tool, index): FieldError[] => {
    if (tool.kind === 'http') {
      // The host is never the model's choice, so any value in the placeholders shows what would be called.
      const reason = outbound.explainRefusal(tool.request.url.replaceAll(/[{}]/g, ''))
      return reason === null ? [] : [{ path: `tools[${index}].request.url`, message: reason }]
    }
    if (tool.kind === 'builtin') return []
    const path = `tools[${index}].server`
    if (tool.server.name !== null && !mcpServerNames.includes(tool.server.name))
      return [{ path: `${path}.name`, message: "is not on the operator's list PARLEY_MCP_SERVERS" }]
    const reason = tool.server.url === null ? null : outbound.explainRefusal(tool.server.url)
    return reason === null ? [] : [{ path: `${path}.url`, message: reason }]
  })
}
