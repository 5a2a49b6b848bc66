import { bigint, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { StoredKind } from '../../ports/usage-stores.js'

/**
 * The amounts that organizations have stored. Triggers on the tables maintain them, so that no code path can
 * omit a change and no query counts rows. Each connection writes to its own part of the sum (`shard`). With a
 * single row, all writers of an organization would wait for each other.
 */
export const storedAmount = pgTable(
  'stored_amount',
  {
    organizationId: uuid('organization_id').notNull(),
    kind: text().$type<StoredKind>().notNull(),
    shard: integer().notNull(),
    amount: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.organizationId, table.kind, table.shard] })],
)

/**
 * The number of running sessions of an organization on each instance, maintained by a trigger on
 * `realtime_session`. The shard is derived from the session's id. Its start and its end change the same row,
 * so a row whose sessions have all ended is exactly zero.
 */
export const runningSessionCount = pgTable(
  'running_session_count',
  {
    organizationId: uuid('organization_id').notNull(),
    instanceId: uuid('instance_id').notNull(),
    shard: integer().notNull(),
    sessions: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.organizationId, table.instanceId, table.shard] })],
)
