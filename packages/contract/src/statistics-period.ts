import { z } from 'zod'
import { timestamp, timestampInput, timeZone } from './field.js'

/** The query fields for the period of statistics and its buckets. `started` names the counted rows and their event. */
export const statisticsPeriod = (started: string) => ({
  From: timestampInput()
    .optional()
    .describe(`Only return ${started} at or after this time. If omitted, seven days before \`To\`.`),
  To: timestampInput()
    .optional()
    .describe(`Only return ${started} before this time. If omitted, the current time.`),
  By: z.enum(['hour', 'day']).default('day').describe('The length of the buckets.'),
  TimeZone: timeZone()
    .default('UTC')
    .describe('The IANA time zone of the buckets, for example `Europe/Berlin`.'),
})

interface StatisticsNames {
  readonly id: string
  /** The plural noun of the counted rows. */
  readonly rows: string
  /** The rows and the event that puts them into a bucket. */
  readonly counted: string
}

/** Returns the schemas of statistics with these figures: of one bucket, and of the whole period. */
export function statisticsWith<Figures extends z.ZodRawShape>(
  { id, rows, counted }: StatisticsNames,
  figures: Figures,
) {
  const Bucket = z
    .object({
      from: timestamp().describe('The start of the bucket (UTC).'),
      to: timestamp().describe(
        'The end of the bucket (UTC). The first and the last bucket can be shorter, because they are limited to the requested period.',
      ),
      ...figures,
    })
    .meta({ id: `${id}Bucket`, description: `Statistics of the ${counted} in an hour or a day.` })
  const Statistics = z
    .object({
      from: timestamp().describe('The start of the covered period (UTC).'),
      to: timestamp().describe('The end of the covered period (UTC).'),
      total: z.object(figures).describe('The totals for the whole period.'),
      buckets: z
        .array(Bucket)
        .describe(`The hours or days in chronological order, including those without ${rows}.`),
    })
    .meta({ id, description: `Statistics of the ${rows} in a period.` })
  return { Bucket, Statistics }
}
