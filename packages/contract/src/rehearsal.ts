import { z } from 'zod'
import { text } from './field.js'

/** How much text a stub may answer with, and how much its arguments may be, as JSON. */
const maxStubCharacters = 65_536

const stubText = () => text(maxStubCharacters).optional()

export const ToolStub = z
  .strictObject({
    name: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,64}$/, { error: 'must be 1 to 64 letters, digits, _ or -' })
      .describe(
        "The name by which the model calls the tool; a tool of an MCP server's has `<tool>__` before its own.",
      ),
    output: stubText().describe('What the tool answers. Exactly one of `output` and `error` is given.'),
    error: stubText().describe('What the tool fails with, in place of an answer.'),
    delayMilliseconds: z
      .int()
      .min(0)
      .max(30_000)
      .default(0)
      .describe("How long the tool takes; a tool's own timeout counts as always."),
    arguments: z
      .record(z.string(), z.unknown())
      .refine((given) => JSON.stringify(given).length <= maxStubCharacters, {
        error: `must be at most ${maxStubCharacters} characters of JSON`,
      })
      .default({})
      .describe(
        'Answers only calls whose arguments contain all of these, with equal values, to any depth; empty: every call.',
      ),
  })
  .refine(({ output, error }) => (output === undefined) !== (error === undefined), {
    error: 'needs exactly one of output and error',
  })
  .meta({ id: 'ToolStub', description: 'What stands in for a tool in a rehearsal.' })

export const Rehearsal = z
  .strictObject({
    tools: z
      .array(ToolStub)
      .max(100)
      .default([])
      .describe('What stands in for tools. Of several for one tool the first that fits a call answers it.'),
  })
  .meta({
    id: 'Rehearsal',
    description:
      'Marks a question or session as a rehearsal: no tool is really called and no webhook is told. A tool that has no stub fails, client tools and those that only read the conversation go on as always, and sub-agents take part with the same stubs.',
    examples: [{ tools: [{ name: 'find_order', output: '{"status":"sent"}' }] }],
  })

/** The field of questions and sessions. */
export const rehearsalField = Rehearsal.nullable()
  .default(null)
  .describe(
    'Makes it a rehearsal. A conversation that began as a rehearsal goes on as one, and no other becomes one.',
  )

/** The filter of lists. */
export const rehearsalFilter = (whose: string) =>
  z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .optional()
    .describe(`Only ${whose} of rehearsals, or only of what is none.`)

export type ToolStub = z.output<typeof ToolStub>
export type Rehearsal = z.output<typeof Rehearsal>
