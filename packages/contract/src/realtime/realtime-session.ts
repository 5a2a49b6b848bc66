import { z } from 'zod'
import { Cost } from '../cost.js'
import { answeredMoment, id, moment, resourceFields } from '../field.js'
import { pageOf, pageQuery } from '../page.js'
import { rehearsalFilter } from '../rehearsal.js'
import { endReasons } from './close-codes.js'

const tokens = (whose: string) => z.int().describe(`Tokens of ${whose}.`)

export const RealtimeUsage = z
  .object({
    responses: z.int().describe('How many responses the provider finished.'),
    totalTokens: tokens('all kinds'),
    inputTokens: tokens('everything the model read'),
    inputTextTokens: tokens('text the model read'),
    inputAudioTokens: tokens('audio the model heard'),
    inputImageTokens: tokens('pictures the model saw'),
    cachedTokens: tokens('what it read from the cache, a part of the input'),
    cachedTextTokens: tokens('text from the cache'),
    cachedAudioTokens: tokens('audio from the cache'),
    outputTokens: tokens('everything the model said'),
    outputTextTokens: tokens('text the model wrote'),
    outputAudioTokens: tokens('audio the model spoke'),
  })
  .meta({ id: 'RealtimeUsage', description: 'What a session used, by modality.' })

export const RealtimeLatency = z
  .object({
    exchanges: z.int().describe('How many exchanges are over.'),
    firstAudioP50Ms: z
      .int()
      .nullable()
      .describe(
        "Milliseconds from the end of the user's speech to the first audio of the answer: half of them took no longer. Null where there were none.",
      ),
    firstAudioP95Ms: z.int().nullable().describe('The same: 19 of 20 took no longer.'),
  })
  .meta({ id: 'RealtimeLatency', description: 'How soon a session answered, over its last 500 exchanges.' })

const state = z
  .enum(['issued', 'consumed', 'expired'])
  .describe(
    'What became of its one-time token. A session that runs is consumed, and stays so when it has ended: endedAt tells which.',
  )

export const RealtimeSession = z
  .object({
    ...resourceFields,
    agentId: id().describe('The agent.'),
    conversationId: id().describe('The conversation.'),
    state,
    startedAt: answeredMoment().nullable().describe('When the WebSocket was accepted.'),
    endedAt: answeredMoment().nullable().describe('When the session ended.'),
    endReason: z.enum(endReasons).nullable().describe('Why it ended.'),
    usage: RealtimeUsage,
    cost: Cost.describe('What it cost so far, its sub-agents included.'),
    latency: RealtimeLatency.nullable().describe('How soon it answered; null until an exchange is over.'),
    rehearsal: z.boolean().describe('Whether it is a rehearsal: its tools are stubs.'),
  })
  .meta({ id: 'RealtimeSession', description: 'A realtime session. Its id is not the token.' })

export const RealtimeSessionPage = pageOf(RealtimeSession, 'RealtimeSession')

export const RealtimeSessionListQuery = z.strictObject({
  ...pageQuery,
  AgentId: id().optional().describe('Only sessions of this agent.'),
  ConversationId: id().optional().describe('Only sessions of this conversation.'),
  IsRunning: z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .optional()
    .describe('Only sessions that are running, or that are not.'),
  EndReason: z.enum(endReasons).optional().describe('Only sessions that ended for this reason.'),
  Rehearsal: rehearsalFilter('sessions'),
  From: moment().optional().describe('Only sessions that were created at or after this moment.'),
  To: moment().optional().describe('Only sessions that were created before this moment.'),
})

export type RealtimeUsage = z.output<typeof RealtimeUsage>
export type RealtimeLatency = z.output<typeof RealtimeLatency>
export type RealtimeSession = z.output<typeof RealtimeSession>
export type RealtimeSessionListQuery = z.output<typeof RealtimeSessionListQuery>
