import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { lockDataDirectory } from './data-directory-lock.js'
import { type DatabaseThread, startDatabaseThread } from './database-thread.js'
import { ensureCluster, templateDirectory } from './ensure-cluster.js'
import { startHousekeeping } from './housekeeping.js'
import { OneConnectionPool } from './one-connection-pool.js'
import { PortStream } from './port-stream.js'

export interface EmbeddedDatabase {
  readonly pool: OneConnectionPool
  /** Returns a consistent snapshot of the data directory as a tar archive. */
  dump(): Promise<ArrayBuffer>
  close(): Promise<void>
}

export interface EmbeddedDatabaseOptions {
  /** Parley's data directory. The database is in `database` in it. */
  readonly dataDir: string
  /** Called once if the database ends unexpectedly. Queries fail from then on. Only a restart helps. */
  readonly onCrash: (error: Error) => void
}

const defaults = {
  /** How long a query waits for the connection. */
  waitMilliseconds: 10_000,
  /** How long a transaction may be idle before its owner has to roll it back. */
  idleTransactionMilliseconds: 30_000,
  /** How long one statement may run before the database counts as hung. */
  statementLimitMilliseconds: 5 * 60_000,
  housekeepingMilliseconds: 2000,
  /** How long closing waits for a transaction that is open. */
  drainMilliseconds: 5_000,
  template: templateDirectory,
}

/** Opens PostgreSQL inside this process, in a separate thread, with its files in the data directory. */
export async function openEmbeddedDatabase(
  { dataDir, onCrash }: EmbeddedDatabaseOptions,
  tuning: Partial<typeof defaults> = {},
): Promise<EmbeddedDatabase> {
  const limits = { ...defaults, ...tuning }
  const { statementLimitMilliseconds, drainMilliseconds } = limits
  const path = resolve(dataDir)
  await mkdir(path, { recursive: true, mode: 0o700 })
  const lock = await lockDataDirectory(path)
  try {
    const directory = await ensureCluster(path, limits.template)
    const thread = await startDatabaseThread({ directory, statementLimitMilliseconds, onCrash })
    const pool = makePool(thread, limits)
    const housekeeping = startHousekeeping(pool, thread, limits.housekeepingMilliseconds)

    async function closeAll(): Promise<void> {
      housekeeping.stop()
      if (!pool.ending) await atMost(drainMilliseconds, pool.end())
      await thread.stop()
      await lock.release()
    }

    let closing: Promise<void> | undefined
    return {
      pool,
      close() {
        closing ??= closeAll()
        return closing
      },
      async dump() {
        const client = await pool.connect()
        try {
          return await thread.dump()
        } finally {
          client.release()
        }
      },
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}

function makePool(
  thread: DatabaseThread,
  { waitMilliseconds, idleTransactionMilliseconds }: typeof defaults,
): OneConnectionPool {
  const config: pg.PoolConfig = {
    max: 1,
    stream: () => new PortStream(() => thread.connect()),
    // Given in full, so that PGHOST, PGSSLMODE and the like in the environment change nothing.
    host: 'embedded',
    user: 'postgres',
    database: 'postgres',
    ssl: false,
    // Statements of a transaction are sent without waiting for one another.
    pipeline: true,
    connectionTimeoutMillis: waitMilliseconds,
    // An idle connection costs nothing and keeps its prepared statements.
    idleTimeoutMillis: 0,
    allowExitOnIdle: true,
  }
  const pool = new OneConnectionPool(config, idleTransactionMilliseconds)
  // Connections break only when the thread ends. Running queries fail, and `onCrash` reports the rest. Without a listener
  // the same error would end the process first.
  pool.on('error', ignore)
  pool.on('connect', (client) => client.on('error', ignore))
  return pool
}

/** Waits until the work is done or the time is over. It leaves no timer behind. */
async function atMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const timer = new AbortController()
  await Promise.race([work, wait(milliseconds, undefined, { signal: timer.signal })])
  timer.abort()
}

function ignore(): void {}
