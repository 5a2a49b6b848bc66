import { openEmbeddedDatabase } from '@parley/embedded-database'
import type pg from 'pg'
import type { AuditSigning } from '../../ports/audit-store.js'
import type { Database } from '../../ports/database.js'
import type { Log } from '../../ports/log.js'
import { makeDatabase } from './database.js'
import { migrate, newerMigrations, pendingMigrations, requireUpgradeInProgress } from './migrate.js'
import { explainOpenFailure } from './open-failure.js'
import { findSessions, openPostgres } from './open-postgres.js'

export type DatabaseLocation =
  | { readonly kind: 'embedded'; readonly dataDir: string }
  | { readonly kind: 'postgres'; readonly url: string }

export interface OpenOptions {
  readonly onCrash: (error: Error) => void
  /**
   * Opens the keys that sign audit records. Called when this process holds the lock on the data directory.
   */
  readonly openSigning: () => Promise<AuditSigning>
}

/** Opens PostgreSQL or the embedded database, and migrates its schema. */
export function openDatabase(
  location: DatabaseLocation,
  log: Log,
  { onCrash, openSigning }: OpenOptions,
): Promise<Database> {
  return open(
    location,
    { log, onCrash, openSigning },
    async (pool, signing) => void (await migrate(pool, signing, log)),
  )
}

/**
 * Opens the database without migrating it. Throws if its schema is not that of this version, because only the
 * service migrates.
 */
export function openCurrentDatabase(
  location: DatabaseLocation,
  log: Log,
  { onCrash, openSigning }: OpenOptions,
): Promise<Database> {
  return open(location, { log, onCrash, openSigning }, async (pool) => {
    requireUpgradeInProgress(await newerMigrations(pool))
    const pending = await pendingMigrations(pool)
    if (pending.length > 0) throw new PendingMigrations(pending)
  })
}

export class PendingMigrations extends Error {
  override readonly name = 'PendingMigrations'

  constructor(pending: readonly string[]) {
    super(
      `The database lacks ${pending.length} migrations of this version (${pending[0]} is the first). ` +
        'To apply them, start the service once: parley start',
    )
  }
}

async function open(
  location: DatabaseLocation,
  { log, onCrash, openSigning }: OpenOptions & { readonly log: Log },
  prepare: (pool: pg.Pool, signing: AuditSigning) => Promise<void>,
): Promise<Database> {
  const { pool, close, dump } =
    location.kind === 'embedded'
      ? await openEmbeddedDatabase({ dataDir: location.dataDir, onCrash })
      : await openServer(location.url, log)
  try {
    const signing = await openSigning()
    await prepare(pool, signing)
    return makeDatabase(pool, { close, signing, dump, log })
  } catch (error) {
    await close()
    throw location.kind === 'postgres' ? explainOpenFailure(error, location.url) : error
  }
}

async function openServer(url: string, log: Log) {
  const sessions = await findSessions(url).catch((error) => {
    throw explainOpenFailure(error, url)
  })
  const onIdleError = (error: Error) => log.debug({ reason: error.message }, 'database connection lost')
  const pool = openPostgres(url, onIdleError, sessions)
  return { pool, close: () => pool.end(), dump: null }
}
