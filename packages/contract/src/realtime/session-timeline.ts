import { z } from 'zod'
import { answeredMoment, id } from '../field.js'

const offset = (what: string) => z.int().describe(`${what}, in milliseconds since the session's start.`)

const exchangeStatuses = ['completed', 'interrupted', 'failed'] as const

export const RealtimeExchangeTool = z
  .object({
    callId: z.string().describe("The model's id of the call. Long ids are shortened."),
    name: z.string().describe('The name of the tool. Long names are shortened.'),
    runBy: z.enum(['service', 'client']).describe('Who runs it: the service or the client.'),
    startedAt: offset('When the model finished the call'),
    endedAt: offset('When the output was sent to the model').nullable(),
    waitedForApprovalMs: z.int().describe('The part of that time spent waiting for approval.'),
  })
  .meta({ id: 'RealtimeExchangeTool', description: 'A tool call of an exchange.' })

export const RealtimeExchange = z
  .object({
    number: z.int().describe('The number of the exchange in the session, from 1.'),
    speechStoppedAt: offset(
      "When the user's speech ended, as the provider reported. Null: nothing was spoken",
    ).nullable(),
    typedAt: offset('When a typed message arrived. Null: nothing was typed').nullable(),
    responseCreatedAt: offset('When the model began to answer. Null: it did not').nullable(),
    firstTokenAt: offset('When the first words of the answer came, as text or transcript').nullable(),
    firstAudioAt: offset('When the first audio of the answer came').nullable(),
    tools: z.array(RealtimeExchangeTool).describe('The tool calls of the answer, at most the first 32.'),
    doneAt: offset('When the exchange was over'),
    status: z
      .enum(exchangeStatuses)
      .describe(
        'Whether the answer was finished, failed, or was interrupted by the user, a new answer or the end of the session.',
      ),
  })
  .meta({
    id: 'RealtimeExchange',
    description: 'A message of the user and the answer to it, with its tool calls.',
  })

export const RealtimeSessionTimeline = z
  .object({
    realtimeSessionId: id().describe('The session.'),
    startedAt: answeredMoment()
      .nullable()
      .describe('When the session started. Offsets count from then. Null: not started.'),
    endedAt: answeredMoment().nullable().describe('When the session ended. Null: it is running.'),
    exchanges: z
      .array(RealtimeExchange)
      .describe('The finished exchanges in order. A long session has the last 500.'),
  })
  .meta({ id: 'RealtimeSessionTimeline', description: 'The timeline of a session.' })

export type RealtimeExchangeTool = z.output<typeof RealtimeExchangeTool>
export type RealtimeExchange = z.output<typeof RealtimeExchange>
export type RealtimeSessionTimeline = z.output<typeof RealtimeSessionTimeline>
