import type { ProviderTool, SessionSetup } from '../../../ports/realtime-session-store.js'
import { withFileSearch } from '../../tools/catalog/file-search-tool.js'

/** A tool of the agent or of the client, as the provider is told of it. */
export function definitionOf({ name, description, parameters }: Omit<ProviderTool, 'type'>): ProviderTool {
  return { type: 'function', name, description, parameters }
}

/** The setup of a session whose conversation has files when it begins: they may have come after its ticket. */
export function searchingFiles(setup: SessionSetup): SessionSetup {
  const backendTools = withFileSearch(setup.backendTools, setup.tools)
  const added = backendTools.filter((tool) => !setup.backendTools.includes(tool))
  return { ...setup, backendTools, tools: [...setup.tools, ...added.map(definitionOf)] }
}
