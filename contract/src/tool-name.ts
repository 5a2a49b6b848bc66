import type { AgentToolInput } from './agent-tool.js'

const maxLength = 64

export interface ToolNameClash {
  readonly index: number
  readonly message: string
}

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
  return `ask_${slug || 'agent'}`.slice(0, maxLength)
}

/** Tools of one agent that the model could not tell apart, or whose name is too long to be given to it. */
export function findToolNameClashes(tools: readonly AgentToolInput[]): ToolNameClash[] {
  const clashes: ToolNameClash[] = []
  const taken = new Set<string>()
  const serverPrefixes = tools.filter((tool) => tool.kind === 'mcp').map((tool) => mcpToolName(tool.name, ''))
  tools.forEach((tool, index) => {
    if (taken.has(tool.name)) clashes.push({ index, message: `another tool is named ${tool.name} too` })
    taken.add(tool.name)
    const prefix = serverPrefixes.find((start) => tool.kind !== 'mcp' && tool.name.startsWith(start))
    if (prefix)
      clashes.push({ index, message: `names that begin with ${prefix} belong to the MCP server's tools` })
    const tooLong =
      tool.kind === 'mcp' &&
      tool.allowedTools?.find((name) => mcpToolName(tool.name, name).length > maxLength)
    if (tooLong)
      clashes.push({
        index,
        message: `${mcpToolName(tool.name, tooLong)} is longer than ${maxLength} characters`,
      })
  })
  return clashes
}
