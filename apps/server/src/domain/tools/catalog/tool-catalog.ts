import { type AgentTool, maxToolNameLength, mcpToolName, subAgentToolName } from '@parley/contract'
import type { AgentRecord } from '../../../ports/agent-store.js'
import type { CallableTool, McpToolDescription, RealAction } from '../../../ports/tool-executor.js'
import { builtinDefinitions } from './builtin-definitions.js'

/** The tools that the servers of an agent's MCP tools have listed, by the name of the agent's tool. */
export type McpToolListings = ReadonlyMap<string, readonly McpToolDescription[]>

/** A tool with what it really does. */
export type RealTool = CallableTool<RealAction>

/** How long a sub-agent may work on one question. */
const subAgentTimeoutSeconds = 300

/** Everything a model may call in the name of this agent, each under a name of its own. */
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
  // A server may list what it likes: of two tools with one name the model gets the first.
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

/** As the protocol has it: a tool may destroy unless its server says that it only reads, or only adds. */
function mayDestroy({ isReadOnly, hints }: McpToolDescription): boolean {
  return isReadOnly !== true && hints?.destructiveHint !== false
}

const acceptedName = /^[A-Za-z0-9_-]+$/

/** Allowed by the agent, and under a name that providers take. */
function isAllowed(allowed: readonly string[] | null, tool: string, serverTool: string): boolean {
  const name = mcpToolName(tool, serverTool)
  return (
    (allowed === null || allowed.includes(serverTool)) &&
    acceptedName.test(name) &&
    name.length <= maxToolNameLength
  )
}

function subAgentTool(agent: AgentRecord): RealTool {
  const purpose = agent.description ?? `Passes a question on to ${agent.name} and gives back the answer.`
  return {
    name: subAgentToolName(agent.name),
    title: agent.name,
    description: `Asks the agent ${agent.name}. ${purpose}`,
    parameters: {
      type: 'object',
      properties: {
        question: {
          type: 'string',
          description: 'The question or task, in full: the agent knows nothing of this conversation.',
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
