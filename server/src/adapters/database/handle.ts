import type { NodePgQueryResultHKT } from 'drizzle-orm/node-postgres'
import type { PgDatabase } from 'drizzle-orm/pg-core'

/** Where queries go: the pool, or the one connection of a transaction. */
export type Handle = PgDatabase<NodePgQueryResultHKT, Record<string, never>>
