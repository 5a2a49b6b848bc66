import type { Query, SQL } from 'drizzle-orm'
import type { NodePgQueryResultHKT } from 'drizzle-orm/node-postgres'
import {
  PgDialect,
  type PgPreparedQuery,
  PgSession,
  type PreparedQueryConfig,
  type SelectedFieldsOrdered,
} from 'drizzle-orm/pg-core'
import { BuiltQuery } from './built-query.js'
import type { QueryClient } from './query-client.js'

/** One for all: it remembers how columns are spelled, and every transaction would find that out again. */
export const dialect = new PgDialect()

/**
 * Where drizzle's queries go. Its own session does the same with a span, a cache and a logger around every step, which
 * took a fifth of the time of a request (`npm run bench rest`).
 */
export class ClientSession extends PgSession<NodePgQueryResultHKT> {
  readonly #client: QueryClient

  constructor(client: QueryClient) {
    super(dialect)
    this.#client = client
  }

  override prepareQuery<Config extends PreparedQueryConfig>(
    query: Query,
    fields: SelectedFieldsOrdered | undefined,
    name: string | undefined,
  ): PgPreparedQuery<Config> {
    return new BuiltQuery<Config>({ client: this.#client, query, fields, name })
  }

  override async count(query: SQL): Promise<number> {
    const { rows } = await this.execute<{ readonly rows: readonly { readonly count: string }[] }>(query)
    return Number(rows[0]?.count)
  }

  /** Transactions are the database's own to begin: they have stores, and wait for their turn. */
  override transaction(): never {
    throw new Error('Begin transactions with inTransaction.')
  }
}
