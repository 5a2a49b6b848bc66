import { and, desc, eq, getTableColumns, getTableName, inArray, type SQL, sql } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { builder, insertStatement, placeholder, selectStatement } from './statement.js'

export interface ResourceTable extends PgTable {
  readonly id: PgColumn
  readonly organizationId: PgColumn
  readonly version: PgColumn
}

/** What all resource stores ask of their tables, over and over. */
export type ResourceStatements = ReturnType<typeof makeStatements>

const made = new WeakMap<ResourceTable, ResourceStatements>()

/** The statements of a table; its stores are made for every transaction, these once. */
export function statementsOf(table: ResourceTable, isPresent: SQL | undefined): ResourceStatements {
  const known = made.get(table) ?? makeStatements(table, isPresent)
  made.set(table, known)
  return known
}

function makeStatements(table: ResourceTable, isPresent: SQL | undefined) {
  const name = getTableName(table)
  const isOne = and(
    eq(table.organizationId, placeholder('organizationId')),
    eq(table.id, placeholder('id')),
    isPresent,
  )
  return {
    list: listStatement(`${name}_list`, table, isPresent),
    find: selectStatement(`${name}_find`, getTableColumns(table as PgTable), (fields) =>
      builder
        .select(fields)
        .from(table as PgTable)
        .where(isOne),
    ),
    insert: insertStatement(`${name}_insert`, table),
  }
}

/**
 * One page of what an organization has, newest first, and in each row how many there are of them all. Without a filter
 * the index of the table has them in this order, however far the page lies.
 */
function listStatement(name: string, table: ResourceTable, isPresent: SQL | undefined) {
  const where = and(eq(table.organizationId, placeholder('organizationId')), isPresent)
  const fields = {
    record: getTableColumns(table as PgTable),
    totalCount: sql<number>`(select count(*)::integer from ${table} where ${where})`,
  }
  return selectStatement(name, fields, () =>
    builder
      .select(fields)
      .from(table as PgTable)
      .where(where)
      .orderBy(desc(table.id))
      .offset(placeholder('offset'))
      .limit(placeholder('limit')),
  )
}

/**
 * The same for a list with a filter, which is evaluated once: PostgreSQL keeps the ids that match, since the statement
 * reads them twice, for the page and for the count.
 */
export function filteredListStatement(
  handle: NodePgDatabase,
  table: ResourceTable,
  conditions: readonly (SQL | undefined)[],
) {
  const isMatching = and(eq(table.organizationId, placeholder('organizationId')), ...conditions)
  const matching = handle.$with('matching').as(
    handle
      .select({ id: table.id })
      .from(table as PgTable)
      .where(isMatching),
  )
  const page = handle
    .select({ id: matching.id })
    .from(matching)
    .orderBy(desc(matching.id))
    .offset(placeholder('offset'))
    .limit(placeholder('limit'))
  return handle
    .with(matching)
    .select({
      record: getTableColumns(table as PgTable),
      totalCount: sql<number>`(select count(*)::integer from ${matching})`,
    })
    .from(table as PgTable)
    .where(inArray(table.id, page))
    .orderBy(desc(table.id))
}
