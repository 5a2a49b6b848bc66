import pg from 'pg'
import { SessionlessPool } from './sessionless-pool.js'

const connectTimeoutMilliseconds = 10_000
const statementTimeoutMilliseconds = 30_000
const answerTimeoutMilliseconds = 35_000

/**
 * The settings of each session. A pooler such as PgBouncer discards them. `parley.session` exists only to
 * detect that.
 */
const sessionSettings = {
  statement_timeout: statementTimeoutMilliseconds,
  idle_in_transaction_session_timeout: statementTimeoutMilliseconds,
  // The time zone and date format are explicit, because the server's default format may not be parseable.
  options: '-c timezone=UTC -c datestyle=ISO -c parley.session=kept',
}

/**
 * Whether a connection is one session of the server. A pooler such as PgBouncer may run each transaction in
 * another session. Poolers reject or ignore session settings, so testing one connection is enough.
 */
export type PostgresSessions = 'kept' | 'pooled'

/** Opens a pool of connections to a PostgreSQL server, or to a pooler in front of one. */
export function openPostgres(
  url: string,
  onIdleError: (error: Error) => void,
  sessions: PostgresSessions = 'kept',
): pg.Pool {
  const settings = {
    connectionString: url,
    max: 20,
    connectionTimeoutMillis: connectTimeoutMilliseconds,
    // Without a timeout, a query to a server that vanished would wait for hours until the system notices.
    query_timeout: answerTimeoutMilliseconds,
    application_name: 'parley',
    keepAlive: true,
    // Statements of a transaction are sent without waiting for one another.
    pipeline: true,
  }
  const pool =
    sessions === 'kept'
      ? new pg.Pool({ ...settings, ...sessionSettings })
      : new SessionlessPool(settings, statementTimeoutMilliseconds)
  // The pool replaces an idle connection that the server drops. Without a listener, the error would crash the
  // process.
  pool.on('error', onIdleError)
  // A connection that is lost during a query rejects that query. Its error event needs a listener as well.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/** Connects once to detect a pooler. Throws if the server is unreachable. */
export async function findSessions(url: string): Promise<PostgresSessions> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectTimeoutMilliseconds,
    query_timeout: connectTimeoutMilliseconds,
    ...sessionSettings,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query(`select current_setting('parley.session', true) as session`)
    return rows[0]?.session === 'kept' ? 'kept' : 'pooled'
  } catch (error) {
    if (error instanceof Error && /startup parameter/.test(error.message)) return 'pooled'
    throw error
  } finally {
    await client.end().catch(() => undefined)
  }
}
