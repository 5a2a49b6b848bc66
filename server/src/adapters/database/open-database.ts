import type pg from 'pg'
import type { Database } from '../../ports/database.js'
import type { Log } from '../../ports/log.js'
import { makeDatabase } from './database.js'
import { openEmbeddedDatabase } from './embedded/open-embedded-database.js'
import { migrate, pendingMigrations } from './migrate.js'
import { explainOpenFailure } from './open-failure.js'
import { findSessions, openPostgres } from './open-postgres.js'

export type DatabaseLocation =
  | { readonly kind: 'embedded'; readonly dataDir: string }
  | { readonly kind: 'postgres'; readonly url: string }

/** Opens the database, whichever it is, with its schema up to date. */
export function openDatabase(
  location: DatabaseLocation,
  log: Log,
  onCrash: (error: Error) => void,
): Promise<Database> {
  return open(location, { log, onCrash }, async (pool) => void (await migrate(pool)))
}

/** Opens the database as it is, and refuses one whose schema is not this version's: changing it is the service's to do. */
export function openCurrentDatabase(
  location: DatabaseLocation,
  log: Log,
  onCrash: (error: Error) => void,
): Promise<Database> {
  return open(location, { log, onCrash }, async (pool) => {
    const pending = await pendingMigrations(pool)
    if (pending.length > 0) throw new PendingMigrations(pending)
  })
}

export class PendingMigrations extends Error {
  override readonly name = 'PendingMigrations'

  constructor(pending: readonly string[]) {
    super(
      `The database lacks ${pending.length} migrations of this version (${pending[0]} is the first). ` +
        'Start the service once, which applies them: parley start',
    )
  }
}

async function open(
  location: DatabaseLocation,
  { log, onCrash }: { readonly log: Log; readonly onCrash: (error: Error) => void },
  prepare: (pool: pg.Pool) => Promise<void>,
): Promise<Database> {
  const { pool, close, dump } =
    location.kind === 'embedded'
      ? await openEmbeddedDatabase({ dataDir: location.dataDir, onCrash })
      : await openServer(location.url, log)
  try {
    await prepare(pool)
  } catch (error) {
    await close()
    throw location.kind === 'postgres' ? explainOpenFailure(error, location.url) : error
  }
  return makeDatabase(pool, close, { dump, log })
}

async function openServer(url: string, log: Log) {
  const sessions = await findSessions(url).catch((error) => {
    throw explainOpenFailure(error, url)
  })
  const onIdleError = (error: Error) => log.debug({ reason: error.message }, 'database connection lost')
  const pool = openPostgres(url, onIdleError, sessions)
  return { pool, close: () => pool.end(), dump: null }
}
