import { eq, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Handle } from './handle.js'
import { organization } from './schema.js'

/*
 * All locks end with their transaction. Session locks are not used, because the embedded database grants them
 * to every caller.
 */

/** The row locks, named by purpose. Each is held until the transaction ends. */
export const rowLock = {
  /** No other transaction changes, removes or locks the row. */
  toChange: 'update',
  /** Like `toChange`, but other transactions can add rows that refer to it. */
  toSerialize: 'no key update',
  /** No transaction changes the row. Several can hold this lock at once. */
  toKeepUnchanged: 'share',
  /** No transaction removes the row. */
  toKeep: 'key share',
} as const

/** Locks the row that meets the condition. Returns it, or null if there is none. */
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

/** Serializes changes to an organization that do not necessarily share another row. */
export async function lockOrganization(handle: Handle, organizationId: string): Promise<void> {
  await handle
    .select({ id: organization.id })
    .from(organization)
    .where(eq(organization.id, organizationId))
    .for(rowLock.toSerialize)
}

/** Advisory locks for work that only one instance may do at a time and that has no row to lock. */
const advisoryLocks = {
  migration: 7_275_001,
  firstStart: 7_275_002,
  retention: 7_275_003,
  webhooks: 7_275_004,
  erasure: 7_275_005,
} as const

/** Waits for the advisory lock and holds it until the transaction ends. */
export async function takeAdvisoryLock(handle: Handle, purpose: keyof typeof advisoryLocks): Promise<void> {
  await handle.execute(sql`select pg_advisory_xact_lock(${advisoryLocks[purpose]})`)
}

/** The first number of advisory locks with a key. They are distinct from those with a single number. */
const keyedLocks = { endUserLimits: 7_275_101 } as const

/** Like `takeAdvisoryLock`, for one key. Different keys rarely share a lock. */
export async function takeKeyedLock(
  handle: Handle,
  purpose: keyof typeof keyedLocks,
  key: string,
): Promise<void> {
  await handle.execute(sql`select pg_advisory_xact_lock(${keyedLocks[purpose]}, hashtext(${key}))`)
}

/** Takes the advisory lock, or returns false immediately if another transaction holds it. */
export async function tryAdvisoryLock(handle: Handle, purpose: keyof typeof advisoryLocks): Promise<boolean> {
  const { rows } = await handle.execute<{ locked: boolean }>(
    sql`select pg_try_advisory_xact_lock(${advisoryLocks[purpose]}) as locked`,
  )
  return rows[0]?.locked === true
}
