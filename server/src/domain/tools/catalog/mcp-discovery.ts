import type { AgentRecord } from '../../../ports/agent-store.js'
import type { Cipher } from '../../../ports/cipher.js'
import type { Clock } from '../../../ports/clock.js'
import type { Database } from '../../../ports/database.js'
import type { Log } from '../../../ports/log.js'
import type { McpTool, McpToolDescription, McpToolExecutor } from '../../../ports/tool-executor.js'
import { headersOf, toolAddress } from '../../agents/tool-secrets.js'
import type { McpOffers } from './tool-catalog.js'

/** For how long a server's word is taken without asking again. */
const freshMilliseconds = 60_000
/** Whoever starts a session waits no longer than this for a server that does not answer. */
const patienceMilliseconds = 5000

export interface McpDiscoveryDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly cipher: Cipher
  readonly log: Log
  readonly mcpTools: McpToolExecutor
}

/** Finds out which tools an agent's MCP servers offer. What one said last is kept, for when it is away. */
export interface McpDiscovery {
  /** Asks those servers whose word is not fresh, and keeps what they say: it takes time, and writes. */
  discoverTools(agent: AgentRecord): Promise<McpOffers>
}

export function makeMcpDiscovery(dependencies: McpDiscoveryDependencies): McpDiscovery {
  return {
    async discoverTools(agent) {
      const tools = agent.tools.filter((tool) => tool.kind === 'mcp')
      const offers = await Promise.all(
        tools.map(async (tool) => [tool.name, await offersFor(dependencies, agent, tool)] as const),
      )
      return new Map(offers)
    },
  }
}

async function offersFor(
  dependencies: McpDiscoveryDependencies,
  agent: AgentRecord,
  tool: McpTool,
): Promise<readonly McpToolDescription[]> {
  const { database, clock, cipher, log, mcpTools } = dependencies
  const address = toolAddress(tool)
  const stored = await database.stores.mcpListings.find(agent.id, tool.name, address)
  const now = clock.now()
  if (stored && now.getTime() - Date.parse(stored.listedAt) < freshMilliseconds) return stored.tools
  const { url, name } = tool.server
  const headers = headersOf(agent, tool.name, cipher)
  const place = { organizationId: agent.organizationId, url, name, headers }
  const listing = await mcpTools.list(place, AbortSignal.timeout(patienceMilliseconds))
  if (listing.outcome === 'unreachable') {
    log.warn(
      { agentId: agent.id, tool: tool.name, detail: listing.detail },
      'an MCP server cannot be reached',
    )
    return stored?.tools ?? []
  }
  const record = { agentId: agent.id, toolName: tool.name, address, tools: listing.tools }
  await database.stores.mcpListings.save({ ...record, listedAt: now.toISOString() })
  return listing.tools
}
