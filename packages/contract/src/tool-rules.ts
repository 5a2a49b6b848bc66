import type { AgentToolInput } from './agent-tool.js'
import { maxToolNameLength, mcpToolName } from './tool-name.js'
import { placeholdersOf } from './url-template.js'

export interface ToolMistake {
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** Finds conflicts between the tools of one agent: names that the model cannot distinguish, and undeclared arguments. */
export function findToolMistakes(tools: readonly AgentToolInput[]): ToolMistake[] {
  return [
    ...findSharedNames(tools),
    ...findReservedNames(tools),
    ...findLongNames(tools),
    ...findLoosePlaceholders(tools),
  ]
}

function findSharedNames(tools: readonly AgentToolInput[]): ToolMistake[] {
  return tools.flatMap((tool, index) =>
    tools.findIndex((other) => other.name === tool.name) < index
      ? [{ path: [index, 'name'], message: `another tool has the same name, ${tool.name}` }]
      : [],
  )
}

function findReservedNames(tools: readonly AgentToolInput[]): ToolMistake[] {
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
            message: `names that begin with ${prefix} are reserved for that server's tools`,
          },
        ]
  })
}

function findLongNames(tools: readonly AgentToolInput[]): ToolMistake[] {
  return tools.flatMap((tool, index) =>
    (tool.kind === 'mcp' ? (tool.allowedTools ?? []) : [])
      .map((name) => mcpToolName(tool.name, name))
      .filter((name) => name.length > maxToolNameLength)
      .map((name) => ({
        path: [index, 'name'],
        message: `${name} is longer than ${maxToolNameLength} characters`,
      })),
  )
}

function findLoosePlaceholders(tools: readonly AgentToolInput[]): ToolMistake[] {
  return tools.flatMap((tool, index) => {
    if (tool.kind !== 'http') return []
    const declared = Object.keys(tool.parameters.properties ?? {})
    return placeholdersOf(tool.request.url)
      .filter((name) => !declared.includes(name))
      .map((name) => ({ path: [index, 'request', 'url'], message: `{${name}} is not among the parameters` }))
  })
}
