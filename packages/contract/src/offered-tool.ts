import { z } from 'zod'

const hint = (description: string) =>
  z.boolean().nullable().describe(`${description} \`null\` if the server does not declare this.`)

export const ToolHints = z
  .object({
    readOnlyHint: hint('Whether a call only reads data.'),
    destructiveHint: hint('Whether a call may overwrite or delete data.'),
    idempotentHint: hint('Whether repeating a call with the same arguments has no additional effect.'),
    openWorldHint: hint('Whether a call interacts with external systems.'),
  })
  .meta({
    id: 'ToolHints',
    description: 'The hints that the MCP server declares for its tool. They are not verified.',
  })

export const OfferedTool = z
  .object({
    name: z.string().describe('The name of the tool, as the model sees it.'),
    title: z.string().describe('The display name of the tool.'),
    description: z.string().describe('The description of the tool, as the model sees it.'),
    parameters: z.record(z.string(), z.unknown()).describe('The JSON schema of the arguments.'),
    kind: z.enum(['http', 'mcp', 'builtin', 'subagent']).describe('The kind of the tool.'),
    tool: z
      .string()
      .nullable()
      .describe('The name of the agent tool that provides it. `null` if it is a sub-agent.'),
    approvalRequired: z.boolean().describe('Whether each call requires approval.'),
    hints: ToolHints.nullable().describe(
      'The hints that the MCP server declares. `null` if it declares none, or if this is not an MCP tool.',
    ),
  })
  .meta({ id: 'OfferedTool', description: 'A tool of an agent, as the model sees it.' })

export const OfferedToolList = z
  .object({
    items: z.array(OfferedTool).describe('The tools, in the order in which they are sent to the model.'),
  })
  .meta({ id: 'OfferedToolList', description: 'The tools that the model of an agent can call.' })

export type ToolHints = z.output<typeof ToolHints>
export type OfferedTool = z.output<typeof OfferedTool>
