import { z } from 'zod'

export const ToolTrialInput = z
  .strictObject({
    arguments: z
      .record(z.string(), z.unknown())
      .default({})
      .describe('The arguments, as a model would give them.'),
    dryRun: z
      .boolean()
      .default(true)
      .describe(
        'True: everything but the call itself. False: the tool is really run, without approval; one that needs approval needs the scope `approval:decide`.',
      ),
  })
  .meta({
    id: 'ToolTrialInput',
    description: 'How a tool is to be tried.',
    examples: [{ arguments: { timeZone: 'Europe/Berlin' }, dryRun: false }],
  })

export const ToolTrial = z
  .object({
    isSuccess: z.boolean().describe('Whether the call would be made, or has succeeded.'),
    output: z.string().describe('What the model would read, or what is wrong.'),
    request: z
      .object({
        method: z.string().describe('The HTTP method.'),
        url: z.string().describe('The address, its placeholders filled.'),
        body: z.string().nullable().describe('The JSON body; null where none is sent.'),
      })
      .nullable()
      .describe('What an http tool sends, without its headers; null for other kinds.'),
    executionTimeSeconds: z.number().describe('How long the tool ran; 0 where nothing ran.'),
  })
  .meta({ id: 'ToolTrial', description: 'What came of trying a tool.' })

export type ToolTrialInput = z.output<typeof ToolTrialInput>
export type ToolTrial = z.output<typeof ToolTrial>
