import { z } from 'zod'
import { answeredMoment, id, moment } from '../field.js'
import { endReasons } from './close-codes.js'
import { RealtimeUsage } from './realtime-session.js'

/** Whether it is the name of a time zone, such as Europe/Berlin. */
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
    .describe('Only sessions that started at or after this moment; seven days before the end if left out.'),
  To: moment().optional().describe('Only sessions that started before this moment; now if left out.'),
  By: z.enum(['hour', 'day']).default('day').describe('How long a bucket is.'),
  AgentId: id().optional().describe('Only sessions of this agent.'),
  TimeZone: z
    .string()
    .max(100)
    .refine(isTimeZone, { error: 'must be the name of a time zone, such as Europe/Berlin' })
    .default('UTC')
    .describe('Where hours and days begin: a name such as Europe/Berlin.'),
})

const latency = (share: string) =>
  z
    .int()
    .nullable()
    .describe(
      `Within how many milliseconds after the end of the user's speech the answer was heard ${share}, to a tenth; null where nothing was.`,
    )

const figures = {
  sessions: z.int().describe('How many sessions started.'),
  ends: z
    .array(
      z.object({
        reason: z.enum(endReasons).describe('Why they ended.'),
        sessions: z.int().describe('How many of them.'),
      }),
    )
    .describe('How many of these sessions have ended, by reason; those that still run are not among them.'),
  seconds: z.number().describe('How long they lasted, all together; those that run, until now.'),
  usage: RealtimeUsage,
  exchanges: z.int().describe('How many exchanges they had: something said or typed, and the answer to it.'),
  firstAudioP50Ms: latency('half of the times'),
  firstAudioP95Ms: latency('19 times out of 20'),
}

export const RealtimeStatisticsBucket = z
  .object({
    from: answeredMoment().describe('When the bucket begins.'),
    to: answeredMoment().describe('When it ends; the first and the last are cut by the time asked for.'),
    ...figures,
  })
  .meta({
    id: 'RealtimeStatisticsBucket',
    description: 'The sessions that started in an hour or a day, each with all that became of it.',
  })

export const RealtimeStatistics = z
  .object({
    from: answeredMoment().describe('The beginning of the time that is summed up.'),
    to: answeredMoment().describe('Its end.'),
    total: z.object(figures).describe('All of it together.'),
    buckets: z.array(RealtimeStatisticsBucket).describe('Its hours or days in order, empty ones included.'),
  })
  .meta({ id: 'RealtimeStatistics', description: 'The sessions of some time, summed up.' })

export type RealtimeStatisticsQuery = z.output<typeof RealtimeStatisticsQuery>
export type RealtimeStatisticsBucket = z.output<typeof RealtimeStatisticsBucket>
export type RealtimeStatistics = z.output<typeof RealtimeStatistics>
