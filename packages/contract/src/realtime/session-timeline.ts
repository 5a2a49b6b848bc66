import { z } from 'zod'
import { id, timestamp } from '../field.js'

const offsetUnit = 'in milliseconds since the start of the session.'

const offset = (description: string) => z.int().describe(`${description}, ${offsetUnit}`)

const nullableOffset = (description: string, nullCase: string) =>
  z.int().nullable().describe(`${description}, ${offsetUnit} \`null\` if ${nullCase}.`)

const exchangeStatuses = ['completed', 'interrupted', 'failed'] as const

export const RealtimeExchangeTool = z
  .object({
    callId: z.string().describe('The ID that the model assigned to the call. Long IDs are truncated.'),
    name: z.string().describe('The name of the tool. Long names are truncated.'),
    runBy: z.enum(['service', 'client']).describe('Whether the service or the client runs the tool.'),
    startedAt: offset('When the model completed the call'),
    endedAt: nullableOffset('When the output was sent to the model', 'it was not sent'),
    waitedForApprovalMs: z.int().describe('The time that the call waited for approval, in milliseconds.'),
  })
  .meta({ id: 'RealtimeExchangeTool', description: 'A tool call in an exchange.' })

export const RealtimeExchange = z
  .object({
    number: z.int().describe('The number of the exchange. The exchanges of a session are numbered from 1.'),
    speechStoppedAt: nullableOffset(
      "When the user's speech ended according to the provider",
      'the user did not speak',
    ),
    typedAt: nullableOffset('When a text message of the user arrived', 'the user did not send text'),
    responseCreatedAt: nullableOffset('When the model started to respond', 'it did not respond'),
    firstTokenAt: nullableOffset(
      'When the first text of the response arrived, as text or transcript',
      'there was no text',
    ),
    firstAudioAt: nullableOffset('When the first audio of the response arrived', 'there was no audio'),
    tools: z
      .array(RealtimeExchangeTool)
      .describe('The tool calls of the exchange. If there are more than 32, only the first 32.'),
    doneAt: offset('When the exchange ended'),
    status: z
      .enum(exchangeStatuses)
      .describe(
        'The status of the response. `completed`: it is complete. `interrupted`: it was interrupted by the user, by a new response or by the end of the session. `failed`: it failed.',
      ),
  })
  .meta({
    id: 'RealtimeExchange',
    description: 'An exchange: a message of the user and the response to it, including tool calls.',
  })

export const RealtimeSessionTimeline = z
  .object({
    realtimeSessionId: id().describe('The ID of the realtime session.'),
    startedAt: timestamp()
      .nullable()
      .describe(
        'When the session started (UTC). All offsets are relative to this time. `null` if the session has not started.',
      ),
    endedAt: timestamp().nullable().describe('When the session ended (UTC). `null` if it has not ended.'),
    exchanges: z
      .array(RealtimeExchange)
      .describe('The completed exchanges, in order. If there are more than 500, only the last 500.'),
  })
  .meta({ id: 'RealtimeSessionTimeline', description: 'The timeline of a realtime session.' })

export type RealtimeExchangeTool = z.output<typeof RealtimeExchangeTool>
export type RealtimeExchange = z.output<typeof RealtimeExchange>
export type RealtimeSessionTimeline = z.output<typeof RealtimeSessionTimeline>
