import { eq, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Handle } from './handle.js'
import { organization } from './schema.js'

/* Every lock ends with its transaction: the embedded database grants session locks twice. */

/** What a row lock prevents until its transaction ends. */
export const rowLock = {
  /** No other transaction changes, removes or locks the row. */
  toChange: 'update',
  /** The same, but other transactions can add rows that refer to it. */
  toTakeTurns: 'no key update',
  /** No transaction changes the row. Several can hold this lock at once. */
  toKeepUnchanged: 'share',
  /** No transaction removes the row. */
  toKeep: 'key share',
} as const

/** Locks the one row that meets the condition, and returns it, or null if there is none. */
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

/** Serializes changes to an organization as a whole, which may share no other row. */
export async function lockOrganization(handle: Handle, organizationId: string): Promise<void> {
  await handle
    .select({ id: organization.id })
    .from(organization)
    .where(eq(organization.id, organizationId))
    .for(rowLock.toTakeTurns)
}

/** Work that happens once for all instances and has no row to lock. */
const occasions = {
  migration: 7_275_001,
  firstStart: 7_275_002,
  retention: 7_275_003,
  webhooks: 7_275_004,
} as const

/** Serializes transactions for the same purpose. */
export async function lockOccasion(handle: Handle, occasion: keyof typeof occasions): Promise<void> {
  await handle.execute(sql`select pg_advisory_xact_lock(${occasions[occasion]})`)
}

/** Like `lockOccasion`, but returns false at once if another transaction holds the lock. */
export async function tryOccasion(handle: Handle, occasion: keyof typeof occasions): Promise<boolean> {
  const { rows } = await handle.execute<{ locked: boolean }>(
    sql`select pg_try_advisory_xact_lock(${occasions[occasion]}) as locked`,
  )
  return rows[0]?.locked === true
}
