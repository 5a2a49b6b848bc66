import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { PgPreparedQuery, PgTable, PreparedQueryConfig } from 'drizzle-orm/pg-core'
import type pg from 'pg'
import { Handle } from '../handle.js'
import { BuiltQuery } from './built-query.js'
import { dialect } from './client-session.js'
import type { QueryClient } from './query-client.js'
import type { Values } from './query-values.js'

/** Where statements are put together that are executed elsewhere. */
const nowhere: QueryClient = {
  query: () => Promise.reject(new Error('A statement that is kept is executed on a handle.')),
}
const board = new Handle(nowhere)

/** The place of a value in a kept statement. */
export const given = sql.placeholder

/**
 * A statement that is put together once in the life of the process, when it is first used. Drizzle takes longer to put
 * most of them together than all else that is done for them, and every transaction has a handle of its own, for which
 * a prepared query of drizzle's would be made anew. One with a name is also parsed once by each connection of the
 * database, and may be planned once: for what finds its rows by an index whatever the values are.
 */
export function keep<Config extends PreparedQueryConfig>(
  build: (board: Handle) => PgPreparedQuery<Config>,
): (handle: Handle, values: Values) => Promise<Config['execute']> {
  let built: PgPreparedQuery<Config> | undefined
  return ({ client }, values) => {
    built ??= build(board)
    if (!(built instanceof BuiltQuery)) throw new Error('A kept statement was not built on its board.')
    return built.executeOn(client, values)
  }
}

/** The same for a statement that is written out, whose rows are as the driver has them. */
export function keepWritten<Row extends pg.QueryResultRow>(
  name: string,
  write: () => SQL,
): (handle: Handle, values: Values) => Promise<Row[]> {
  let built: BuiltQuery<{ execute: pg.QueryResult<Row>; all: unknown; values: unknown }> | undefined
  return async ({ client }, values) => {
    built ??= new BuiltQuery({ client: nowhere, query: dialect.sqlToQuery(write()), fields: undefined, name })
    return (await built.executeOn(client, values)).rows
  }
}

/** The same for a statement that adds a row: it is given a value for every column, under the name of its field. */
export function keepInsert(table: PgTable, name: string) {
  const places = Object.keys(getTableColumns(table)).map((field) => [field, given(field)] as const)
  return keep((board) => board.insert(table).values(Object.fromEntries(places)).prepare(name))
}
