/** Providers reject longer names. */
export const maxToolNameLength = 64

/** Returns the name under which the model sees a tool of an MCP server. */
export function mcpToolName(tool: string, serverTool: string): string {
  return `${tool}__${serverTool}`
}

/** Returns the name under which the model sees a sub-agent. */
export function subAgentToolName(agentName: string): string {
  const slug = agentName
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
  return `ask_${slug || 'agent'}`.slice(0, maxToolNameLength)
}
