import type { AgentToolInput } from './agent-tool.js'
import { maxToolNameLength, mcpToolName } from './tool-name.js'
import { placeholdersOf } from './url-template.js'

export interface ToolError {
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** Returns the errors in the tools of an agent: names that are not unique or too long, and placeholders without a parameter. */
export function findToolErrors(tools: readonly AgentToolInput[]): ToolError[] {
  return [
    ...findDuplicateNames(tools),
    ...findReservedNames(tools),
    ...findLongNames(tools),
    ...findUndeclaredPlaceholders(tools),
  ]
}

function findDuplicateNames(tools: readonly AgentToolInput[]): ToolError[] {
  return tools.flatMap((tool, index) =>
    tools.findIndex((other) => other.name === tool.name) < index
      ? [{ path: [index, 'name'], message: `must be unique, but another tool is also named ${tool.name}` }]
      : [],
  )
}

function findReservedNames(tools: readonly AgentToolInput[]): ToolError[] {
  const prefixOf = (tool: AgentToolInput) => mcpToolName(tool.name, '')
  const reserved = tools.filter((tool) => tool.kind === 'mcp').map(prefixOf)
  return tools.flatMap((tool, index) => {
    const seen = tool.kind === 'mcp' ? prefixOf(tool) : tool.name
    const prefix = reserved.find((start) => start !== prefixOf(tool) && seen.startsWith(start))
    return prefix === undefined
      ? []
      : [
          {
            path: [index, 'name'],
            message: `must not start with ${prefix}, which is reserved for the tools of an MCP server`,
          },
        ]
  })
}

function findLongNames(tools: readonly AgentToolInput[]): ToolError[] {
  return tools.flatMap((tool, index) =>
    (tool.kind === 'mcp' ? (tool.allowedTools ?? []) : [])
      .map((name) => mcpToolName(tool.name, name))
      .filter((name) => name.length > maxToolNameLength)
      .map((name) => ({
        path: [index, 'name'],
        message: `is too long: ${name} has more than ${maxToolNameLength} characters`,
      })),
  )
}

function findUndeclaredPlaceholders(tools: readonly AgentToolInput[]): ToolError[] {
  return tools.flatMap((tool, index) => {
    if (tool.kind !== 'http') return []
    const declared = Object.keys(tool.parameters.properties ?? {})
    return placeholdersOf(tool.request.url)
      .filter((name) => !declared.includes(name))
      .map((name) => ({
        path: [index, 'request', 'url'],
        message: `contains the placeholder {${name}}, which is not declared in parameters`,
      }))
  })
}
