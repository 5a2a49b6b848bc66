import { z } from 'zod'
import { Cost } from '../cost.js'
import { answeredMoment, id, moment, resourceFields } from '../field.js'
import { pageOf, pageQuery } from '../page.js'
import { rehearsalFilter } from '../rehearsal.js'
import { endReasons } from './close-codes.js'

const tokens = (whose: string) => z.int().describe(`Tokens of ${whose}.`)

export const RealtimeUsage = z
  .object({
    responses: z.int().describe('The number of responses that the provider finished.'),
    totalTokens: tokens('all kinds'),
    inputTokens: tokens('all input'),
    inputTextTokens: tokens('text input'),
    inputAudioTokens: tokens('audio input'),
    inputImageTokens: tokens('image input'),
    cachedTokens: tokens('cached input, a part of the input'),
    cachedTextTokens: tokens('cached text input'),
    cachedAudioTokens: tokens('cached audio input'),
    outputTokens: tokens('all output'),
    outputTextTokens: tokens('text output'),
    outputAudioTokens: tokens('audio output'),
  })
  .meta({ id: 'RealtimeUsage', description: 'The token usage of a session, by modality.' })

export const RealtimeLatency = z
  .object({
    exchanges: z.int().describe('The number of finished exchanges.'),
    firstAudioP50Ms: z
      .int()
      .nullable()
      .describe(
        "The median time in milliseconds from the end of the user's speech to the first audio of the answer. Null: no exchange yet.",
      ),
    firstAudioP95Ms: z.int().nullable().describe('The 95th percentile of the same time.'),
  })
  .meta({ id: 'RealtimeLatency', description: 'The latency of the last 500 exchanges of a session.' })

const state = z
  .enum(['issued', 'consumed', 'expired'])
  .describe(
    'The state of the one-time token. A running or ended session is `consumed`; `endedAt` tells which.',
  )

export const RealtimeSession = z
  .object({
    ...resourceFields,
    agentId: id().describe('The agent.'),
    conversationId: id().describe('The conversation.'),
    state,
    startedAt: answeredMoment().nullable().describe('When the WebSocket was accepted.'),
    endedAt: answeredMoment().nullable().describe('When the session ended.'),
    endReason: z.enum(endReasons).nullable().describe('The end reason.'),
    usage: RealtimeUsage,
    cost: Cost.describe('The cost so far, including sub-agents.'),
    latency: RealtimeLatency.nullable().describe('The latency. Null until an exchange is over.'),
    rehearsal: z.boolean().describe('Whether the session is a rehearsal, in which stubs replace the tools.'),
  })
  .meta({ id: 'RealtimeSession', description: 'A realtime session. Its id differs from the token.' })

export const RealtimeSessionPage = pageOf(RealtimeSession, 'RealtimeSession')

export const RealtimeSessionListQuery = z.strictObject({
  ...pageQuery,
  AgentId: id().optional().describe('Only sessions of this agent.'),
  ConversationId: id().optional().describe('Only sessions of this conversation.'),
  IsRunning: z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .optional()
    .describe('Only running sessions, or only ended ones.'),
  EndReason: z.enum(endReasons).optional().describe('Only sessions with this end reason.'),
  Rehearsal: rehearsalFilter('sessions'),
  From: moment().optional().describe('Only sessions created at or after this time.'),
  To: moment().optional().describe('Only sessions created before this time.'),
})

export type RealtimeUsage = z.output<typeof RealtimeUsage>
export type RealtimeLatency = z.output<typeof RealtimeLatency>
export type RealtimeSession = z.output<typeof RealtimeSession>
export type RealtimeSessionListQuery = z.output<typeof RealtimeSessionListQuery>
