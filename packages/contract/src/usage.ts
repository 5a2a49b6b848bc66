import { z } from 'zod'
import { Cost } from './cost.js'
import { answeredMoment, id, moment, text } from './field.js'
import { rehearsalFilter } from './rehearsal.js'

/** What usage can be summed by; the order is the one in which an answer sorts, where a caller names none. */
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
      message: `must be names out of ${usageGroups.join(', ')}, each once, with commas between them`,
    })
    return z.NEVER
  })

export const UsageQuery = z.strictObject({
  From: moment()
    .optional()
    .describe('Only what was used at or after this moment; 30 days before the end if left out.'),
  To: moment().optional().describe('Only what was used before this moment; now if left out.'),
  GroupBy: groupBy
    .default(['day'])
    .describe(
      'What to sum by: day, agent, key, model, connection, channel or rehearsal, or several of them with commas between.',
    )
    .meta({ examples: ['day,model'] }),
  AgentId: id().optional().describe('Only what this agent used.'),
  ApiKeyId: id().optional().describe('Only what was started with this key.'),
  ConnectionId: id().optional().describe('Only what was used over this connection.'),
  Model: text(200).optional().describe('Only what this model used.'),
  Channel: channel.optional().describe('Only what was used in text, or in sessions.'),
  Rehearsal: rehearsalFilter('what was used'),
})

const tokens = (whose: string) => z.int().describe(`Tokens of ${whose}.`)

export const UsageTokens = z
  .object({
    textInput: tokens('text that models read'),
    textOutput: tokens('text that models wrote'),
    audioInput: tokens('sound that models heard'),
    audioOutput: tokens('sound that models spoke'),
    imageInput: tokens('pictures that models saw'),
    cachedTextInput: tokens('text that came from a cache, a part of textInput'),
    cachedAudioInput: tokens('sound that came from a cache, a part of audioInput'),
    cachedImageInput: tokens('pictures that came from a cache, a part of imageInput'),
    cacheWriteTextInput: tokens('text that was put into a cache, a part of textInput'),
  })
  .meta({ id: 'UsageTokens', description: 'Tokens by modality; those of caches are a part of the input.' })

const figures = {
  sessions: z.int().describe('How many realtime sessions began.'),
  turns: z.int().describe('How many questions in text a model began to answer.'),
  responses: z
    .int()
    .describe(
      'How many times a model worked: responses of sessions, steps of turns, and each time it wrote down what was said.',
    ),
  seconds: z.number().describe('How long the models worked on it.'),
  audioSeconds: z.number().describe('Seconds of sound that is paid for by the time.'),
  toolCalls: z.int().describe('How many tools the models called.'),
  tokens: UsageTokens,
  cost: Cost,
}

export const UsageFigures = z
  .object(figures)
  .meta({ id: 'UsageFigures', description: 'What was used, summed up.' })

export const UsageItem = z
  .object({
    group: z
      .object({
        day: z.iso.date().optional().describe('The day, in UTC.'),
        agentId: id().optional().describe('The agent; sub-agents stand for themselves.'),
        apiKeyId: id().nullable().optional().describe('The key that began it; null: a person did.'),
        model: z.string().optional().describe('The model.'),
        connectionId: id().optional().describe('The connection.'),
        channel: channel.optional().describe('How it was used: in text, or in a session.'),
        rehearsal: z.boolean().optional().describe('Whether it was used in rehearsals.'),
      })
      .describe('What these figures are of: just what was asked for.'),
    ...figures,
  })
  .meta({ id: 'UsageItem', description: 'What one group used.' })

export const Usage = z
  .object({
    from: answeredMoment().describe('The beginning of the time that is summed up.'),
    to: answeredMoment().describe('Its end.'),
    items: z.array(UsageItem).describe('The groups that used something, sorted by what was asked for.'),
    totals: UsageFigures,
    names: z
      .record(z.string(), z.string())
      .describe(
        'The names of the agents, keys and connections in the groups, by their ids; of those that still have one.',
      ),
  })
  .meta({ id: 'Usage', description: 'What an organization used in some time.' })

export type UsageQuery = z.output<typeof UsageQuery>
export type UsageTokens = z.output<typeof UsageTokens>
export type UsageFigures = z.output<typeof UsageFigures>
export type UsageItem = z.output<typeof UsageItem>
export type Usage = z.output<typeof Usage>
