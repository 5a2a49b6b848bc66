import type { OfferedTool } from '@parley/contract'
import type { CallerScope } from '../../caller-scope.js'
import { notFound } from '../../domain-error.js'
import type { McpDiscovery } from './mcp-discovery.js'
import { buildToolCatalog, type RealTool } from './tool-catalog.js'

/** All that the model of an agent can call, for people to look at. */
export async function listOfferedTools(
  { discoverMcpTools }: { readonly discoverMcpTools: McpDiscovery },
  { stores, caller: { organizationId } }: CallerScope,
  agentId: string,
): Promise<{ readonly items: readonly OfferedTool[] }> {
  const agent = await stores.agents.find(organizationId, agentId)
  if (agent === null) throw notFound('Agent')
  const subAgents = await stores.agents.findMany(organizationId, agent.subAgentIds)
  return { items: buildToolCatalog(agent, subAgents, await discoverMcpTools(agent)).map(offered) }
}

function offered({ name, title, description, parameters, approvalRequired, action }: RealTool): OfferedTool {
  return {
    ...{ name, title, description, parameters, approvalRequired },
    kind: action.kind,
    tool: action.kind === 'subagent' ? null : action.tool.name,
    hints: action.kind === 'mcp' ? (action.hints ?? null) : null,
  }
}
