import { z } from 'zod'

export const ToolTrialInput = z
  .strictObject({
    arguments: z
      .record(z.string(), z.unknown())
      .default({})
      .describe('The arguments, as a model would send them.'),
    dryRun: z
      .boolean()
      .default(true)
      .describe(
        'True: only shows the request. False: runs the tool without approval. A tool that needs approval then requires the scope `approval:decide`.',
      ),
  })
  .meta({
    id: 'ToolTrialInput',
    description: 'The body that tries a tool.',
    examples: [{ arguments: { timeZone: 'Europe/Berlin' }, dryRun: false }],
  })

export const ToolTrial = z
  .object({
    isSuccess: z.boolean().describe('Whether the call would be made, or succeeded.'),
    output: z.string().describe('What the model would read, or what is wrong.'),
    request: z
      .object({
        method: z.string().describe('The HTTP method.'),
        url: z.string().describe('The address, with its placeholders filled.'),
        body: z.string().nullable().describe('The JSON body. Null: none.'),
      })
      .nullable()
      .describe('The request of an http tool, without its headers. Null for other kinds.'),
    executionTimeSeconds: z.number().describe('The duration of the call. 0 if it did not run.'),
  })
  .meta({ id: 'ToolTrial', description: 'The result of trying a tool.' })

export type ToolTrialInput = z.output<typeof ToolTrialInput>
export type ToolTrial = z.output<typeof ToolTrial>
