import { and, count, desc, eq, ilike, or, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { ResourceRecord, ResourceStore, UpsertStore, WriteOutcome } from '../../ports/resource-store.js'
import type { Handle } from './handle.js'
import { lockOrganization, lockRow } from './locks.js'

interface ResourceTable extends PgTable {
  readonly id: PgColumn
  readonly organizationId: PgColumn
  readonly version: PgColumn
}

interface ResourceTableOptions<Filter> {
  /** What the filter of a list asks for, of what the organization has. */
  readonly matching: (filter: Filter, organizationId: string) => readonly (SQL | undefined)[]
  /** Rows that count as deleted are kept, marked with the moment, and found no more. */
  readonly softDelete?: { readonly isPresent: SQL; readonly mark: (at: string) => object }
}

/**
 * The part that all resource stores share. A table's columns carry the names of its record's fields, so that a row
 * is the record; that is what the casts in here rely on, and what the store contract suite proves.
 */
export function resourceStore<Row extends ResourceRecord, Filter>(
  handle: Handle,
  table: ResourceTable,
  options: ResourceTableOptions<Filter>,
): ResourceStore<Row, Filter> {
  const present = options.softDelete?.isPresent
  const isOne = (organizationId: string, id: string) =>
    and(eq(table.organizationId, organizationId), eq(table.id, id), present)
  const isVersion = (record: Row, version: number) =>
    and(isOne(record.organizationId, record.id), eq(table.version, version))

  return {
    async list(organizationId, filter, page) {
      const where = and(
        eq(table.organizationId, organizationId),
        present,
        ...options.matching(filter, organizationId),
      )
      const rows = await handle
        .select()
        .from(table as PgTable)
        .where(where)
        .orderBy(desc(table.id))
        .offset(page.offset)
        .limit(page.limit)
      const [total] = await handle
        .select({ count: count() })
        .from(table as PgTable)
        .where(where)
      return { items: rows as unknown as Row[], totalCount: total?.count ?? 0 }
    },

    async find(organizationId, id) {
      const rows = await handle
        .select()
        .from(table as PgTable)
        .where(isOne(organizationId, id))
      return (rows[0] as unknown as Row | undefined) ?? null
    },

    async findLocked(organizationId, id) {
      return (await lockRow(handle, table, isOne(organizationId, id))) as Row | null
    },

    insert: (record) => outcomeOf(async () => (await handle.insert(table).values({ ...record })).rowCount),

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

/** The part that stores of resources with an external id share. `isPresent` is for those that keep deleted rows. */
export function upsertStore<Row extends ResourceRecord>(
  handle: Handle,
  table: ResourceTable & { readonly externalId: PgColumn },
  isPresent?: SQL,
): UpsertStore<Row> {
  return {
    // Two that create the same have no other row in common.
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

/** A search for `text` as it stands: its wildcards mean themselves. */
export function contains(text: string | undefined, ...columns: readonly PgColumn[]): SQL | undefined {
  if (text === undefined || text === '') return undefined
  const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
  return or(...columns.map((column) => ilike(column, pattern)))
}
