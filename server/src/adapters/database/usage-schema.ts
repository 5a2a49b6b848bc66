import { bigint, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { StoredKind } from '../../ports/organization-usage-store.js'

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
