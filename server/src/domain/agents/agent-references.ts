import type { AgentInput, AgentTool, AgentToolInput, FieldError } from '@parley/contract'
import type { AgentRecord } from '../../ports/agent-store.js'
import type { Stores } from '../../ports/database.js'
import type { Outbound } from '../../ports/outbound.js'
import { invalidRequest } from '../domain-error.js'
import { subAgentErrors } from './sub-agents.js'

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
    ...toolErrors(current, input, outside),
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

function toolErrors(current: AgentRecord | null, input: AgentInput, outside: KnownOutside): FieldError[] {
  const known = new Set(current?.tools.map(placeOf))
  return input.tools.flatMap((tool, index) => {
    const place = placeOf(tool)
    const reason = known.has(place) ? null : refusalOf(tool, outside)
    return reason === null ? [] : [{ path: `tools[${index}].${reason.field}`, message: reason.message }]
  })
}

/** Where a tool leads: its address, or the name of the operator's server. */
function placeOf(tool: AgentTool | AgentToolInput): string {
  if (tool.kind === 'http') return `http ${tool.request.url}`
  return tool.kind === 'mcp' ? `mcp ${tool.server.url ?? ''} ${tool.server.name ?? ''}` : 'builtin'
}

function refusalOf(
  tool: AgentToolInput,
  { outbound, mcpServerNames }: KnownOutside,
): { readonly field: string; readonly message: string } | null {
  if (tool.kind === 'builtin') return null
  if (tool.kind === 'mcp' && tool.server.name !== null)
    return mcpServerNames.includes(tool.server.name)
      ? null
      : { field: 'server.name', message: "is not on the operator's list PARLEY_MCP_SERVERS" }
  // The host is never the model's choice, so any value in the placeholders shows what would be called.
  const url = tool.kind === 'http' ? tool.request.url.replaceAll(/[{}]/g, '') : (tool.server.url ?? '')
  const message = outbound.explainRefusal(url)
  return message === null ? null : { field: tool.kind === 'http' ? 'request.url' : 'server.url', message }
}
