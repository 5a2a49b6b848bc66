import pg from 'pg'
import { type StatementWatch, unwatched } from '../statement-watch.js'
import type { QueryText } from './query-client.js'

/** Of a connection of the driver's: the statements that it has parsed, and those that are on their way to be. */
interface ParsedStatements extends pg.Connection {
  readonly parsedStatements: Readonly<Record<string, string>>
  readonly submittedNamedStatements: Readonly<Record<string, string>>
}

/** What the driver's result knows of its rows once they were described. */
interface RowShape {
  readonly fields: readonly pg.FieldDef[]
  readonly _parsers?: unknown
  readonly _prebuiltEmptyResultObject?: unknown
}

type Callback = (error: Error | null | undefined, result: pg.QueryResult) => void

const driver: object = pg.Query.prototype
const driverPrepare = methodOf('prepare')
const driverCommandComplete = methodOf('handleCommandComplete')

const shapes = new WeakMap<QueryText, RowShape>()
const brief = new WeakMap<pg.Connection, pg.Connection>()
const executeAndSync = Buffer.from('E\0\0\0\x09\0\0\0\0\0S\0\0\0\x04', 'latin1')

/**
 * The driver's query, without having a statement described again that its connection has parsed: to make, send and read
 * the descriptions was a twentieth of what a session costs (`npm run bench opening`).
 */
class LeanQuery extends pg.Query {
  declare readonly name: string | undefined
  declare readonly _result: RowShape
  declare _accumulateRows: boolean
  // No private name: behind a pooler it is executed through an object that inherits from it.
  readonly statement: QueryText

  constructor(statement: QueryText, values: unknown[], callback: Callback) {
    super(statement, values, callback)
    this.statement = statement
  }

  prepare(connection: ParsedStatements): void {
    const shape = shapes.get(this.statement)
    if (shape === undefined || !hasParsed(connection, this.name)) {
      Reflect.apply(driverPrepare, this, [connection])
      return
    }
    Object.assign(this._result, shape)
    this._accumulateRows = true
    Reflect.apply(driverPrepare, this, [briefly(connection)])
  }

  handleCommandComplete(...given: readonly unknown[]): void {
    Reflect.apply(driverCommandComplete, this, given)
    if (shapes.has(this.statement)) return
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result
    shapes.set(this.statement, { fields, _parsers, _prebuiltEmptyResultObject })
  }
}

/** Executes a statement on a connection of the driver's. */
export function executeOn(
  client: pg.PoolClient,
  statement: QueryText,
  values: unknown[],
  watch: StatementWatch = unwatched,
): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    const watched = watch.begin(statement)
    const settle: Callback = (error, result) => {
      watched.end(error ?? null)
      if (error) reject(error)
      else resolve(result)
    }
    watched.sent()
    client.query(new LeanQuery(statement, values, settle))
  })
}

/** Executes a statement on whichever connection is free. */
export function executeOnAny(
  pool: pg.Pool,
  statement: QueryText,
  values: unknown[],
  watch: StatementWatch,
): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    const watched = watch.begin(statement)
    pool.connect((unavailable, client, release) => {
      if (client === undefined) {
        watched.end(unavailable)
        return reject(unavailable)
      }
      watched.sent()
      const settle: Callback = (error, result) => {
        release(error ?? undefined)
        watched.end(error ?? null)
        if (error) reject(error)
        else resolve(result)
      }
      client.query(new LeanQuery(statement, values, settle))
    })
  })
}

function hasParsed(connection: ParsedStatements, name: string | undefined): boolean {
  if (name === undefined) return false
  return (
    connection.parsedStatements[name] !== undefined || connection.submittedNamedStatements[name] !== undefined
  )
}

/** The connection, of which a statement is not described, and what follows its values leaves in one piece. */
function briefly(connection: pg.Connection): pg.Connection {
  const known = brief.get(connection)
  if (known !== undefined) return known
  const made: pg.Connection = Object.create(connection, {
    describe: { value: () => undefined },
    execute: { value: () => undefined },
    sync: { value: () => void connection.stream.write(executeAndSync) },
  })
  brief.set(connection, made)
  return made
}

function methodOf(name: string) {
  const method: unknown = Reflect.get(driver, name)
  if (typeof method !== 'function') throw new Error(`The driver's queries have no ${name}.`)
  return method
}
