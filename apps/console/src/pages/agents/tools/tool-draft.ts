import type { AgentTool, BuiltinAgentTool, HttpAgentTool, McpAgentTool } from '@parley/sdk'

/** New values by header name. Null removes a value. Stored values are never returned. */
export type HeaderChanges = Record<string, string | null>

interface Written {
  headers?: HeaderChanges
}

export type HttpDraft = Omit<HttpAgentTool, 'request'> & { request: HttpAgentTool['request'] & Written }
export type McpDraft = Omit<McpAgentTool, 'server'> & { server: McpAgentTool['server'] & Written }
export type ToolDraft = HttpDraft | McpDraft | BuiltinAgentTool

export type ToolKind = ToolDraft['kind']

export const kindLabels: Readonly<Record<ToolKind, { readonly title: string; readonly about: string }>> = {
  http: { title: 'HTTP', about: 'Calls an HTTP endpoint.' },
  mcp: { title: 'MCP server', about: 'Uses the tools of a Model Context Protocol server.' },
  builtin: { title: 'Built-in', about: 'Included with the service. Needs no setup.' },
}

export const builtinLabels: Readonly<Record<BuiltinAgentTool['builtin'], string>> = {
  current_time: 'Returns the date and time',
  create_task: 'Creates a task',
  search_files: 'Searches the files of the conversation',
}

/** Parameters of the built-in tools, for the trial form. */
export const builtinParameters: Readonly<Record<BuiltinAgentTool['builtin'], Record<string, unknown>>> = {
  current_time: {
    timeZone: { type: 'string', description: 'IANA time zone, such as Europe/Berlin. Default: UTC.' },
  },
  create_task: {
    title: { type: 'string', description: 'Title of the task, in one line.' },
    description: { type: 'string', description: 'Full description of the task.' },
    dueAt: { type: 'string', description: 'Due date, as ISO 8601.' },
  },
  search_files: { query: { type: 'string', description: 'Text to search for.' } },
}

const shared = {
  name: '',
  title: null,
  imageUrl: null,
  approvalRequired: false,
  // The API's default lets the user decide. In the console, an operator must choose that explicitly.
  approvedBy: 'staff' as const,
  timeoutSeconds: 30,
  button: null,
}

/** A new tool of a kind. Common fields are taken over from the previous kind. */
export function newTool(kind: ToolKind, before: Omit<ToolDraft, 'kind' | 'description'> = shared): ToolDraft {
  const { name, title, imageUrl, approvalRequired, approvedBy, timeoutSeconds, button } = before
  const common = { name, title, imageUrl, approvalRequired, approvedBy, timeoutSeconds, button }
  switch (kind) {
    case 'http':
      return {
        ...common,
        kind,
        description: '',
        parameters: { type: 'object', properties: {} },
        request: { method: 'GET', url: '', query: {}, body: null, headerNames: [] },
      }
    case 'mcp':
      return {
        ...common,
        kind,
        description: null,
        allowedTools: null,
        destructiveApprovalRequired: false,
        server: { url: '', name: null, headerNames: [] },
      }
    case 'builtin':
      return {
        ...common,
        name: name === '' ? 'current_time' : name,
        kind,
        description: null,
        builtin: 'current_time',
      }
  }
}

/** The tool's target. Header values are bound to its address and name. */
function addressOf(tool: ToolDraft | AgentTool): string {
  if (tool.kind === 'http') return tool.request.url
  if (tool.kind === 'mcp') return tool.server.url ?? tool.server.name ?? ''
  return tool.builtin
}

/** Whether stored header values remain valid after saving. */
export function keepsSecrets(tool: ToolDraft, saved: readonly AgentTool[]): boolean {
  const before = saved.find(({ name }) => name === tool.name)
  return before !== undefined && before.kind === tool.kind && addressOf(before) === addressOf(tool)
}
