import type { AgentToolInput, FieldError } from '@parley/contract'
import type { Outbound } from '../../ports/outbound.js'
import type { CallerScope } from '../caller-scope.js'
import { invalidRequest } from '../domain-error.js'
import { type IntendedAgent, subAgentErrors } from './sub-agent-rules.js'
import { toolAddress } from './tool-secrets.js'

export interface KnownOutside {
  readonly outbound: Outbound
  readonly mcpServerNames: readonly string[]
}

/**
 * Refuses an agent that points at what is not there or not allowed. What it pointed at before may stay, even if it is
 * gone by now: what was read can always be put back.
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
  ]
  if (errors.length > 0) throw invalidRequest(errors)
}

async function connectionErrors(
  { stores, caller }: CallerScope,
  { current, input: { connectionId } }: IntendedAgent,
): Promise<FieldError[]> {
  if (connectionId === null || connectionId === current?.connectionId) return []
  if (await stores.connections.holdExisting(caller.organizationId, connectionId)) return []
  return [{ path: 'connectionId', message: 'names no connection of this organization' }]
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
      : { field: 'server.name', message: "is not on the operator's list PARLEY_MCP_SERVERS" }
  // The host is never the model's choice, so any value in the placeholders shows what would be called.
  const url = tool.kind === 'http' ? tool.request.url.replaceAll(/[{}]/g, '') : (tool.server.url ?? '')
  const message = outbound.explainRefusal(url)
  return message === null ? null : { field: tool.kind === 'http' ? 'request.url' : 'server.url', message }
}
