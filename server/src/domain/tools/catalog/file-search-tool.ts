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
  timeoutSeconds: 30,
  button: null,
}

/** In a conversation with files the model can search them, whether the agent has a tool for it or not. */
export function withFileSearch(tools: readonly CallableTool[]): readonly CallableTool[] {
  const canSearch = tools.some(({ action, name }) => isFileSearch(action) || name === searchFiles.name)
  if (canSearch) return tools
  return [...tools, ...buildToolCatalog({ tools: [searchFiles], subAgentIds: [] }, [], new Map())]
}

function isFileSearch(action: CallableTool['action']): boolean {
  return action.kind === 'builtin' && action.tool.builtin === 'search_files'
}
