import { Column, getTableName, is, SQL, Subquery } from 'drizzle-orm'
import type { SelectedFieldsOrdered } from 'drizzle-orm/pg-core'

/** Makes a record of the values of a row, in the order in which they were selected. */
export type RowReader = (row: readonly unknown[]) => Record<string, unknown>

type Field = SelectedFieldsOrdered[number]['field']
type Decode = (value: unknown) => unknown

/** Tables of a join, and whether their row is there in any case. */
export type JoinedTables = Readonly<Record<string, boolean>>

/**
 * What drizzle finds out for each value of each row, found out once: where the value goes and how it is read. It does
 * what drizzle's own does (`npm run bench rest`: a list of 20 agents took 6 % of its time in that).
 */
export function makeRowReader(fields: SelectedFieldsOrdered, joined: JoinedTables | undefined): RowReader {
  const placed = fields.map(({ path, field }, index) => ({ path, field, index }))
  return partReader(placed, joined)
}

interface Placed {
  readonly path: readonly string[]
  readonly field: Field
  readonly index: number
}

function partReader(placed: readonly Placed[], joined: JoinedTables | undefined): RowReader {
  const values = placed
    .filter(({ path }) => path.length === 1)
    .map(({ path, field, index }) => ({ name: path[0] ?? '', index, decode: decoderOf(field) }))
  const parts = innerParts(placed, joined)
  const blank = blankRecord([...values, ...parts])
  return (row) => {
    const record = { ...blank }
    for (const { name, index, decode } of values) {
      const value = row[index]
      record[name] = value === null || decode === null ? value : decode(value)
    }
    for (const { name, isAbsent, read } of parts) record[name] = isAbsent(row) ? null : read(row)
    return record
  }
}

/** With all of its fields: a copy that is filled is there much sooner than an object that grows field by field. */
function blankRecord(fields: readonly { readonly name: string }[]): Record<string, unknown> {
  return Object.fromEntries(fields.map(({ name }) => [name, null]))
}

function innerParts(placed: readonly Placed[], joined: JoinedTables | undefined) {
  const names = new Set(placed.filter(({ path }) => path.length > 1).map(({ path }) => path[0] ?? ''))
  return [...names].map((name) => {
    const inner = placed
      .filter(({ path }) => path.length > 1 && path[0] === name)
      .map((each) => ({ ...each, path: each.path.slice(1) }))
    return { name, isAbsent: absenceOf(inner, joined), read: partReader(inner, joined) }
  })
}

/** Of a join, the part that nothing was found for is null: all of it is one table's, whose row need not be there. */
function absenceOf(
  inner: readonly Placed[],
  joined: JoinedTables | undefined,
): (row: readonly unknown[]) => boolean {
  const tables = new Set(inner.map(({ field }) => (is(field, Column) ? getTableName(field.table) : '')))
  const [table = ''] = tables
  if (joined === undefined || tables.size !== 1 || joined[table] === true) return () => false
  return (row) => inner.every(({ index }) => row[index] === null)
}

/** How a value of this column is read; null where it is as it comes. */
function decoderOf(field: Field): Decode | null {
  if (is(field, SQL)) return decoderIn(field)
  if (is(field, Subquery)) return decoderIn(field._.sql)
  if (is(field, SQL.Aliased)) return decoderIn(field.sql)
  const isUnchanged = field.mapFromDriverValue === Column.prototype.mapFromDriverValue
  return isUnchanged ? null : (value) => field.mapFromDriverValue(value)
}

/** What `mapWith` has left in a piece of SQL; drizzle's types keep it to themselves. */
function decoderIn(expression: object): Decode | null {
  const decoder = 'decoder' in expression ? expression.decoder : null
  if (!isRecord(decoder)) return null
  const { mapFromDriverValue } = decoder
  if (typeof mapFromDriverValue !== 'function') return null
  return (value) => Reflect.apply(mapFromDriverValue, decoder, [value])
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
