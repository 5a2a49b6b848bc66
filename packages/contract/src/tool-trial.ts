import { z } from 'zod'
import { Variables } from './end-user.js'

export const ToolTrialInput = z
  .strictObject({
    arguments: z
      .record(z.string(), z.unknown())
      .default({})
      .describe('The arguments of the call, as a model would send them.'),
    variables: Variables.default({}).describe("Values for the agent's variables, as in a question."),
    dryRun: z
      .boolean()
      .default(true)
      .describe(
        'If `true`, returns the request without sending it. If `false`, runs the tool without waiting for approval. Running a tool that requires approval needs the scope `approval:decide`.',
      ),
  })
  .meta({
    id: 'ToolTrialInput',
    description: 'The parameters for testing a tool.',
    examples: [{ arguments: { timeZone: 'Europe/Berlin' }, dryRun: false }],
  })

export const ToolTrial = z
  .object({
    isSuccess: z
      .boolean()
      .describe('Whether the call succeeded. In a dry run: whether the arguments are valid.'),
    output: z.string().describe('The output that the model would receive, or a description of the error.'),
    request: z
      .object({
        method: z.string().describe('The HTTP method.'),
        url: z.string().describe('The URL, with its placeholders replaced.'),
        body: z.string().nullable().describe('The JSON body. `null` if the request has no body.'),
      })
      .nullable()
      .describe('The HTTP request, without its headers. `null` if the tool is not of kind `http`.'),
    executionTimeSeconds: z
      .number()
      .describe('The duration of the call in seconds. `0` if the tool was not run.'),
  })
  .meta({ id: 'ToolTrial', description: 'The result of testing a tool.' })

export type ToolTrialInput = z.output<typeof ToolTrialInput>
export type ToolTrial = z.output<typeof ToolTrial>
