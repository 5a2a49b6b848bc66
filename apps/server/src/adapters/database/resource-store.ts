import { and, desc, eq, getTableColumns, getTableName, ilike, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { ResourceRecord, ResourceStore, UpsertStore, WriteOutcome } from '../../ports/resource-store.js'
import type { Handle } from './handle.js'
import { lockOrganization, lockRow } from './locks.js'
import { builder, insertStatement, placeholder, selectStatement } from './statement.js'

export interface ResourceTable extends PgTable {
  readonly id: PgColumn
  readonly organizationId: PgColumn
  readonly version: PgColumn
}

/** The common statements of all resource stores. They are prepared, because they are executed often. */
export type ResourceStatements = ReturnType<typeof makeStatements>

const made = new WeakMap<ResourceTable, ResourceStatements>()

/**
 * Returns the statements for a table. They are built once, because stores are created for every transaction.
 */
export function statementsOf(table: ResourceTable, isPresent: SQL | undefined): ResourceStatements {
  const cached = made.get(table) ?? makeStatements(table, isPresent)
  made.set(table, cached)
  return cached
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
 * One page of an organization's resources, newest first, with the total count in each row. Without a filter,
 * the table's index provides this order, even for distant pages.
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
 * Like `listStatement`, but with a filter. The statement reads the matching ids twice, for the page and for
 * the count. PostgreSQL materializes them and therefore evaluates the filter only once.
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

interface ResourceTableOptions<Filter> {
  /** Returns the conditions of a filter, in addition to that of the organization. */
  readonly matching: (filter: Filter, organizationId: string) => readonly (SQL | undefined)[]
  /** Deleted rows are kept with the time of deletion, but hidden from all reads. */
  readonly softDelete?: { readonly isPresent: SQL; readonly mark: (at: string) => object }
}

/**
 * The common part of all resource stores. A table's columns have the names of its record's fields, so that a
 * row is a record. The casts in this file rely on that, and the store contract suite verifies it.
 */
export function resourceStore<Row extends ResourceRecord, Filter>(
  handle: Handle,
  table: ResourceTable,
  options: ResourceTableOptions<Filter>,
): ResourceStore<Row, Filter> {
  const present = options.softDelete?.isPresent
  const statements = statementsOf(table, present)
  const isOne = (organizationId: string, id: string) =>
    and(eq(table.organizationId, organizationId), eq(table.id, id), present)
  const isVersion = (record: Row, version: number) =>
    and(isOne(record.organizationId, record.id), eq(table.version, version))

  return {
    async list(organizationId, filter, page) {
      const matching = options.matching(filter, organizationId).filter((each) => each !== undefined)
      const values = { organizationId, ...page }
      const isEverything = matching.length === 0
      const rows = await (isEverything
        ? statements.list(handle, values)
        : filteredListStatement(handle, table, [present, ...matching])
            .prepare('')
            .execute(values))
      const items = rows.map(({ record }) => record as unknown as Row)
      if (items.length > 0 || page.offset === 0) return { items, totalCount: rows[0]?.totalCount ?? 0 }
      // The rows are counted separately, because the page beyond the last one has no row that contains the
      // count.
      const where = and(eq(table.organizationId, organizationId), present, ...matching)
      return { items, totalCount: await handle.$count(table, where) }
    },

    async find(organizationId, id) {
      const [row] = await statements.find(handle, { organizationId, id })
      return (row as unknown as Row | undefined) ?? null
    },

    async findLocked(organizationId, id) {
      return (await lockRow(handle, table, isOne(organizationId, id))) as Row | null
    },

    insert: (record) => outcomeOf(async () => (await statements.insert(handle, record)).rowCount),

    update: (record, expectedVersion) =>
      outcomeOf(async () => {
        const update = handle.update(table).set({ ...record })
        return (await update.where(isVersion(record, expectedVersion))).rowCount
      }),

    remove: (record, expectedVersion) =>
      outcomeOf(async () => {
        const where = isVersion(record, expectedVersion)
        if (!options.softDelete) return (await handle.delete(table).where(where)).rowCount
        const mark = { ...options.softDelete.mark(record.updatedAt), version: record.version }
        return (await handle.update(table).set(mark).where(where)).rowCount
      }),
  }
}

/**
 * The common part of stores whose resources have an external id. `isPresent` is for tables that keep deleted rows.
 */
export function upsertStore<Row extends ResourceRecord>(
  handle: Handle,
  table: ResourceTable & { readonly externalId: PgColumn },
  isPresent?: SQL,
): UpsertStore<Row> {
  return {
    // Lock the organization, because two transactions that create the same resource share no other row.
    lockUpserts: (organizationId) => lockOrganization(handle, organizationId),

    async findByExternalIdLocked(organizationId, externalId) {
      const isOne = and(eq(table.organizationId, organizationId), eq(table.externalId, externalId), isPresent)
      return (await lockRow(handle, table, isOne)) as Row | null
    },
  }
}

const uniqueViolation = '23505'

async function outcomeOf(write: () => Promise<number | null>): Promise<WriteOutcome> {
  try {
    return (await write()) === 0 ? 'stale' : 'written'
  } catch (error) {
    if (isUniqueViolation(error)) return 'duplicate'
    throw error
  }
}

function isUniqueViolation(error: unknown): boolean {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  return typeof cause === 'object' && cause !== null && 'code' in cause && cause.code === uniqueViolation
}

/** Searches for the literal `text`, with its wildcards escaped. */
export function contains(text: string | undefined, ...columns: readonly PgColumn[]): SQL | undefined {
  if (text === undefined || text === '') return undefined
  const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
  return or(...columns.map((column) => ilike(column, pattern)))
}
