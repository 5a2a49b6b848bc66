import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { organizationTables } from '#server/adapters/database/organization-tables.js'

interface Column {
  readonly column_name: string
  readonly udt_name: string
}

interface Reference {
  readonly table: string
  readonly column: string
  readonly target: string
}

/** The foreign keys between tables. */
export async function referencesIn(pool: pg.Pool): Promise<readonly Reference[]> {
  const { rows } = await pool.query<Reference>(`
    select source.relname as table, a.attname as column, target.relname as target
    from pg_constraint c
    join pg_class source on source.oid = c.conrelid
    join pg_class target on target.oid = c.confrelid
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f'`)
  return rows
}

/** Every table of the schema. */
export async function tablesIn(pool: pg.Pool): Promise<readonly string[]> {
  const { rows } = await pool.query<{ table_name: string }>(`
    select table_name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by table_name`)
  return rows.map(({ table_name: name }) => name)
}

/**
 * Inserts an organization and one row into every table that can hold its data. Each text begins with the
 * marker.
 */
export async function fillOrganization(pool: pg.Pool, marker: string): Promise<string> {
  const organizationId = randomUUID()
  await pool.query('insert into organization (id, name, created_at) values ($1, $2, now())', [
    organizationId,
    marker,
  ])
  const references = await referencesIn(pool)
  const ids = new Map([['organization', organizationId]])
  const names = organizationTables.map(({ name }) => name).reverse()
  // Accounts must exist before members, which reference them.
  for (const name of ['person', ...names.filter((each) => each !== 'person')]) {
    const { rows } = await pool.query<Column>(
      `select column_name, udt_name from information_schema.columns
       where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'
         and (is_nullable = 'NO' and column_default is null or column_name = 'person_id')`,
      [name],
    )
    const id = randomUUID()
    ids.set(name, id)
    const valueFor = ({ column_name: column, udt_name: type }: Column) => {
      const target = references.find((one) => one.table === name && one.column === column)?.target
      if (column === 'organization_id') return organizationId
      if (target !== undefined) return ids.get(target)
      return column === 'id' ? id : sampleValue(type, `${marker} ${name} ${column}`)
    }
    const places = rows.map((_, index) => `$${index + 1}`)
    await pool.query(
      `insert into "${name}" (${rows.map(({ column_name: column }) => `"${column}"`).join()}) values (${places.join()})`,
      rows.map(valueFor),
    )
  }
  return organizationId
}

function sampleValue(type: string, text: string): unknown {
  switch (type) {
    case 'uuid':
      return randomUUID()
    case 'text':
      return text
    case 'bool':
      return false
    case 'json':
    case 'jsonb':
      return JSON.stringify({ text })
    case 'timestamptz':
    case 'date':
      return '2026-01-01'
    case 'bytea':
      return Buffer.from(text)
    default:
      return type.startsWith('_') ? [] : 1
  }
}
