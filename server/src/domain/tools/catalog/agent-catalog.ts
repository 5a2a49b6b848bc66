import type { AgentRecord } from '../../../ports/agent-store.js'
import type { Stores } from '../../../ports/database.js'
import type { CallableTool } from '../../../ports/tool-executor.js'
import type { McpDiscovery } from './mcp-discovery.js'
import { toolCatalog } from './tool-catalog.js'

/** What a model may call in the name of this agent now: its tools, what its servers offer, and the agents below it. */
export async function agentCatalog(
  stores: Stores,
  discovery: McpDiscovery,
  agent: AgentRecord,
): Promise<CallableTool[]> {
  const offers = await discovery.offersOf(agent)
  const below = await stores.agents.findMany(agent.organizationId, agent.subAgentIds)
  return toolCatalog(agent, below, offers)
}
