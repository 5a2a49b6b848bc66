import type { BuiltinTool } from '../../../ports/tool-executor.js'

interface BuiltinDefinition {
  readonly description: string
  readonly parameters: Readonly<Record<string, unknown>>
}

/** The tools that come with the service, as a model sees them. */
export const builtinDefinitions: Readonly<Record<BuiltinTool['builtin'], BuiltinDefinition>> = {
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
    description:
      'Finds the passages of the files of this conversation that say most about something. Ask in words that would stand in them.',
    parameters: {
      type: 'object',
      properties: { query: { type: 'string', description: 'What to look for.' } },
      required: ['query'],
    },
  },
}
