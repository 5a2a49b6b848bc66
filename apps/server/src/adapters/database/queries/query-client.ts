import pg from 'pg'

/** What executes statements: the pool, a connection of it, or a transaction. */
export interface QueryClient {
  query(config: QueryText, values: unknown[]): Promise<pg.QueryResult>
  /** Of a transaction: takes note of a statement that nobody waits for. Left out, everybody waits for theirs. */
  readonly noteSent?: (statement: PromiseLike<unknown>) => void
}

/** A statement as the driver takes it. */
export interface QueryText {
  readonly text: string
  readonly name?: string
  readonly rowMode?: 'array'
  readonly types: pg.CustomTypesConfig
}

const { builtins } = pg.types
const asWritten: ReadonlySet<number> = new Set([
  builtins.TIMESTAMPTZ,
  builtins.TIMESTAMP,
  builtins.DATE,
  builtins.INTERVAL,
])
const same = (value: string) => value
const parsers = new Map<number, (value: string) => unknown>()

/** Moments are left as the database writes them: their columns read them, and not by way of a Date. */
export const valueTypes: pg.CustomTypesConfig = {
  getTypeParser(id: number) {
    const known = parsers.get(id)
    if (known !== undefined) return known
    const parser = asWritten.has(id) ? same : pg.types.getTypeParser(id, 'text')
    parsers.set(id, parser)
    return parser
  },
}
