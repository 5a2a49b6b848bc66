import pg from 'pg'
import { beginWith } from './transaction.js'

const connectTimeoutMilliseconds = 10_000
const statementTimeoutMilliseconds = 30_000
const answerTimeoutMilliseconds = 35_000

/** What only a connection that keeps its session can promise; the last of them shows whether it does. */
const sessionSettings = {
  statement_timeout: statementTimeoutMilliseconds,
  idle_in_transaction_session_timeout: statementTimeoutMilliseconds,
  // How the server writes moments down is its operator's choice otherwise, and not always one that can be read.
  options: '-c timezone=UTC -c datestyle=ISO -c parley.session=kept',
}

/**
 * Whether our connection is one session of the server, or a pooler such as PgBouncer may give each transaction to another
 * one. Poolers refuse or ignore what a session is set up with, so that one connection tells.
 */
export type PostgresSessions = 'kept' | 'pooled'

/** A pool of connections to a PostgreSQL server, or to a pooler before one. */
export function openPostgres(
  url: string,
  onIdleError: (error: Error) => void,
  sessions: PostgresSessions = 'kept',
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 20,
    connectionTimeoutMillis: connectTimeoutMilliseconds,
    // A server that vanished without a word would be waited for until the system notices, for hours.
    query_timeout: answerTimeoutMilliseconds,
    application_name: 'parley',
    keepAlive: true,
    // Statements of a transaction are sent without waiting for one another.
    pipeline: true,
    ...(sessions === 'kept' ? sessionSettings : { onConnect: freeOfSessions }),
  })
  // An idle connection that the server drops is replaced at the next query; unheard, it would end the process.
  pool.on('error', onIdleError)
  // One that is lost under way fails its queries; the event besides, unheard, would end the process as well.
  pool.on('connect', (client) => client.on('error', () => undefined))
  if (sessions === 'pooled') beginWith(pool, beginWithSettings)
  return pool
}

/** Connects once and sees. Rejects where nobody is reached. */
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

/** Behind a pooler nothing may rest on a session: neither its settings nor the names of its statements. */
const beginWithSettings = `begin; set local statement_timeout = ${statementTimeoutMilliseconds};
  set local idle_in_transaction_session_timeout = ${statementTimeoutMilliseconds}`

async function freeOfSessions(client: pg.ClientBase): Promise<void> {
  const { query } = client
  const nameless = (...given: unknown[]) => Reflect.apply(query, client, given.map(withoutName))
  Object.defineProperty(client, 'query', { value: nameless })
  // These two are the client's and not the server's: poolers carry them from one session to the next.
  await client.query("set timezone = 'UTC'; set datestyle = 'ISO'")
}

/** A statement's name would be known to one session, and asked of another. */
function withoutName(given: unknown): unknown {
  return typeof given === 'object' && given !== null && 'name' in given
    ? Object.create(given, { name: { value: undefined } })
    : given
}
