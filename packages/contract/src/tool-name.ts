/** Providers refuse longer names. */
export const maxToolNameLength = 64

/** The name under which the model sees one tool of an MCP server. */
export function mcpToolName(tool: string, serverTool: string): string {
  return `${tool}__${serverTool}`
}

/** The name under which the model sees a sub-agent. */
export function subAgentToolName(agentName: string): string {
  const slug = agentName
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
  return `ask_${slug || 'agent'}`.slice(0, maxToolNameLength)
}
