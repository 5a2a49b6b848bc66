import type { AgentTool, BuiltinAgentTool, HttpAgentTool, McpAgentTool } from '@parley/sdk'

/** Values to be stored by header name; null removes one. What is stored already is never shown. */
export type HeaderChanges = Record<string, string | null>

interface Written {
  headers?: HeaderChanges
}

export type HttpDraft = Omit<HttpAgentTool, 'request'> & { request: HttpAgentTool['request'] & Written }
export type McpDraft = Omit<McpAgentTool, 'server'> & { server: McpAgentTool['server'] & Written }
export type ToolDraft = HttpDraft | McpDraft | BuiltinAgentTool

export type ToolKind = ToolDraft['kind']

export const kindWords: Readonly<Record<ToolKind, { readonly title: string; readonly about: string }>> = {
  http: { title: 'HTTP', about: 'Calls an address of your systems, or of somebody else’s.' },
  mcp: { title: 'MCP server', about: 'Offers the tools of a Model Context Protocol server.' },
  builtin: { title: 'Built-in', about: 'Comes with the service and needs nothing.' },
}

export const builtinWords: Readonly<Record<BuiltinAgentTool['builtin'], string>> = {
  current_time: 'Tells the date and time',
  create_task: 'Creates a task for a person',
  search_files: 'Searches the files of the conversation',
}

/** What the shipped tools take, for trying them. */
export const builtinParameters: Readonly<Record<BuiltinAgentTool['builtin'], Record<string, unknown>>> = {
  current_time: {
    timeZone: { type: 'string', description: 'An IANA time zone such as Europe/Berlin; UTC where left out.' },
  },
  create_task: {
    title: { type: 'string', description: 'What is to be done, in one line.' },
    description: { type: 'string', description: 'What is to be done, in full.' },
    dueAt: { type: 'string', description: 'When it should be finished, as ISO 8601.' },
  },
  search_files: { query: { type: 'string', description: 'What to look for.' } },
}

const shared = {
  name: '',
  title: null,
  imageUrl: null,
  approvalRequired: false,
  // The API's default lets the user decide. A person who makes a tool here has to choose that.
  approvedBy: 'staff' as const,
  timeoutSeconds: 30,
  button: null,
}

/** A new tool of a kind; what is common to all kinds is taken over from the one before. */
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

/** Where a tool leads; header values are kept for that address and name alone. */
function addressOf(tool: ToolDraft | AgentTool): string {
  if (tool.kind === 'http') return tool.request.url
  if (tool.kind === 'mcp') return tool.server.url ?? tool.server.name ?? ''
  return tool.builtin
}

/** Whether the values that are stored for the tool stay with it when it is saved so. */
export function keepsSecrets(tool: ToolDraft, saved: readonly AgentTool[]): boolean {
  const before = saved.find(({ name }) => name === tool.name)
  return before !== undefined && before.kind === tool.kind && addressOf(before) === addressOf(tool)
}
