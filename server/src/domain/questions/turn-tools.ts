import type { AgentRecord } from '../../ports/agent-store.js'
import type { Stores } from '../../ports/database.js'
import type { BuiltinTool, CallableTool } from '../../ports/tool-executor.js'
import { agentCatalog } from '../tools/catalog/agent-catalog.js'
import type { McpDiscovery } from '../tools/catalog/mcp-discovery.js'
import { toolCatalog } from '../tools/catalog/tool-catalog.js'

/** Everything the model may call in a turn. Where there are files it can search them, whatever the agent has. */
export async function turnTools(
  stores: Stores,
  discovery: McpDiscovery,
  agent: AgentRecord,
  hasFiles: boolean,
): Promise<readonly CallableTool[]> {
  const tools = await agentCatalog(stores, discovery, agent)
  const canSearch = tools.some(({ action, name }) => isFileSearch(action) || name === searchFiles.name)
  if (!hasFiles || canSearch) return tools
  return [...tools, ...toolCatalog({ tools: [searchFiles], subAgentIds: [] }, [], new Map())]
}

const searchFiles: BuiltinTool = {
  kind: 'builtin',
  builtin: 'search_files',
  name: 'search_files',
  title: 'Search the files',
  description: null,
  imageUrl: null,
  approvalRequired: false,
  timeoutSeconds: 30,
  button: null,
}

function isFileSearch(action: CallableTool['action']): boolean {
  return action.kind === 'builtin' && action.tool.builtin === 'search_files'
}
