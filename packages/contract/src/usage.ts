import { z } from 'zod'
import { Cost } from './cost.js'
import { answeredMoment, id, moment, text } from './field.js'
import { rehearsalFilter } from './rehearsal.js'

/** The groups of usage, in the default sorting order. */
export const usageGroups = ['day', 'agent', 'key', 'model', 'connection', 'channel', 'rehearsal'] as const

export type UsageGroupName = (typeof usageGroups)[number]

const channel = z.enum(['text', 'realtime'])

const isGroup = (name: string): name is UsageGroupName => usageGroups.some((known) => known === name)

const groupBy = z
  .string()
  .max(100)
  .transform((value, context): UsageGroupName[] => {
    const names = value.split(',')
    const groups = names.filter(isGroup)
    if (groups.length === names.length && new Set(names).size === names.length) return groups
    context.addIssue({
      code: 'custom',
      message: `must be names out of ${usageGroups.join(', ')}, each once, separated by commas`,
    })
    return z.NEVER
  })

export const UsageQuery = z.strictObject({
  From: moment().optional().describe('Only usage at or after this time. Default: 30 days before the end.'),
  To: moment().optional().describe('Only usage before this time. Default: now.'),
  GroupBy: groupBy
    .default(['day'])
    .describe(
      'The groups: day, agent, key, model, connection, channel or rehearsal, or several of them separated by commas.',
    )
    .meta({ examples: ['day,model'] }),
  AgentId: id().optional().describe('Only usage of this agent.'),
  ApiKeyId: id().optional().describe('Only usage started with this key.'),
  ConnectionId: id().optional().describe('Only usage over this connection.'),
  Model: text(200).optional().describe('Only usage of this model.'),
  Channel: channel.optional().describe('Only usage in text, or only in sessions.'),
  Rehearsal: rehearsalFilter('all usage'),
})

const tokens = (whose: string) => z.int().describe(`Tokens of ${whose}.`)

export const UsageTokens = z
  .object({
    textInput: tokens('text input'),
    textOutput: tokens('text output'),
    audioInput: tokens('audio input'),
    audioOutput: tokens('audio output'),
    imageInput: tokens('image input'),
    cachedTextInput: tokens('cached text input, a part of textInput'),
    cachedAudioInput: tokens('cached audio input, a part of audioInput'),
    cachedImageInput: tokens('cached image input, a part of imageInput'),
    cacheWriteTextInput: tokens('text written to a cache, a part of textInput'),
  })
  .meta({ id: 'UsageTokens', description: 'Tokens by modality. Cached tokens are a part of the input.' })

const figures = {
  sessions: z.int().describe('The number of realtime sessions that began.'),
  turns: z.int().describe('The number of text questions that a model began to answer.'),
  responses: z
    .int()
    .describe('The number of model calls: responses of sessions, steps of turns, and transcriptions.'),
  seconds: z.number().describe('The total duration of the model calls.'),
  audioSeconds: z.number().describe('Seconds of audio billed by time.'),
  toolCalls: z.int().describe('The number of tool calls.'),
  tokens: UsageTokens,
  cost: Cost,
}

export const UsageFigures = z.object(figures).meta({ id: 'UsageFigures', description: 'Summed usage.' })

export const UsageItem = z
  .object({
    group: z
      .object({
        day: z.iso.date().optional().describe('The day, in UTC.'),
        agentId: id().optional().describe('The agent. Sub-agents are counted under their own id.'),
        apiKeyId: id().nullable().optional().describe('The key that started it. Null: a person did.'),
        model: z.string().optional().describe('The model.'),
        connectionId: id().optional().describe('The connection.'),
        channel: channel.optional().describe('The channel: text or session.'),
        rehearsal: z.boolean().optional().describe('Whether it was a rehearsal.'),
      })
      .describe('The group of these figures, with the requested fields.'),
    ...figures,
  })
  .meta({ id: 'UsageItem', description: 'The usage of one group.' })

export const Usage = z
  .object({
    from: answeredMoment().describe('The beginning of the covered time.'),
    to: answeredMoment().describe('Its end.'),
    items: z.array(UsageItem).describe('The groups with usage, sorted by the requested fields.'),
    totals: UsageFigures,
    names: z
      .record(z.string(), z.string())
      .describe(
        'The names of the agents, keys and connections in the groups, by id. Deleted ones are missing.',
      ),
  })
  .meta({ id: 'Usage', description: 'The usage of an organization in a time span.' })

export type UsageQuery = z.output<typeof UsageQuery>
export type UsageTokens = z.output<typeof UsageTokens>
export type UsageFigures = z.output<typeof UsageFigures>
export type UsageItem = z.output<typeof UsageItem>
export type Usage = z.output<typeof Usage>
