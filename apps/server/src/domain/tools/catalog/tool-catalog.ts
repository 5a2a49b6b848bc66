import {
  type AgentTool,
  maxToolNameLength,
  mcpToolName,
  type Rehearsal,
  subAgentToolName,
} from '@parley/contract'
import type { AgentRecord } from '../../../ports/agent-stores.js'
import type {
  BuiltinTool,
  CallableTool,
  McpToolDescription,
  RealAction,
} from '../../../ports/tool-executor.js'
import { mayHaveEffect } from '../running/run-tool.js'

/** The tools that the MCP servers of an agent have listed, by the name of the agent's tool. */
export type McpToolListings = ReadonlyMap<string, readonly McpToolDescription[]>

/** A tool that performs its real action, unlike a rehearsal stub. */
export type RealTool = CallableTool<RealAction>

/** The time limit of a sub-agent for one question. */
const subAgentTimeoutSeconds = 300

/** Returns all tools that a model may call for this agent. Their names are unique. */
export function buildToolCatalog(
  agent: Pick<AgentRecord, 'tools' | 'subAgentIds'>,
  subAgents: readonly AgentRecord[],
  listings: McpToolListings,
): RealTool[] {
  const byId = new Map(subAgents.map((subAgent) => [subAgent.id, subAgent]))
  const tools = [
    ...agent.tools.flatMap((tool) => callablesOf(tool, listings)),
    ...agent.subAgentIds.flatMap((id) => {
      const subAgent = byId.get(id)
      return subAgent ? [subAgentTool(subAgent)] : []
    }),
  ]
  // MCP servers choose the names of their tools. If two names are equal, the first tool is used.
  const byName = new Map<string, RealTool>()
  for (const tool of tools) if (!byName.has(tool.name)) byName.set(tool.name, tool)
  return [...byName.values()]
}

function callablesOf(tool: AgentTool, listings: McpToolListings): RealTool[] {
  const shown = {
    imageUrl: tool.imageUrl,
    button: tool.button,
    approvalRequired: tool.approvalRequired,
    approvedBy: tool.approvedBy,
    timeoutSeconds: tool.timeoutSeconds,
  }
  const { name, title } = tool
  if (tool.kind === 'http') {
    const { description, parameters } = tool
    return [
      {
        ...shown,
        name,
        title: title ?? name,
        description,
        parameters,
        action: { kind: 'http', tool },
      },
    ]
  }
  if (tool.kind === 'builtin') {
    const { description, parameters } = builtinDefinitions[tool.builtin]
    return [
      {
        ...shown,
        name,
        title: title ?? name,
        description: tool.description ?? description,
        parameters,
        action: { kind: 'builtin', tool },
      },
    ]
  }
  return (listings.get(name) ?? [])
    .filter((listed) => isAllowed(tool.allowedTools, name, listed.name))
    .map((listed) => ({
      ...shown,
      name: mcpToolName(name, listed.name),
      title: title === null ? listed.name : `${title}: ${listed.name}`,
      description: listed.description,
      parameters: listed.parameters,
      approvalRequired: shown.approvalRequired || (tool.destructiveApprovalRequired && mayDestroy(listed)),
      action: {
        kind: 'mcp',
        tool,
        serverTool: listed.name,
        isReadOnly: listed.isReadOnly,
        hints: listed.hints,
      },
    }))
}

/**
 * Follows the MCP specification: a tool may be destructive unless its server declares it as read-only or
 * non-destructive.
 */
function mayDestroy({ isReadOnly, hints }: McpToolDescription): boolean {
  return isReadOnly !== true && hints?.destructiveHint !== false
}

const acceptedName = /^[A-Za-z0-9_-]+$/

/** Returns whether the agent allows the tool and providers accept its name. */
function isAllowed(allowed: readonly string[] | null, tool: string, serverTool: string): boolean {
  const name = mcpToolName(tool, serverTool)
  return (
    (allowed === null || allowed.includes(serverTool)) &&
    acceptedName.test(name) &&
    name.length <= maxToolNameLength
  )
}

