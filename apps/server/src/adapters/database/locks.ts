import { eq, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Handle } from './handle.js'
import { organization } from './schema.js'

/*
 * Every lock ends with its transaction: the embedded database grants locks of a session twice.
 */

/** What a lock on rows keeps others from, until its transaction ends. */
export const rowLock = {
  /** Nobody else changes, removes or locks the row. */
  toChange: 'update',
  /** The same, but rows that refer to it can be added meanwhile. */
  toTakeTurns: 'no key update',
  /** Nobody changes the row; several may hold it so at once. */
  toKeepUnchanged: 'share',
  /** Nobody removes the row. */
  toKeep: 'key share',
} as const

/** The one row that meets the condition, locked to be changed; null where there is none. */
export async function lockRow<Table extends PgTable>(
  handle: Handle,
  table: Table,
  condition: SQL | undefined,
): Promise<Table['$inferSelect'] | null> {
  const [row] = await handle
    .select()
    .from(table as PgTable)
    .where(condition)
    .for(rowLock.toChange)
  return row ?? null
}

/** Makes changes to an organization as a whole take turns: they may have no other row in common. */
export async function lockOrganization(handle: Handle, organizationId: string): Promise<void> {
  await handle
    .select({ id: organization.id })
    .from(organization)
    .where(eq(organization.id, organizationId))
    .for(rowLock.toTakeTurns)
}

/** What happens once for all instances, and has no row yet. */
const occasions = {
  migration: 7_275_001,
  firstStart: 7_275_002,
  retention: 7_275_003,
  webhooks: 7_275_004,
} as const

/** Makes those who want the same at the same time take turns. */
export async function lockOccasion(handle: Handle, occasion: keyof typeof occasions): Promise<void> {
  await handle.execute(sql`select pg_advisory_xact_lock(${occasions[occasion]})`)
}

/** The same for what need not be done by everybody: false where somebody is at it. */
export async function tryOccasion(handle: Handle, occasion: keyof typeof occasions): Promise<boolean> {
  const { rows } = await handle.execute<{ locked: boolean }>(
    sql`select pg_try_advisory_xact_lock(${occasions[occasion]}) as locked`,
  )
  return rows[0]?.locked === true
}
