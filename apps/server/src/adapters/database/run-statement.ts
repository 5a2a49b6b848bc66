import pg from 'pg'
import { isReadOnly } from './outage.js'
import { SessionlessPool } from './sessionless-pool.js'
import { type StatementWatch, unwatched } from './statement-watch.js'

/** A statement for the driver, without its values. */
export interface StatementText {
  readonly text: string
  /** The name, so that a connection parses the statement only once. */
  readonly name?: string | undefined
  readonly rowMode?: 'array'
  readonly types?: pg.CustomTypesConfig
}

/** Runs statements on a pool, on one of its connections, or in a transaction. */
export interface Executor {
  execute(statement: StatementText, values: unknown[]): Promise<pg.QueryResult>
  /** Registers a statement that the caller does not await. Present only in transactions. */
  readonly noteSent?: (statement: PromiseLike<unknown>) => void
}

/** Runs statements on the connections of one pool, and reports each to the watch. */
export class StatementRunner implements Executor {
  readonly #pool: pg.Pool
  readonly #watch: StatementWatch

  constructor(pool: pg.Pool, watch: StatementWatch = unwatched) {
    this.#pool = pool
    this.#watch = watch
  }

  /** Runs a statement on any free connection. */
  async execute(statement: StatementText, values: unknown[]): Promise<pg.QueryResult> {
    const watched = this.#watch.begin(statement)
    let client: pg.PoolClient | undefined
    try {
      client = await this.#pool.connect()
      watched.sent()
      const result = await client.query(this.#configOf(statement, values))
      client.release()
      watched.end(null)
      return result
    } catch (error) {
      client?.release(!isReusableAfter(error))
      watched.end(error)
      throw error
    }
  }

  /** Sends a statement on this connection before it returns. */
  async executeOn(
    client: pg.PoolClient,
    statement: StatementText,
    values: unknown[],
  ): Promise<pg.QueryResult> {
    const watched = this.#watch.begin(statement)
    try {
      watched.sent()
      const result = await client.query(this.#configOf(statement, values))
      watched.end(null)
      return result
    } catch (error) {
      watched.end(error)
      throw error
    }
  }

  #configOf({ text, name, rowMode, types }: StatementText, values: unknown[]): pg.QueryConfig {
    const config = { text, values, types, ...(rowMode && { rowMode }) }
    return name && !(this.#pool instanceof SessionlessPool) ? { ...config, name } : config
  }
}

/**
 * Returns whether the connection can run more statements after this error. PostgreSQL closes it after a fatal
 * one.
 */
function isReusableAfter(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity === 'ERROR' && !isReadOnly(error)
}
