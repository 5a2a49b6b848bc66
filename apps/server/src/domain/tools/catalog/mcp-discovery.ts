import type { OfferedTool } from '@parley/contract'
import type { AgentRecord } from '../../../ports/agent-stores.js'
import type { Database } from '../../../ports/database.js'
import type { Log } from '../../../ports/log.js'
import type { Cipher } from '../../../ports/secrets.js'
import type { Clock } from '../../../ports/time.js'
import type {
  McpListing,
  McpTool,
  McpToolDescription,
  McpToolExecutor,
} from '../../../ports/tool-executor.js'
import { headersOf, toolAddress } from '../../agents/tool-secrets.js'
import type { CallerScope } from '../../caller-scope.js'
import { notFound } from '../../domain-error.js'
import { callWithToken } from '../../mcp-authorizations/call-with-token.js'
import type { McpTokens } from '../../mcp-authorizations/mcp-tokens.js'
import { buildToolCatalog, type McpToolListings, type RealTool } from './tool-catalog.js'

/** How long a server's list is used before it is requested again. */
const freshMilliseconds = 60_000
/** The time limit for listing a server's tools when a session starts. */
const patienceMilliseconds = 5000

interface McpDiscoveryDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly cipher: Cipher
  readonly log: Log
  readonly mcpTools: McpToolExecutor
  readonly mcpTokens: McpTokens
}

/**
 * Fetches the tool lists of an agent's MCP servers. Must not be called inside a transaction, because it sends
 * network requests. A stored list is used while it is recent, or if the server is unavailable.
 */
export type McpDiscovery = (agent: AgentRecord) => Promise<McpToolListings>

export function makeMcpDiscovery(dependencies: McpDiscoveryDependencies): McpDiscovery {
  return async (agent) => {
    const tools = agent.tools.filter((tool) => tool.kind === 'mcp')
    const listings = await Promise.all(
      tools.map(async (tool) => [tool.name, await listTools(dependencies, agent, tool)] as const),
    )
    return new Map(listings)
  }
}

async function listTools(
  { database, clock, cipher, log, mcpTools, mcpTokens }: McpDiscoveryDependencies,
  agent: AgentRecord,
  tool: McpTool,
): Promise<readonly McpToolDescription[]> {
  const { organizationId } = agent
  const { mcpListings } = database.ownedBy({ organizationId, kind: 'log' }).stores
  const address = toolAddress(tool)
  const stored = await mcpListings.find(agent.id, tool.name, address)
  const now = clock.now()
  if (stored && now.getTime() - Date.parse(stored.listedAt) < freshMilliseconds) return stored.tools
  const { url, name } = tool.server
  const headers = headersOf(agent, tool.name, cipher)
  const target = { organizationId, url, name, headers }
  const signal = AbortSignal.timeout(patienceMilliseconds)
  const listing = await callWithToken<McpListing>(mcpTokens, target, {
    call: (called) => mcpTools.list(called, signal),
    refuse: (detail) => ({ ok: false, detail }),
  })
  if (!listing.ok) {
    const fields = { agentId: agent.id, tool: tool.name, detail: listing.detail }
    log.warn(fields, 'an MCP server is not responding')
    return stored?.tools ?? []
  }
  const { tools } = listing
  await mcpListings.save({
    agentId: agent.id,
    toolName: tool.name,
    address,
    tools,
    listedAt: now.toISOString(),
  })
  return tools
}

/** Returns all tools that an agent's model can call, for display. */
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
    name,
    title,
    description,
    parameters,
    approvalRequired,
    kind: action.kind,
    tool: action.kind === 'subagent' ? null : action.tool.name,
    hints: action.kind === 'mcp' ? (action.hints ?? null) : null,
  }
}