function subAgentTool(agent: AgentRecord): RealTool {
  const purpose = agent.description ?? `Forwards a question to ${agent.name} and returns the answer.`
  return {
    name: subAgentToolName(agent.name),
    title: agent.name,
    description: `Asks the agent ${agent.name}. ${purpose}`,
    parameters: {
      type: 'object',
      properties: {
        question: {
          type: 'string',
          description: 'The complete question or task. The agent cannot see this conversation.',
        },
      },
      required: ['question'],
    },
    imageUrl: agent.imageUrl,
    button: null,
    approvalRequired: false,
    timeoutSeconds: subAgentTimeoutSeconds,
    action: {
      kind: 'subagent',
      agentId: agent.id,
      agentName: agent.name,
      icon: agent.icon,
      iconColor: agent.iconColor,
    },
  }
}

interface BuiltinDefinition {
  readonly description: string
  readonly parameters: Readonly<Record<string, unknown>>
}

const builtinDefinitions: Readonly<Record<BuiltinTool['builtin'], BuiltinDefinition>> = {
  current_time: {
    description: 'Returns the current date and time.',
    parameters: {
      type: 'object',
      properties: {
        timeZone: {
          type: 'string',
          description: 'An IANA time zone such as Europe/Berlin. Defaults to UTC.',
        },
      },
    },
  },
  create_task: {
    description: 'Creates a task for a person to do.',
    parameters: {
      type: 'object',
      properties: {
        title: { type: 'string', description: 'A one-line summary of the task.' },
        description: { type: 'string', description: 'A full description of the task.' },
        dueAt: { type: 'string', description: 'The due date of the task, in ISO 8601 format.' },
      },
      required: ['title'],
    },
  },
  search_files: {
    description:
      'Returns the passages in the files of this conversation that are most relevant to the query. Use words that are likely to appear in the text.',
    parameters: {
      type: 'object',
      properties: { query: { type: 'string', description: 'The search query.' } },
      required: ['query'],
    },
  },
}

const searchFiles: BuiltinTool = {
  kind: 'builtin',
  builtin: 'search_files',
  name: 'search_files',
  title: 'Search the files',
  description: null,
  imageUrl: null,
  approvalRequired: false,
  approvedBy: 'either',
  timeoutSeconds: 30,
  button: null,
}

/**
 * Adds file search to the tools of a conversation with files, even if the agent has no such tool. It is not
 * added if another tool of the agent or the client has the same name.
 */
export function withFileSearch(
  tools: readonly CallableTool[],
  clientTools: readonly { readonly name: string }[] = [],
): readonly CallableTool[] {
  const isTaken = [...tools, ...clientTools].some(({ name }) => name === searchFiles.name)
  if (isTaken || fileSearchName(tools) !== null) return tools
  return [...tools, ...buildToolCatalog({ tools: [searchFiles], subAgentIds: [] }, [], new Map())]
}

/** Returns the name of the tool that searches the conversation's files, or null if there is none. */
export function fileSearchName(tools: readonly CallableTool[]): string | null {
  const isFileSearch = ({ action }: CallableTool) =>
    action.kind === 'builtin' && action.tool.builtin === searchFiles.builtin
  return tools.find(isFileSearch)?.name ?? null
}

/**
 * Returns the tools for a rehearsal. They look the same to models and people, but stubs replace their
 * actions. The stubs are part of the tools, so that no instance can run a real tool later. Sub-agents without
 * a stub take part, and read-only built-in tools still run.
 */
export function rehearsedTools(
  tools: readonly CallableTool[],
  rehearsal: Rehearsal | null | undefined,
): readonly CallableTool[] {
  if (rehearsal === null || rehearsal === undefined) return tools
  return tools.map((tool) => {
    const stubs = rehearsal.tools.filter(({ name }) => name === tool.name)
    const { action } = tool
    if (action.kind === 'stub' || (stubs.length === 0 && keepsRealAction(action))) return tool
    return { ...tool, action: { kind: 'stub', stubs, mayHaveEffect: mayHaveEffect(action) } }
  })
}

function keepsRealAction(action: RealAction): boolean {
  return action.kind === 'subagent' || (action.kind === 'builtin' && !mayHaveEffect(action))
}
