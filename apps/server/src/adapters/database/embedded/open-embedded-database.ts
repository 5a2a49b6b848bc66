import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import pg from 'pg'
import { lockDataDirectory } from './data-directory-lock.js'
import { type DatabaseThread, startDatabaseThread } from './database-thread.js'
import { ensureCluster } from './ensure-cluster.js'
import { PortStream } from './port-stream.js'
import { templateDirectory } from './template-directory.js'
import { waitAtMost } from './wait-at-most.js'

export interface EmbeddedDatabase {
  readonly pool: pg.Pool
  /** The data directory as a tar archive of one moment. */
  dump(): Promise<ArrayBuffer>
  close(): Promise<void>
}

export interface EmbeddedDatabaseOptions {
  /** Parley's data directory; the database is in `database` in it. */
  readonly dataDir: string
  /** Called once, if the database ends by itself. Queries fail from then on; only a new start helps. */
  readonly onCrash: (error: Error) => void
}

const defaults = {
  /** How long a query waits for another connection's transaction to end. */
  lockTimeoutMilliseconds: 10_000,
  /** How long a transaction may wait for its next statement before it is rolled back. */
  idleTransactionMilliseconds: 30_000,
  /** How long one statement may run before the database is taken for hung. */
  statementLimitMilliseconds: 5 * 60_000,
  housekeepingMilliseconds: 2000,
  /** How long closing waits for connections that are in use. */
  drainMilliseconds: 5_000,
  template: templateDirectory,
}

const maxConnections = 4
const connectTimeoutMilliseconds = 30_000

/** PostgreSQL inside this process, in a thread of its own, with its files in the data directory. */
export async function openEmbeddedDatabase(
  { dataDir, onCrash }: EmbeddedDatabaseOptions,
  tuning: Partial<typeof defaults> = {},
): Promise<EmbeddedDatabase> {
  const { template, drainMilliseconds, ...limits } = { ...defaults, ...tuning }
  const path = resolve(dataDir)
  await mkdir(path, { recursive: true, mode: 0o700 })
  const lock = await lockDataDirectory(path)
  try {
    const directory = await ensureCluster(path, template)
    const thread = await startDatabaseThread({ ...limits, directory, onCrash })
    const pool = makePool(thread)

    async function closeAll(): Promise<void> {
      if (!pool.ending) await waitAtMost(drainMilliseconds, pool.end())
      await thread.stop()
      await lock.release()
    }

    let closing: Promise<void> | undefined
    const close = () => {
      closing ??= closeAll()
      return closing
    }
    return { pool, close, dump: () => thread.dump() }
  } catch (error) {
    await lock.release()
    throw error
  }
}

function makePool(thread: DatabaseThread): pg.Pool {
  const pool = new pg.Pool({
    max: maxConnections,
    stream: () => new PortStream(() => thread.connect()),
    // Said in full, so that PGHOST, PGSSLMODE and the like in the environment change nothing.
    host: 'embedded',
    user: 'postgres',
    database: 'postgres',
    ssl: false,
    // Statements of a transaction are sent without waiting for one another.
    pipeline: true,
    connectionTimeoutMillis: connectTimeoutMilliseconds,
    // A connection costs nothing while it is idle, and knows its prepared statements.
    idleTimeoutMillis: 0,
    allowExitOnIdle: true,
  })
  // Connections break only when the thread ends. Queries under way fail and `onCrash` reports the rest; unhandled, the
  // same error would end the process before that.
  pool.on('error', ignore)
  pool.on('connect', (client) => client.on('error', ignore))
  return pool
}

function ignore(): void {}
