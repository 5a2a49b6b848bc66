import type { Database } from '../../ports/database.js'
import type { Log } from '../../ports/log.js'
import { makeDatabase } from './database.js'
import { openEmbeddedDatabase } from './embedded/open-embedded-database.js'
import { migrate } from './migrate.js'
import { openPostgres } from './open-postgres.js'

export type DatabaseLocation =
  | { readonly kind: 'embedded'; readonly dataDir: string }
  | { readonly kind: 'postgres'; readonly url: string }

/** Opens the database, whichever it is, with its schema up to date. */
export async function openDatabase(
  location: DatabaseLocation,
  log: Log,
  onCrash: (error: Error) => void,
): Promise<Database> {
  const { pool, close } =
    location.kind === 'embedded'
      ? await openEmbeddedDatabase({ dataDir: location.dataDir, onCrash })
      : openServer(location.url, log)
  try {
    await migrate(pool)
  } catch (error) {
    await close()
    throw error
  }
  return makeDatabase(pool, close)
}

function openServer(url: string, log: Log) {
  const pool = openPostgres(url, (error) => log.warn({ reason: error.message }, 'database connection lost'))
  return { pool, close: () => pool.end() }
}
