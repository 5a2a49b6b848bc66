import type { OneConnectionPool } from './one-connection-pool.js'

const maxLogBytes = 32 * 1024 * 1024

/** The check takes 20 ms and is skipped until the WAL has grown by this much, because no table can need a vacuum before. */
const minGrowthBytes = 8 * 1024

interface Log {
  readonly bytesSinceCheckpoint: number
  readonly bytesEver: number
}

/** Table statistics lag by a second unless they are flushed. */
const readLog = `
  select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn)::float8 as "bytesSinceCheckpoint",
    pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as "bytesEver"
  from pg_control_checkpoint(), pg_stat_force_next_flush()`

/**
 * The thresholds are those of PostgreSQL's autovacuum, with a maximum, because all queries wait for a vacuum. It takes
 * milliseconds for 2000 rows and a third of a second for a table of 50 MB. For TOAST tables only dead rows count, because they
 * have no statistics. `pg_statistic` itself is never analyzed, so it is excluded. Otherwise it would always be due.
 */
const mostChangedTable = `
  select format('%I.%I', changes.schemaname, changes.relname) as name
  from pg_stat_all_tables changes join pg_class on pg_class.oid = changes.relid
  where n_dead_tup > 50 + least(0.2 * greatest(reltuples, 0), 2000)
    or (relkind = 'r' and n_ins_since_vacuum > 1000 + least(0.2 * greatest(reltuples, 0), 2000))
    or (relkind = 'r' and relid <> 'pg_statistic'::regclass
      and n_mod_since_analyze > 50 + 0.1 * greatest(reltuples, 0))
    or age(relfrozenxid) > 200000000
  order by n_dead_tup + n_mod_since_analyze desc limit 1`

/** Using all buffers takes a quarter of the time. TOAST tables are vacuumed separately. */
const vacuum = 'vacuum (analyze, buffer_usage_limit 0, process_toast false)'

/**
 * Does the work of PostgreSQL's background processes, which PGlite lacks. Without checkpoints the WAL grows without limit, and
 * without vacuum the tables do. Each interval does one thing, because all other queries wait for it.
 */
export function startHousekeeping(
  pool: OneConnectionPool,
  database: { readonly activityCount: number },
  intervalMilliseconds: number,
): { stop(): void } {
  let seenActivity = database.activityCount
  /** The length of the log when no table was overdue. */
  let tidyBytes = 0
  let isBusy = false

  async function doOne(): Promise<void> {
    const [log] = (await pool.query<Log>(readLog)).rows
    if (log === undefined) return
    if (log.bytesSinceCheckpoint > maxLogBytes) return void (await pool.query('checkpoint'))
    if (log.bytesEver - tidyBytes < minGrowthBytes) return
    const [table] = (await pool.query<{ name: string }>(mostChangedTable)).rows
    if (table === undefined) tidyBytes = log.bytesEver
    else await pool.query(`${vacuum} ${table.name}`)
  }

  const timer = setInterval(async () => {
    if (isBusy || database.activityCount === seenActivity) return
    isBusy = true
    // A full disk or a busy database fails the statements of clients too. The next interval tries again.
    await doOne().catch(() => undefined)
    seenActivity = database.activityCount
    isBusy = false
  }, intervalMilliseconds).unref()
  return { stop: () => clearInterval(timer) }
}
