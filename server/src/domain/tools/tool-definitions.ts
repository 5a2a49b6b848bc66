import type { AgentTool } from '@parley/contract'
import type { ProviderTool } from '../../ports/realtime-session-store.js'

type BuiltinName = Extract<AgentTool, { kind: 'builtin' }>['builtin']

const builtins: Readonly<Record<BuiltinName, Pick<ProviderTool, 'description' | 'parameters'>>> = {
  current_time: {
    description: 'Tells the present date and time.',
    parameters: {
      type: 'object',
      properties: {
        timeZone: {
          type: 'string',
          description: 'An IANA time zone such as Europe/Berlin; UTC where left out.',
        },
      },
    },
  },
  create_task: {
    description: 'Creates a task for a person to do.',
    parameters: {
      type: 'object',
      properties: {
        title: { type: 'string', description: 'What is to be done, in one line.' },
        description: { type: 'string', description: 'What is to be done, in full.' },
        dueAt: { type: 'string', description: 'When it should be finished, as ISO 8601.' },
      },
      required: ['title'],
    },
  },
  search_files: {
    description: 'Finds passages in the files of this conversation.',
    parameters: {
      type: 'object',
      properties: { query: { type: 'string', description: 'What to look for.' } },
      required: ['query'],
    },
  },
}

/** The agent's own tools as a model is told of them. */
export function toolDefinitions(tools: readonly AgentTool[]): ProviderTool[] {
  return tools.flatMap((tool): ProviderTool[] => {
    if (tool.kind === 'http')
      return [
        { type: 'function', name: tool.name, description: tool.description, parameters: tool.parameters },
      ]
    if (tool.kind === 'mcp') return []
    const { description, parameters } = builtins[tool.builtin]
    return [{ type: 'function', name: tool.name, description: tool.description ?? description, parameters }]
  })
}
