import { type SQL, sql } from 'drizzle-orm'
import type { UsageRecord } from '../../ports/usage-ledger.js'

const ofRehearsals = '/rehearsal'

/** How a use is stored: rehearsals have channels of their own, so that their sums are rows of their own. */
export type StoredChannel = 'text' | 'realtime' | 'text/rehearsal' | 'realtime/rehearsal'

export function storedChannel({
  channel,
  rehearsal,
}: Pick<UsageRecord, 'channel' | 'rehearsal'>): StoredChannel {
  return rehearsal ? `${channel}${ofRehearsals}` : channel
}

/** The channel alone, whether it was a rehearsal or not. */
export const bareChannel: SQL = sql`split_part(channel, '/', 1)`

export const isRehearsal: SQL = sql`(channel like ${sql.raw(`'%${ofRehearsals}'`)})`
