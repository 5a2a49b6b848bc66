import { z } from 'zod'
import { id } from '../field.js'
import { statisticsPeriod, statisticsWith } from '../statistics-period.js'
import { endReasons } from './close-codes.js'
import { RealtimeUsage } from './realtime-session.js'

const { From, To, By, TimeZone } = statisticsPeriod('sessions that started')

export const RealtimeStatisticsQuery = z.strictObject({
  From,
  To,
  By,
  AgentId: id().optional().describe('Only return sessions of this agent.'),
  TimeZone,
})

const latency = (percentile: string) =>
  z
    .int()
    .nullable()
    .describe(
      `The ${percentile} of the time from the end of the user's speech to the first audio of the response, in milliseconds. The value is accurate to 10%. \`null\` if there was no exchange.`,
    )

const figures = {
  sessions: z.int().describe('The number of sessions that started.'),
  ends: z
    .array(
      z.object({
        reason: z.enum(endReasons).describe('The end reason of the sessions.'),
        sessions: z.int().describe('The number of sessions.'),
      }),
    )
    .describe('The number of ended sessions by end reason. Active sessions are not included.'),
  seconds: z
    .number()
    .describe(
      'The total duration of the sessions in seconds. Active sessions are included with their duration so far.',
    ),
  usage: RealtimeUsage,
  exchanges: z
    .int()
    .describe('The number of exchanges. An exchange is a message of the user and the response to it.'),
  firstAudioP50Ms: latency('median'),
  firstAudioP95Ms: latency('95th percentile'),
}

const counted = { id: 'RealtimeStatistics', rows: 'sessions', counted: 'sessions that started' }

export const { Bucket: RealtimeStatisticsBucket, Statistics: RealtimeStatistics } = statisticsWith(
  counted,
  figures,
)

export type RealtimeStatisticsQuery = z.output<typeof RealtimeStatisticsQuery>
export type RealtimeStatisticsBucket = z.output<typeof RealtimeStatisticsBucket>
export type RealtimeStatistics = z.output<typeof RealtimeStatistics>
