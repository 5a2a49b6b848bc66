import { bigint, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { StoredKind } from '../../ports/usage-stores.js'

/**
 * How much organizations have stored, kept by triggers on the tables themselves: whoever adds or removes a row cannot
 * forget to count it, and nobody counts rows to know. Each connection has a part of the sum to itself (`shard`), since
 * a row that all writers of an organization change would make them wait for one another.
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
 * The number of running sessions of an organization on each instance, kept by a trigger on `realtime_session`. The shard
 * follows from the session's id: its start and its end change the same row, so a row of which all sessions have ended is
 * exactly zero.
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
