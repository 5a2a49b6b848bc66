import { z } from 'zod'
import { answeredMoment, id, moment } from '../field.js'
import { endReasons } from './close-codes.js'
import { RealtimeUsage } from './realtime-session.js'

/** Returns whether the text is the name of a time zone, such as Europe/Berlin. */
function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

export const RealtimeStatisticsQuery = z.strictObject({
  From: moment()
    .optional()
    .describe('Only sessions that started at or after this time. Default: seven days before the end.'),
  To: moment().optional().describe('Only sessions that started before this time. Default: now.'),
  By: z.enum(['hour', 'day']).default('day').describe('The length of a bucket.'),
  AgentId: id().optional().describe('Only sessions of this agent.'),
  TimeZone: z
    .string()
    .max(100)
    .refine(isTimeZone, { error: 'must be an IANA time zone, such as Europe/Berlin' })
    .default('UTC')
    .describe('The time zone of hours and days, such as Europe/Berlin.'),
})

const latency = (share: string) =>
  z
    .int()
    .nullable()
    .describe(
      `The time in milliseconds from the end of the user's speech to the first audio, for ${share}, accurate to a tenth. Null: no exchange.`,
    )

const figures = {
  sessions: z.int().describe('The number of sessions that started.'),
  ends: z
    .array(
      z.object({
        reason: z.enum(endReasons).describe('The end reason.'),
        sessions: z.int().describe('The number of sessions.'),
      }),
    )
    .describe('The number of ended sessions by reason. Running sessions are not included.'),
  seconds: z.number().describe('The total duration. Running sessions count until now.'),
  usage: RealtimeUsage,
  exchanges: z.int().describe('The number of exchanges: a message of the user and the answer to it.'),
  firstAudioP50Ms: latency('half of the exchanges'),
  firstAudioP95Ms: latency('95 % of the exchanges'),
}

export const RealtimeStatisticsBucket = z
  .object({
    from: answeredMoment().describe('When the bucket begins.'),
    to: answeredMoment().describe('When the bucket ends. The requested time may cut the first and the last.'),
    ...figures,
  })
  .meta({
    id: 'RealtimeStatisticsBucket',
    description: 'The sessions that started in an hour or a day.',
  })

export const RealtimeStatistics = z
  .object({
    from: answeredMoment().describe('The beginning of the covered time.'),
    to: answeredMoment().describe('Its end.'),
    total: z.object(figures).describe('The sums of the whole time.'),
    buckets: z.array(RealtimeStatisticsBucket).describe('The hours or days in order, including empty ones.'),
  })
  .meta({ id: 'RealtimeStatistics', description: 'Statistics of the sessions of a time span.' })

export type RealtimeStatisticsQuery = z.output<typeof RealtimeStatisticsQuery>
export type RealtimeStatisticsBucket = z.output<typeof RealtimeStatisticsBucket>
export type RealtimeStatistics = z.output<typeof RealtimeStatistics>
