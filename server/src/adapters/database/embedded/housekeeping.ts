import type { PgliteSession } from './pglite-session.js'
import type { SessionLock } from './session-lock.js'

const maxLogBytes = 32 * 1024 * 1024

const logBytesSinceCheckpoint = `
  select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn)::float8 as bytes from pg_control_checkpoint()`

/**
 * The thresholds are those of PostgreSQL's own autovacuum, but for a ceiling: everybody waits meanwhile, and what came since
 * the last time is gone through in milliseconds, a table of 50 MB in a third of a second. Of TOAST tables only what is dead
 * counts: no plan asks for statistics of them, and to go through 80 MB that were just written takes as long.
 */
const mostOverdueTable = `
  select name, "isVacuumDue" from (
    select format('%I.%I', changes.schemaname, changes.relname) as name,
      n_dead_tup > 50 + least(0.2 * greatest(reltuples, 0), 2000)
        or (relkind = 'r' and n_ins_since_vacuum > 1000 + least(0.2 * greatest(reltuples, 0), 2000))
        or age(relfrozenxid) > 200000000 as "isVacuumDue",
      relkind = 'r' and n_mod_since_analyze > 50 + 0.1 * greatest(reltuples, 0) as "isAnalyzeDue",
      n_dead_tup + n_mod_since_analyze as changed
    from pg_stat_all_tables changes join pg_class on pg_class.oid = changes.relid
  ) as tables
  where "isVacuumDue" or "isAnalyzeDue"
  order by changed desc
  limit 1`

/** Of 3000 rows rather than 30 000: a tenth of the time, and as good for what is asked here. */
const briefStatistics = 'set default_statistics_target = 10'

/** With all of the buffers, not with 2 MB of them, it takes a quarter of the time. TOAST tables are vacuumed by themselves. */
const vacuum = 'vacuum (buffer_usage_limit 0, process_toast false)'

/**
 * Does what PostgreSQL's background processes would do, which the embedded database lacks: without checkpoints its
 * log grows for as long as it runs, and without vacuum its tables do.
 */
export function startHousekeeping(
  session: PgliteSession,
  lock: SessionLock,
  intervalMilliseconds: number,
): void {
  const housekeeper = {}
  let seenActivity = session.activityCount
  let isBusy = false

  async function runOnce(): Promise<void> {
    await lock.acquire(housekeeper)
    try {
      await doMostUrgent(session)
    } catch {
      // A full disk, say. Clients see the same in their own statements, and the next run tries again.
    } finally {
      seenActivity = session.activityCount
      lock.release(housekeeper)
    }
  }

  setInterval(async () => {
    if (isBusy || session.activityCount === seenActivity) return
    isBusy = true
    await runOnce()
    isBusy = false
  }, intervalMilliseconds).unref()
}

/** One thing a run: clients wait meanwhile. */
async function doMostUrgent(session: PgliteSession): Promise<void> {
  const [log] = await session.query<{ bytes: number }>(logBytesSinceCheckpoint)
  if (log && log.bytes > maxLogBytes) {
    await session.query('checkpoint')
    return
  }
  const [table] = await session.query<{ name: string; isVacuumDue: boolean }>(mostOverdueTable)
  if (table === undefined) return
  if (!table.isVacuumDue) await session.query(briefStatistics)
  await session.query(`${table.isVacuumDue ? vacuum : 'analyze'} ${table.name}`)
}
