import type { ProviderTool, SessionSetup } from '../../../ports/realtime-session-store.js'
import { withFileSearch } from '../../tools/catalog/file-search-tool.js'
import { rehearsedTools } from '../../tools/catalog/rehearsed-tools.js'

/** A tool of the agent or of the client, as the provider is told of it. */
export function definitionOf({ name, description, parameters }: Omit<ProviderTool, 'type'>): ProviderTool {
  return { type: 'function', name, description, parameters }
}

/** The setup of a session whose conversation has files when it begins: they may have come after its ticket. */
export function searchingFiles(setup: SessionSetup): SessionSetup {
  const searching = withFileSearch(setup.backendTools, setup.tools)
  const backendTools = rehearsedTools(searching, setup.rehearsal)
  const added = backendTools.slice(setup.backendTools.length)
  return { ...setup, backendTools, tools: [...setup.tools, ...added.map(definitionOf)] }
}
