/** The maximum length of tool names that providers accept. */
export const maxToolNameLength = 64

/** Returns the name of an MCP tool, as the model sees it. */
export function mcpToolName(tool: string, serverTool: string): string {
  return `${tool}__${serverTool}`
}

/** Returns the tool name of a sub-agent, as the model sees it. */
export function subAgentToolName(agentName: string): string {
  const slug = agentName
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
  return `ask_${slug || 'agent'}`.slice(0, maxToolNameLength)
}
