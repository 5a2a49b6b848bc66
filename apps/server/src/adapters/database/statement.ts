import {
  Column,
  DrizzleQueryError,
  getTableColumns,
  is,
  Param,
  Placeholder,
  type Query,
  SQL,
  Subquery,
  sql,
  Table,
} from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { PgDialect, type PgTable, type SelectedFields } from 'drizzle-orm/pg-core'
import pg from 'pg'
import type { Handle } from './handle.js'
import type { StatementText } from './run-statement.js'

/*
 * These statements are built once per process. Drizzle spends more time on building the text of a statement
 * than on everything else. A connection parses each statement once, under its name, and may reuse its first
 * plan. Therefore, use these only if one query plan suits all parameter values.
 */

/** Builds statements without a connection. */
export const builder = drizzle.mock()

/** The placeholder of a value in a statement that is built once. */
export const { placeholder } = sql

/** The values of a statement, by placeholder. */
export type Values = object

type Statement<Result> = (handle: Handle, values: Values) => Promise<Result>

interface Buildable {
  toSQL(): Query
}

const dialect = new PgDialect()

/**
 * A statement that returns rows with these fields. `build` passes the fields to `select` or `returning`. The
 * value of an expression is what the driver returns. It must be converted in SQL, because `mapWith` has no
 * effect here.
 */
export function selectStatement<Fields extends SelectedFields, Row>(
  name: string,
  fields: Fields,
  build: (fields: Fields) => Buildable & PromiseLike<Row[]>,
): Statement<Row[]> {
  const run = makeStatement(name, () => build(fields).toSQL(), 'array')
  let decode: Decode | undefined
  return async (handle, values) => {
    const { rows } = await run(handle, values)
    decode ??= recordDecoder(fields, { next: 0 })
    return rows.map(decode) as Row[]
  }
}

/** A statement that changes rows. Returns the driver's result, which contains the number of rows. */
export const writeStatement = (name: string, build: () => Buildable): Statement<pg.QueryResult> =>
  makeStatement(name, () => build().toSQL())

/** A statement that inserts a row. Its values have the names of the table's fields. */
export function insertStatement(name: string, table: PgTable): Statement<pg.QueryResult> {
  const places = Object.keys(getTableColumns(table)).map((field) => [field, placeholder(field)] as const)
  return writeStatement(name, () => builder.insert(table).values(Object.fromEntries(places)))
}

/** A raw SQL statement. Its rows are as the driver returns them. */
export function sqlStatement<Row extends pg.QueryResultRow>(
  name: string,
  write: () => SQL,
): Statement<Row[]> {
  const run = makeStatement(name, () => dialect.sqlToQuery(write()))
  return async (handle, values) => (await run(handle, values)).rows
}

function makeStatement(name: string, build: () => Query, rowMode?: 'array'): Statement<pg.QueryResult> {
  let built: { readonly statement: StatementText; readonly fills: readonly Fill[] } | undefined
  return async ({ executor }, values) => {
    built ??= fillable(build(), name, rowMode)
    const { statement, fills } = built
    const filled = fills.map((fill) => fill(values))
    try {
      return await executor.execute(statement, filled)
    } catch (error) {
      throw new DrizzleQueryError(statement.text, filled, error instanceof Error ? error : undefined)
    }
  }
}

function fillable({ sql: text, params }: Query, name: string, rowMode?: 'array') {
  return { statement: { text, name, types, ...(rowMode && { rowMode }) }, fills: params.map(fillOf) }
}

/** Returns one parameter of a statement. */
type Fill = (values: Values) => unknown

function fillOf(param: unknown): Fill {
  if (is(param, Placeholder)) return (values) => valueIn(values, param.name)
  if (!is(param, Param) || !is(param.value, Placeholder)) return () => param
  const { encoder } = param
  const { name } = param.value
  return (values) => {
    const value = valueIn(values, name)
    return value === null ? null : encoder.mapToDriverValue(value)
  }
}

function valueIn(values: Values, name: string): unknown {
  const value: unknown = Reflect.get(values, name)
  if (value === undefined) throw new Error(`The statement requires a value for ${name}.`)
  return value
}

type Row = readonly unknown[]
type Decode = (row: Row) => unknown

/** Decodes the columns of a row in the order in which drizzle selects the fields. */
function recordDecoder(fields: SelectedFields, position: { next: number }): Decode {
  const decoders = Object.entries(fields).map(([name, field]) => ({
    name,
    decode: decoderOf(field, position),
  }))
  return (row) => {
    const record: Record<string, unknown> = {}
    for (const { name, decode } of decoders) record[name] = decode(row)
    return record
  }
}

function decoderOf(field: SelectedFields[string], position: { next: number }): Decode {
  const first = position.next
  if (is(field, Column) || is(field, SQL) || is(field, SQL.Aliased) || is(field, Subquery)) {
    position.next += 1
    if (!is(field, Column)) return (row) => row[first]
    return (row) => (row[first] === null ? null : field.mapFromDriverValue(row[first]))
  }
  const decode = recordDecoder(is(field, Table) ? getTableColumns(field) : field, position)
  const end = position.next
  // A left join that finds no row returns null in all columns of the table.
  return (row) => (isAllNull(row, first, end) ? null : decode(row))
}

function isAllNull(row: Row, first: number, end: number): boolean {
  for (let at = first; at < end; at += 1) if (row[at] !== null) return false
  return true
}

const { builtins } = pg.types
const textTypes: ReadonlySet<number> = new Set([
  builtins.TIMESTAMPTZ,
  builtins.TIMESTAMP,
  builtins.DATE,
  builtins.INTERVAL,
])
const asText = (value: string) => value

/** Keeps timestamps as text, like Drizzle. Their columns decode them, and a Date would lose their format. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (id: number) => (textTypes.has(id) ? asText : pg.types.getTypeParser(id, 'text')),
}
