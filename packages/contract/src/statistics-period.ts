import { z } from 'zod'
import { timestampInput } from './field.js'

/** Returns whether the text is the name of a time zone, for example Europe/Berlin. */
function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** The query fields for the period of statistics and its buckets. `started` names the counted rows and their event. */
export const statisticsPeriod = (started: string) => ({
  From: timestampInput()
    .optional()
    .describe(`Only return ${started} at or after this time. If omitted, seven days before \`To\`.`),
  To: timestampInput()
    .optional()
    .describe(`Only return ${started} before this time. If omitted, the current time.`),
  By: z.enum(['hour', 'day']).default('day').describe('The length of the buckets.'),
  TimeZone: z
    .string()
    .max(100)
    .refine(isTimeZone, { error: 'must be an IANA time zone such as Europe/Berlin' })
    .default('UTC')
    .describe('The IANA time zone of the buckets, for example `Europe/Berlin`.'),
})
