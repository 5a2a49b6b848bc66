import { z } from 'zod'
import { Cost } from '../cost.js'
import { endUserFilter, withMetadataFilter } from '../end-user.js'
import { id, resourceFields, timestamp, timestampInput } from '../field.js'
import { pageOf, pageQuery } from '../page.js'
import { rehearsalFilter } from '../rehearsal.js'
import { endReasons } from './close-codes.js'

const tokens = (kind: string) => z.int().describe(`The number of ${kind}.`)

export const RealtimeUsage = z
  .object({
    responses: z.int().describe('The number of responses that the provider completed.'),
    totalTokens: tokens('tokens of all kinds'),
    inputTokens: tokens('input tokens'),
    inputTextTokens: tokens('text input tokens'),
    inputAudioTokens: tokens('audio input tokens'),
    inputImageTokens: tokens('image input tokens'),
    cachedTokens: tokens('cached input tokens, which are included in the input tokens'),
    cachedTextTokens: tokens('cached text input tokens'),
    cachedAudioTokens: tokens('cached audio input tokens'),
    outputTokens: tokens('output tokens'),
    outputTextTokens: tokens('text output tokens'),
    outputAudioTokens: tokens('audio output tokens'),
  })
  .meta({ id: 'RealtimeUsage', description: 'The token usage of a session, by modality.' })

export const RealtimeLatency = z
  .object({
    exchanges: z
      .int()
      .describe(
        'The number of completed exchanges. An exchange is a message of the user and the response to it.',
      ),
    firstAudioP50Ms: z
      .int()
      .nullable()
      .describe(
        "The median time from the end of the user's speech to the first audio of the response, in milliseconds. `null` if there was no exchange.",
      ),
    firstAudioP95Ms: z
      .int()
      .nullable()
      .describe('The 95th percentile of this time, in milliseconds. `null` if there was no exchange.'),
  })
  .meta({ id: 'RealtimeLatency', description: 'The latency of the last 500 exchanges of a session.' })

const state = z
  .enum(['issued', 'consumed', 'expired'])
  .describe(
    'The state of the one-time token. It is `consumed` once the session has started. Use `endedAt` to distinguish active from ended sessions.',
  )

export const RealtimeSession = z
  .object({
    ...resourceFields,
    agentId: id().describe('The ID of the agent.'),
    conversationId: id().describe('The ID of the conversation.'),
    state,
    startedAt: timestamp()
      .nullable()
      .describe('When the WebSocket was opened (UTC). `null` if the session has not started.'),
    endedAt: timestamp().nullable().describe('When the session ended (UTC). `null` if it has not ended.'),
    endReason: z.enum(endReasons).nullable().describe('Why the session ended. `null` if it has not ended.'),
    usage: RealtimeUsage,
    cost: Cost.describe('The cost so far, including the cost of sub-agents.'),
    latency: RealtimeLatency.nullable().describe(
      'The response latency. `null` until an exchange is completed.',
    ),
    rehearsal: z
      .boolean()
      .describe('Whether the session is a rehearsal (test mode), in which stubs replace the tools.'),
  })
  .meta({ id: 'RealtimeSession', description: 'A realtime session. Its `id` is not the one-time token.' })

export const RealtimeSessionPage = pageOf(RealtimeSession, 'RealtimeSession')

export const RealtimeSessionListQuery = withMetadataFilter({
  ...pageQuery,
  ...endUserFilter('sessions'),
  AgentId: id().optional().describe('Only return sessions of this agent.'),
  ConversationId: id().optional().describe('Only return sessions of this conversation.'),
  IsRunning: z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .optional()
    .describe('If `true`, only return active sessions. If `false`, only return ended sessions.'),
  EndReason: z.enum(endReasons).optional().describe('Only return sessions with this end reason.'),
  Rehearsal: rehearsalFilter('sessions'),
  From: timestampInput().optional().describe('Only return sessions created at or after this time.'),
  To: timestampInput().optional().describe('Only return sessions created before this time.'),
})

export type RealtimeUsage = z.output<typeof RealtimeUsage>
export type RealtimeLatency = z.output<typeof RealtimeLatency>
export type RealtimeSession = z.output<typeof RealtimeSession>
export type RealtimeSessionListQuery = z.output<typeof RealtimeSessionListQuery>
