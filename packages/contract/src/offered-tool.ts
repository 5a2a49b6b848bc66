import { z } from 'zod'

const hint = (description: string) => z.boolean().nullable().describe(`${description} Null: not declared.`)

export const ToolHints = z
  .object({
    readOnlyHint: hint('A call changes nothing.'),
    destructiveHint: hint('A call may destroy data, not only add to it.'),
    idempotentHint: hint('Repeating a call with the same arguments has no further effect.'),
    openWorldHint: hint('A call reaches systems beyond the server.'),
  })
  .meta({
    id: 'ToolHints',
    description: "The MCP server's own description of its tool. It is not verified.",
  })

export const OfferedTool = z
  .object({
    name: z.string().describe('The tool name that the model uses.'),
    title: z.string().describe('The name shown to people.'),
    description: z.string().describe('The description that the model reads.'),
    parameters: z.record(z.string(), z.unknown()).describe('JSON schema of the arguments.'),
    kind: z.enum(['http', 'mcp', 'builtin', 'subagent']).describe('The kind of tool.'),
    tool: z
      .string()
      .nullable()
      .describe("The name of the agent's own tool that provides it. Null for a sub-agent."),
    approvalRequired: z.boolean().describe('Whether a person must approve each call.'),
    hints: ToolHints.nullable().describe("The MCP server's declarations. Null: none, or not an MCP tool."),
  })
  .meta({ id: 'OfferedTool', description: 'A tool, as the model of an agent sees it.' })

export const OfferedToolList = z
  .object({ items: z.array(OfferedTool).describe('The tools, in the order in which the model sees them.') })
  .meta({ id: 'OfferedToolList', description: 'Everything that the model of an agent can call.' })

export type ToolHints = z.output<typeof ToolHints>
export type OfferedTool = z.output<typeof OfferedTool>
