import type { BuiltinTool, CallableTool } from '../../../ports/tool-executor.js'
import { buildToolCatalog } from './tool-catalog.js'

const searchFiles: BuiltinTool = {
  kind: 'builtin',
  builtin: 'search_files',
  name: 'search_files',
  title: 'Search the files',
  description: null,
  imageUrl: null,
  approvalRequired: false,
  approvedBy: 'either',
  timeoutSeconds: 30,
  button: null,
}

/**
 * In a conversation with files the model can search them, whether the agent has a tool for it or not; unless the name is
 * that of another tool of the agent, or of the client.
 */
export function withFileSearch(
  tools: readonly CallableTool[],
  clientTools: readonly { readonly name: string }[] = [],
): readonly CallableTool[] {
  const isTaken = [...tools, ...clientTools].some(({ name }) => name === searchFiles.name)
  if (isTaken || fileSearchName(tools) !== null) return tools
  return [...tools, ...buildToolCatalog({ tools: [searchFiles], subAgentIds: [] }, [], new Map())]
}

/** What the tool is called that searches the conversation's files; null where there is none. */
export function fileSearchName(tools: readonly CallableTool[]): string | null {
  const isFileSearch = ({ action }: CallableTool) =>
    action.kind === 'builtin' && action.tool.builtin === searchFiles.builtin
  return tools.find(isFileSearch)?.name ?? null
}
