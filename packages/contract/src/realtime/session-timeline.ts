import { z } from 'zod'
import { answeredMoment, id } from '../field.js'

const offset = (what: string) => z.int().describe(`${what}, in milliseconds since the session's start.`)

const exchangeStatuses = ['completed', 'interrupted', 'failed'] as const

export const RealtimeExchangeTool = z
  .object({
    callId: z.string().describe("The model's id of the call; a long one is cut."),
    name: z.string().describe('The name of the tool; a long one is cut.'),
    runBy: z.enum(['service', 'client']).describe('Who runs it: the service, or the client of the session.'),
    startedAt: offset('When the model had made the call'),
    endedAt: offset('When its output was on its way to the model').nullable(),
    waitedForApprovalMs: z.int().describe("How much of that time was spent waiting for a person's decision."),
  })
  .meta({ id: 'RealtimeExchangeTool', description: 'A tool call of an exchange.' })

export const RealtimeExchange = z
  .object({
    number: z.int().describe('Which one of the session it is; the first is 1.'),
    speechStoppedAt: offset(
      "When the user's speech had ended, by the provider's word; null where nobody spoke",
    ).nullable(),
    typedAt: offset('When something typed had arrived; null where nothing was').nullable(),
    responseCreatedAt: offset('When the model began to answer; null where it never did').nullable(),
    firstTokenAt: offset('When the first words of the answer came, as text or transcript').nullable(),
    firstAudioAt: offset('When the first audio of the answer came').nullable(),
    tools: z.array(RealtimeExchangeTool).describe('The tool calls of the answer, at most the first 32.'),
    doneAt: offset('When the exchange was over'),
    status: z
      .enum(exchangeStatuses)
      .describe(
        'Whether the answer was finished, interrupted (by the user, by a new answer or by the end of the session), or failed.',
      ),
  })
  .meta({
    id: 'RealtimeExchange',
    description: 'What somebody said or typed, and the answer to it, with the tools that it took.',
  })

export const RealtimeSessionTimeline = z
  .object({
    realtimeSessionId: id().describe('The session.'),
    startedAt: answeredMoment()
      .nullable()
      .describe('When the session started, which offsets count from; null where it has not.'),
    endedAt: answeredMoment().nullable().describe('When the session ended; null while it runs.'),
    exchanges: z
      .array(RealtimeExchange)
      .describe('The exchanges that are over, in the order they began; of a long session the last 500.'),
  })
  .meta({ id: 'RealtimeSessionTimeline', description: "What a session's time went into." })

export type RealtimeExchangeTool = z.output<typeof RealtimeExchangeTool>
export type RealtimeExchange = z.output<typeof RealtimeExchange>
export type RealtimeSessionTimeline = z.output<typeof RealtimeSessionTimeline>
