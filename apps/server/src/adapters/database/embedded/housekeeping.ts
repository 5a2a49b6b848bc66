import type { PgliteSession } from './pglite-session.js'
import type { SessionLock } from './session-lock.js'

const maxLogBytes = 32 * 1024 * 1024

/** With less in the log than this, no table can have become overdue; to ask all of them takes 20 ms. */
const minLogBytes = 8 * 1024

interface OverdueTable {
  readonly name: string
  readonly isVacuumDue: boolean
}

interface Log {
  readonly bytesSinceCheckpoint: number
  readonly bytesEver: number
}

/** After so much more in the log it is asked again which tables are overdue, and which of them most. */
const staleLogBytes = 256 * 1024

/** Where little is written it looks less often: to look takes 2 ms. */
const maxPauses = 4

/** What was changed shows in the figures of the tables a second later, unless they are asked for at once. */
const logBytes = `
  select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn)::float8 as "bytesSinceCheckpoint",
    pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as "bytesEver"
  from pg_control_checkpoint(), pg_stat_force_next_flush()`

/**
 * The thresholds are those of PostgreSQL's own autovacuum, but for a ceiling: everybody waits meanwhile, and what came since
 * the last time is gone through in milliseconds, a table of 50 MB in a third of a second. Of TOAST tables only what is dead
 * counts: no plan asks for statistics of them, and to go through 80 MB that were just written takes as long. The table that
 * statistics are kept in has none itself: it would be overdue for ever, and nothing else would come first again.
 */
const overdueTables = `
  select name, "isVacuumDue" from (
    select format('%I.%I', changes.schemaname, changes.relname) as name,
      n_dead_tup > 50 + least(0.2 * greatest(reltuples, 0), 2000)
        or (relkind = 'r' and n_ins_since_vacuum > 1000 + least(0.2 * greatest(reltuples, 0), 2000))
        or age(relfrozenxid) > 200000000 as "isVacuumDue",
      relkind = 'r' and relid <> 'pg_statistic'::regclass
        and n_mod_since_analyze > 50 + 0.1 * greatest(reltuples, 0) as "isAnalyzeDue",
      n_dead_tup + n_mod_since_analyze as changed
    from pg_stat_all_tables changes join pg_class on pg_class.oid = changes.relid
  ) as tables
  where "isVacuumDue" or "isAnalyzeDue"
  order by changed desc`

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
  /** How long the log was when no table was overdue. */
  let tidyLogBytes = 0
  /** Those that were overdue, the most overdue first, and how long the log was then. */
  let overdue: OverdueTable[] = []
  let overdueLogBytes = 0
  /** How many intervals lie between this look and the next, and how many of them have passed. */
  let pauses = 1
  let passed = 0
  let isBusy = false

  /** One table a run: clients wait meanwhile. Returns whether there was one. */
  async function tidyOne({ bytesEver }: Log): Promise<boolean> {
    if (overdue.length === 0 || bytesEver - overdueLogBytes > staleLogBytes) {
      overdue = await session.query<OverdueTable>(overdueTables)
      overdueLogBytes = bytesEver
    }
    const table = overdue.shift()
    if (table === undefined) return false
    if (!table.isVacuumDue) await session.query(briefStatistics)
    await session.query(`${table.isVacuumDue ? vacuum : 'analyze'} ${table.name}`)
    return true
  }

  async function runOnce(): Promise<void> {
    await lock.acquire(housekeeper)
    try {
      const log = await readLog(session)
      const isOverdue = log.bytesSinceCheckpoint > maxLogBytes
      const hasGrown = log.bytesEver - tidyLogBytes >= minLogBytes
      pauses = isOverdue || hasGrown ? 1 : Math.min(pauses * 2, maxPauses)
      if (isOverdue) await session.query('checkpoint')
      else if (hasGrown && !(await tidyOne(log))) tidyLogBytes = log.bytesEver
    } catch {
      // A full disk, say. Clients see the same in their own statements, and the next run tries again.
    } finally {
      seenActivity = session.activityCount
      lock.release(housekeeper)
    }
  }

  setInterval(async () => {
    passed += 1
    if (isBusy || passed < pauses || session.activityCount === seenActivity) return
    isBusy = true
    passed = 0
    await runOnce()
    isBusy = false
  }, intervalMilliseconds).unref()
}

async function readLog(session: PgliteSession): Promise<Log> {
  const [log] = await session.query<Log>(logBytes)
  if (log === undefined) throw new Error('The database says nothing of its log.')
  return log
}
