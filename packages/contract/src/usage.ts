import { z } from 'zod'
import { Cost } from './cost.js'
import { id, text, timestamp, timestampInput } from './field.js'
import { rehearsalFilter } from './rehearsal.js'

/** The dimensions by which usage can be grouped, in the default sort order. */
export const usageGroups = [
  'day',
  'agent',
  'key',
  'model',
  'connection',
  'channel',
  'rehearsal',
  'endUser',
] as const

export type UsageGroupName = (typeof usageGroups)[number]

const channel = z.enum(['text', 'realtime', 'telephone'])

const channels =
  'text turns (`text`), realtime sessions (`realtime`) or the minutes of telephone calls (`telephone`)'

const isUsageGroup = (name: string): name is UsageGroupName => usageGroups.some((known) => known === name)

const groupBy = z
  .string()
  .max(100)
  .transform((value, context): UsageGroupName[] => {
    const names = value.split(',')
    const groups = names.filter(isUsageGroup)
    if (groups.length === names.length && new Set(names).size === names.length) return groups
    context.addIssue({
      code: 'custom',
      message: `must be a comma-separated list of unique values from: ${usageGroups.join(', ')}`,
    })
    return z.NEVER
  })

export const UsageQuery = z.strictObject({
  From: timestampInput()
    .optional()
    .describe('Only return usage at or after this time. If omitted, 30 days before `To`.'),
  To: timestampInput()
    .optional()
    .describe('Only return usage before this time. If omitted, the current time.'),
  GroupBy: groupBy
    .default(['day'])
    .describe(
      'The dimensions to group by, separated by commas: `day`, `agent`, `key`, `model`, `connection`, `channel`, `rehearsal` and `endUser`. With `endUser`, only usage with individual records is returned.',
    )
    .meta({ examples: ['day,model'] }),
  AgentId: id().optional().describe('Only return usage of this agent.'),
  ApiKeyId: id().optional().describe('Only return usage that was started with this API key.'),
  ConnectionId: id().optional().describe('Only return usage of this connection or phone connection.'),
  Model: text(200).optional().describe('Only return usage of this model.'),
  Channel: channel.optional().describe(`Only return usage of this channel: ${channels}.`),
  Rehearsal: rehearsalFilter('the usage'),
  EndUserId: id()
    .optional()
    .describe('Only return usage of this end user, as far as individual records exist.'),
})

const tokens = (kind: string) => z.int().describe(`The number of ${kind}.`)

export const UsageTokens = z
  .object({
    textInput: tokens('text input tokens'),
    textOutput: tokens('text output tokens'),
    audioInput: tokens('audio input tokens'),
    audioOutput: tokens('audio output tokens'),
    imageInput: tokens('image input tokens'),
    cachedTextInput: tokens('cached text input tokens, which are included in `textInput`'),
    cachedAudioInput: tokens('cached audio input tokens, which are included in `audioInput`'),
    cachedImageInput: tokens('cached image input tokens, which are included in `imageInput`'),
    cacheWriteTextInput: tokens('text input tokens written to a cache, which are included in `textInput`'),
  })
  .meta({
    id: 'UsageTokens',
    description: 'The number of tokens by modality. Cached tokens are included in the input tokens.',
  })

const figures = {
  sessions: z.int().describe('The number of realtime sessions that were started.'),
  turns: z.int().describe('The number of text turns that a model started to answer.'),
  responses: z
    .int()
    .describe(
      'The number of model calls: responses in realtime sessions, steps of text turns, and transcriptions.',
    ),
  seconds: z.number().describe('The total duration of the model calls in seconds.'),
  audioSeconds: z
    .number()
    .describe('The duration of the audio and the telephone calls that are billed by time, in seconds.'),
  toolCalls: z.int().describe('The number of tool calls.'),
  tokens: UsageTokens,
  cost: Cost,
}

export const UsageFigures = z.object(figures).meta({ id: 'UsageFigures', description: 'Usage totals.' })

export const UsageItem = z
  .object({
    group: z
      .object({
        day: z.iso.date().optional().describe('The day (UTC).'),
        agentId: id().optional().describe('The ID of the agent. Sub-agents are listed under their own ID.'),
        apiKeyId: id()
          .nullable()
          .optional()
          .describe('The ID of the API key that started the usage. `null` if a user started it.'),
        model: z
          .string()
          .optional()
          .describe('The name of the model. For telephone calls, the kind of the phone connection.'),
        connectionId: id()
          .optional()
          .describe('The ID of the connection. For telephone calls, the ID of the phone connection.'),
        channel: channel.optional().describe(`The channel: ${channels}.`),
        rehearsal: z.boolean().optional().describe('Whether the usage belongs to rehearsals (test mode).'),
        endUserId: id()
          .nullable()
          .optional()
          .describe('The ID of the end user. `null` if the end user is anonymous.'),
      })
      .describe('The values of the requested dimensions.'),
    ...figures,
  })
  .meta({ id: 'UsageItem', description: 'The usage of a group.' })

export const Usage = z
  .object({
    from: timestamp().describe('The start of the covered period (UTC).'),
    to: timestamp().describe('The end of the covered period (UTC).'),
    items: z.array(UsageItem).describe('The groups that have usage, sorted by the requested dimensions.'),
    totals: UsageFigures,
    names: z
      .record(z.string(), z.string())
      .describe(
        'The names of the agents, API keys, connections and phone connections in the groups, by ID. Deleted resources are not included.',
      ),
  })
  .meta({ id: 'Usage', description: 'The usage of an organization in a period.' })

export type UsageQuery = z.output<typeof UsageQuery>
export type UsageTokens = z.output<typeof UsageTokens>
export type UsageFigures = z.output<typeof UsageFigures>
export type UsageItem = z.output<typeof UsageItem>
export type Usage = z.output<typeof Usage>
