import { z } from 'zod'
import { text } from './field.js'

/** The maximum size of a stub's output and arguments, as JSON. */
const maxStubCharacters = 65_536

const stubText = () => text(maxStubCharacters).optional()

export const ToolStub = z
  .strictObject({
    name: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,64}$/, { error: 'must be 1 to 64 letters, digits, _ or -' })
      .describe('The tool name that the model uses. A tool of an MCP server has the prefix `<tool>__`.'),
    output: stubText().describe('The output of the tool. Give either `output` or `error`.'),
    error: stubText().describe('The error that the tool fails with, instead of an output.'),
    delayMilliseconds: z
      .int()
      .min(0)
      .max(30_000)
      .default(0)
      .describe("How long the call takes. The tool's timeout still applies."),
    arguments: z
      .record(z.string(), z.unknown())
      .refine((given) => JSON.stringify(given).length <= maxStubCharacters, {
        error: `must be at most ${maxStubCharacters} characters of JSON`,
      })
      .default({})
      .describe(
        'Answers only calls whose arguments contain all of these values, at any depth. Empty: every call.',
      ),
  })
  .refine(({ output, error }) => (output === undefined) !== (error === undefined), {
    error: 'needs either output or error, not both',
  })
  .meta({ id: 'ToolStub', description: 'A stub that replaces a tool in a rehearsal.' })

export const Rehearsal = z
  .strictObject({
    tools: z
      .array(ToolStub)
      .max(100)
      .default([])
      .describe('The stubs. The first stub that matches a call answers it.'),
  })
  .meta({
    id: 'Rehearsal',
    description:
      'Marks a question or session as a rehearsal: no tool is really called and no webhook is sent. A tool without a stub fails. Client tools and tools that only read the conversation work as usual. Sub-agents use the same stubs.',
    examples: [{ tools: [{ name: 'find_order', output: '{"status":"sent"}' }] }],
  })

/** The field of questions and sessions. */
export const rehearsalField = Rehearsal.nullable()
  .default(null)
  .describe(
    'Makes it a rehearsal. A rehearsal conversation stays one, and no other conversation becomes one.',
  )

/** The filter of lists. */
export const rehearsalFilter = (whose: string) =>
  z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .optional()
    .describe(`Only ${whose} of rehearsals, or only those outside of rehearsals.`)

export type ToolStub = z.output<typeof ToolStub>
export type Rehearsal = z.output<typeof Rehearsal>
