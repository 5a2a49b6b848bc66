import pg from 'pg'

const connectTimeoutMilliseconds = 10_000
const statementTimeoutMilliseconds = 30_000
const answerTimeoutMilliseconds = 35_000

/** A pool of connections to a PostgreSQL server. */
export function openPostgres(url: string, onIdleError: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 20,
    connectionTimeoutMillis: connectTimeoutMilliseconds,
    statement_timeout: statementTimeoutMilliseconds,
    // A server that vanished without a word would be waited for until the system notices, for hours.
    query_timeout: answerTimeoutMilliseconds,
    idle_in_transaction_session_timeout: statementTimeoutMilliseconds,
    application_name: 'parley',
    // How the server writes moments down is its operator's choice otherwise, and not always one that can be read.
    options: '-c timezone=UTC -c datestyle=ISO',
    keepAlive: true,
  })
  // An idle connection that the server drops is replaced at the next query; unheard, it would end the process.
  pool.on('error', onIdleError)
  return pool
}
