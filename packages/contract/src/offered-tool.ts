import { z } from 'zod'

const hint = (description: string) => z.boolean().nullable().describe(`${description} Null: it does not say.`)

export const ToolHints = z
  .object({
    readOnlyHint: hint('A call changes nothing.'),
    destructiveHint: hint('A call may destroy something, and not only add to it.'),
    idempotentHint: hint('Calling again with the same arguments changes nothing more.'),
    openWorldHint: hint('A call reaches beyond the server, into the world.'),
  })
  .meta({
    id: 'ToolHints',
    description: 'What an MCP server says of its tool. It is the word of the server, and may be wrong.',
  })

export const OfferedTool = z
  .object({
    name: z.string().describe('The name the model calls it by.'),
    title: z.string().describe('What people see.'),
    description: z.string().describe('What the model chooses it by.'),
    parameters: z.record(z.string(), z.unknown()).describe('JSON schema of the arguments.'),
    kind: z.enum(['http', 'mcp', 'builtin', 'subagent']).describe('What stands behind it.'),
    tool: z
      .string()
      .nullable()
      .describe("The name of the agent's own tool that it comes from; null for a sub-agent."),
    approvalRequired: z.boolean().describe('Whether a person must approve each call.'),
    hints: ToolHints.nullable().describe(
      'What the MCP server says of it; null where it says nothing, and for other tools.',
    ),
  })
  .meta({ id: 'OfferedTool', description: 'A tool as the model of an agent is offered it.' })

export const OfferedToolList = z
  .object({ items: z.array(OfferedTool).describe('The tools, in the order in which the model sees them.') })
  .meta({ id: 'OfferedToolList', description: 'All that the model of an agent can call.' })

export type ToolHints = z.output<typeof ToolHints>
export type OfferedTool = z.output<typeof OfferedTool>
