import { Column, getTableName, is, SQL, Subquery } from 'drizzle-orm'
import type { SelectedFieldsOrdered } from 'drizzle-orm/pg-core'

/** Makes a record of the values of a row, in the order in which they were selected. */
export type RowReader = (row: readonly unknown[]) => Record<string, unknown>

type Field = SelectedFieldsOrdered[number]['field']
type Decode = (value: unknown) => unknown

/** Tables of a join, and whether their row is there in any case. */
export type JoinedTables = Readonly<Record<string, boolean>>

interface Placed {
  readonly path: readonly string[]
  readonly field: Field
  readonly index: number
}

/** What a reader that is written out calls by their numbers. */
interface Calls {
  readonly decoders: readonly (Decode | null)[]
  readonly absences: ((row: readonly unknown[]) => boolean)[]
}

/** Of each text, what makes a reader of it. There are no more of them than selections in the code. */
const makers = new Map<string, (calls: Calls) => RowReader>()

/**
 * What drizzle finds out for each value of each row, found out once and written out as one would by hand: where the value
 * goes and how it is read. A loop over names that V8 does not know takes six times as long, drizzle's own longer still
 * (`npm run bench rest`: a tenth of a list of 20 agents went into that and into `pickFields`). The names are our own.
 */
export function makeRowReader(fields: SelectedFieldsOrdered, joined: JoinedTables | undefined): RowReader {
  const calls: Calls = { decoders: fields.map(({ field }) => decoderOf(field)), absences: [] }
  const placed = fields.map(({ path, field }, index) => ({ path, field, index }))
  return makerOf(`({ decoders, absences }) => (row) => (${writePart(placed, joined, calls)})`)(calls)
}

function makerOf(text: string): (calls: Calls) => RowReader {
  const known = makers.get(text)
  if (known !== undefined) return known
  const made: (calls: Calls) => RowReader = new Function(`return ${text}`)()
  makers.set(text, made)
  return made
}

/** A record of those of a row's values that are placed in it. */
function writePart(placed: readonly Placed[], joined: JoinedTables | undefined, calls: Calls): string {
  const fields = new Map<string, Placed[]>()
  for (const each of placed) {
    const [name = ''] = each.path
    const known = fields.get(name)
    if (known === undefined) fields.set(name, [each])
    else known.push(each)
  }
  const written = [...fields].map(
    ([name, own]) => `${JSON.stringify(name)}: ${writeField(own, joined, calls)}`,
  )
  return `{ ${written.join(', ')} }`
}

function writeField(own: readonly Placed[], joined: JoinedTables | undefined, calls: Calls): string {
  const value = own.find(({ path }) => path.length === 1)
  if (value !== undefined) return writeValue(value.index, calls)
  const inner = own.map((each) => ({ ...each, path: each.path.slice(1) }))
  const part = writePart(inner, joined, calls)
  const isAbsent = absenceOf(inner, joined)
  if (isAbsent === null) return part
  calls.absences.push(isAbsent)
  return `absences[${calls.absences.length - 1}](row) ? null : ${part}`
}

const writeValue = (index: number, { decoders }: Calls) =>
  decoders[index] === null
    ? `row[${index}]`
    : `row[${index}] === null ? null : decoders[${index}](row[${index}])`

/** Of a join, the part that nothing was found for is absent: all of it is one table's, whose row need not be there. */
function absenceOf(
  inner: readonly Placed[],
  joined: JoinedTables | undefined,
): Calls['absences'][number] | null {
  const tables = new Set(inner.map(({ field }) => (is(field, Column) ? getTableName(field.table) : '')))
  const [table = ''] = tables
  if (joined === undefined || tables.size !== 1 || joined[table] === true) return null
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
