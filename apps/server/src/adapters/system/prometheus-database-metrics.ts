import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { type Backlog, backlogKinds, type Database, type EndedStatement } from '../../ports/database.js'
import { systemTimers } from './timers.js'

/** How long a result is cached, regardless of the number of scrapes. */
const keptMilliseconds = 5000
/** Shorter than the scrape timeout of Prometheus. */
const answerMilliseconds = 2000

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Measures the database: its statements, connections, availability and queued work. */
export function measureDatabase(registry: Registry, database: Database): void {
  measureStatements(registry, database)
  measureConnections(registry, database)
  measureBacklog(registry, database)
}

function measureStatements(registry: Registry, database: Database): void {
  const registers = [registry]
  const durations = new Histogram({
    name: 'parley_database_statement_duration_seconds',
    help: 'Time from sending a statement to its answer, by operation; the wait for a connection is not included.',
    labelNames: ['operation'],
    buckets: seconds,
    registers,
  })
  const failures = new Counter({
    name: 'parley_database_statement_failures_total',
    help: 'Failed statements: the database was unavailable or rejected them.',
    labelNames: ['reason'],
    registers,
  })
  for (const reason of ['away', 'refused']) failures.inc({ reason }, 0)
  const end = ({ operation, milliseconds, failure }: EndedStatement) => {
    if (milliseconds !== null) durations.observe({ operation }, milliseconds / 1000)
    if (failure !== null) failures.inc({ reason: database.isOutage(failure) ? 'away' : 'refused' })
  }
  database.observeStatements(() => end)
}

function measureConnections(registry: Registry, database: Database): void {
  new Gauge({
    name: 'parley_database_connections',
    help: 'Database connections, by state.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { used, idle } = database.connections()
      this.set({ state: 'used' }, used)
      this.set({ state: 'idle' }, idle)
    },
  })
  new Gauge({
    name: 'parley_database_connections_max',
    help: 'Maximum number of database connections of this instance.',
    registers: [registry],
    collect() {
      this.set(database.connections().max)
    },
  })
  new Gauge({
    name: 'parley_database_waiting',
    help: 'Statements and transactions that wait for a database connection.',
    registers: [registry],
    collect() {
      this.set(database.connections().waiting)
    },
  })
}

function measureBacklog(registry: Registry, database: Database): void {
  const read = keepAnswer(() => readState(database))
  new Gauge({
    name: 'parley_database_up',
    help: 'Whether the database responds and is writable (1) or not (0).',
    registers: [registry],
    aggregator: 'min',
    async collect() {
      this.set((await read()).isUp ? 1 : 0)
    },
  })
  new Gauge({
    name: 'parley_backlog',
    help: 'What waits in the database, of all instances together, by kind; at most 10000 of each are counted.',
    labelNames: ['kind'],
    registers: [registry],
    aggregator: 'max',
    async collect() {
      const { backlog } = await read()
      this.reset()
      if (backlog !== null) for (const kind of backlogKinds) this.set({ kind }, backlog[kind])
    },
  })
}

interface DatabaseState {
  /** Whether the database answered in time and is writable. */
  readonly isUp: boolean
  /** Null if it could not be read in time. */
  readonly backlog: Backlog | null
}

async function readState(database: Database): Promise<DatabaseState> {
  const isUp = await inTime(
    database.ping().then(() => true),
    false,
  )
  return { isUp, backlog: isUp ? await inTime(database.backlog(), null) : null }
}

async function inTime<Value, Otherwise>(
  work: Promise<Value>,
  otherwise: Otherwise,
): Promise<Value | Otherwise> {
  const settled = work.catch(() => otherwise)
  const result = await systemTimers.within(answerMilliseconds, settled)
  return result.ok ? result.value : otherwise
}

/** Shares one request among concurrent callers, and caches its result for some seconds. */
function keepAnswer<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let kept: Promise<Answer> | undefined
  let askedAt = Number.NEGATIVE_INFINITY
  return () => {
    const now = performance.now()
    if (kept === undefined || now - askedAt > keptMilliseconds) {
      kept = ask()
      askedAt = now
    }
    return kept
  }
}
