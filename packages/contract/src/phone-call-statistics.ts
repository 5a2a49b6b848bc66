import { z } from 'zod'
import { id } from './field.js'
import { PhoneCallEndReasonName, phoneCallDirection } from './phone-call.js'
import { statisticsPeriod, statisticsWith } from './statistics-period.js'

export const PhoneCallStatisticsQuery = z.strictObject({
  ...statisticsPeriod('calls that were created'),
  AgentId: id().optional().describe('Only return calls of this agent.'),
  PhoneNumberId: id().optional().describe('Only return calls of this phone number.'),
  PhoneConnectionId: id().optional().describe('Only return calls of this phone connection.'),
  Direction: phoneCallDirection.optional().describe('Only return calls in this direction.'),
})

const figures = {
  calls: z.int().describe('The number of calls, including those that have not ended.'),
  incoming: z.int().describe('The number of incoming calls.'),
  outgoing: z.int().describe('The number of outgoing calls.'),
  answered: z.int().describe('The number of answered calls, including active calls.'),
  answeredShare: z
    .number()
    .nullable()
    .describe(
      'The share of answered calls among those that were answered or have ended, between 0 and 1. `null` if there are none.',
    ),
  ends: z
    .array(
      z.object({
        direction: phoneCallDirection.describe('The direction of the calls.'),
        reason: PhoneCallEndReasonName.describe('The end reason of the calls.'),
        calls: z.int().describe('The number of calls.'),
      }),
    )
    .describe('The number of ended calls by direction and end reason.'),
  seconds: z
    .number()
    .describe('The total duration from answer to end in seconds. Active calls are not included.'),
  averageSeconds: z
    .number()
    .nullable()
    .describe('The average duration of the answered calls that have ended. `null` if there are none.'),
}

const counted = { id: 'PhoneCallStatistics', rows: 'calls', counted: 'calls that were created' }

export const { Bucket: PhoneCallStatisticsBucket, Statistics: PhoneCallStatistics } = statisticsWith(
  counted,
  figures,
)

export type PhoneCallStatisticsQuery = z.output<typeof PhoneCallStatisticsQuery>
export type PhoneCallStatisticsBucket = z.output<typeof PhoneCallStatisticsBucket>
export type PhoneCallStatistics = z.output<typeof PhoneCallStatistics>
