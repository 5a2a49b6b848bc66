import { z } from 'zod'
import { text } from './field.js'

/** The maximum size of a stub's output and arguments, as JSON. */
const maxStubCharacters = 65_536

const stubText = () => text(maxStubCharacters).optional()

export const ToolStub = z
  .strictObject({
    name: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,64}$/, {
        error: 'must consist of 1 to 64 letters, digits, underscores or hyphens',
      })
      .describe('The name of the tool, as the model sees it. The names of MCP tools start with `<tool>__`.'),
    output: stubText().describe('The output of the tool. Set either `output` or `error`.'),
    error: stubText().describe('The error with which the tool fails. Set either `output` or `error`.'),
    delayMilliseconds: z
      .int()
      .min(0)
      .max(30_000)
      .default(0)
      .describe('The simulated duration of the call in milliseconds. The timeout of the tool still applies.'),
    arguments: z
      .record(z.string(), z.unknown())
      .refine((given) => JSON.stringify(given).length <= maxStubCharacters, {
        error: `must have at most ${maxStubCharacters} characters as JSON`,
      })
      .default({})
      .describe(
        'The arguments that a call must contain for the stub to apply. Nested objects are compared recursively. If empty, the stub applies to every call.',
      ),
  })
  .refine(({ output, error }) => (output === undefined) !== (error === undefined), {
    error: 'must have either output or error, but not both',
  })
  .meta({ id: 'ToolStub', description: 'A stub that replaces a tool in a rehearsal (test mode).' })

export const Rehearsal = z
  .strictObject({
    tools: z
      .array(ToolStub)
      .max(100)
      .default([])
      .describe('The tool stubs. The first stub that matches a call is used.'),
  })
  .meta({
    id: 'Rehearsal',
    description:
      'Runs a question or realtime session in test mode. Tools are not called, and webhooks are not sent. Stubs supply the results of the tools, and a call to a tool without a stub fails. Client tools, and tools that only read the conversation, work as usual. Sub-agents use the same stubs.',
    examples: [{ tools: [{ name: 'find_order', output: '{"status":"sent"}' }] }],
  })

/** The field of questions and realtime sessions. */
export const rehearsalField = Rehearsal.nullable()
  .default(null)
  .describe(
    'Runs the request as a rehearsal (test mode). Whether a conversation is a rehearsal is set when it is created and cannot be changed later.',
  )

/** The query parameter of lists that can be filtered by rehearsal. */
export const rehearsalFilter = (items: string) =>
  z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .optional()
    .describe(`If \`true\`, only return ${items} of rehearsals (test mode). If \`false\`, exclude them.`)

export type ToolStub = z.output<typeof ToolStub>
export type Rehearsal = z.output<typeof Rehearsal>
