import { availableParallelism } from 'node:os'
import { sql } from 'drizzle-orm'
import type pg from 'pg'
import type { AuditSigning } from '../../ports/audit-store.js'
import type { Changes, Database, OwnedDatabase, Stores, WorkOwner } from '../../ports/database.js'
import type { Log } from '../../ports/log.js'
import { readBacklog } from './backlog.js'
import { DatabaseSlots, type DatabaseSlotsOptions, NoSlotInTime } from './database-slots.js'
import { makeHandle } from './handle.js'
import { newerMigrations } from './migrate.js'
import { databaseMicroseconds } from './moments.js'
import { causesOf, isFull, isOutage } from './outage.js'
import { OutageWatch } from './outage-watch.js'
import { type Executor, StatementRunner } from './run-statement.js'
import { StatementWatch } from './statement-watch.js'
import { makeStores } from './stores.js'
import { inRolledBackTransaction, inTransaction } from './transaction.js'

/** The maximum number of owners whose stores are cached. Creating stores takes longer than most queries. */
const maxOwned = 1000

export interface DatabaseParts {
  readonly close: () => Promise<void>
  readonly signing: AuditSigning
  readonly dump?: Database['dump']
  readonly log?: Log | null
}

/**
 * Creates the database on a connection pool. From here on, PostgreSQL and the embedded database behave the
 * same.
 */
export function makeDatabase(
  pool: pg.Pool,
  { close, signing, dump = null, log = null }: DatabaseParts,
): Database {
  const watch: StatementWatch = new StatementWatch((error, askedAt) => outage.note(error, askedAt))
  const runner = new StatementRunner(pool, watch)
  const root = makeHandle(runner)
  const listeners: Parameters<Database['onChange']>[0][] = []
  const logListeners: Parameters<Database['onLogEntry']>[0][] = []
  const slots = new DatabaseSlots(shareConnections(pool.options.max))
  const owned = new Map<string, OwnedDatabase>()
  const emitChange = (changes: Changes) => {
    for (const listener of listeners) listener(changes)
  }
  const emitOne = (organizationId: string, action: string) =>
    emitChange(new Map([[organizationId, new Set([action])]]))
  const transaction: Database['transaction'] = async (work) => {
    const changed = new Map<string, Set<string>>()
    const onAppended = (organizationId: string, action: string) => {
      const actions = changed.get(organizationId) ?? new Set()
      changed.set(organizationId, actions.add(action))
    }
    const result = await inTransaction(
      pool,
      (inner) => work(makeStores(makeHandle(inner), { onAppended, signing })),
      watch,
    )
    if (changed.size > 0) {
      outage.noteWritten()
      emitChange(changed)
    }
    return result
  }
  const ping = async () => {
    const { rows } = await root.execute("select current_setting('transaction_read_only') as answer")
    // After a failover, the old server may be a read-only replica of the new one.
    if (rows[0]?.answer === 'on') throw new Error('The database is read-only.')
  }
  const outage = new OutageWatch(ping, log)
  // Emitted for idle connections when the server becomes unavailable.
  pool.on('error', (error) => outage.note(error, performance.now()))
  const runFairly: Database['runFairly'] = async (owner, work) => {
    const result = await slots.run(owner, work)
    if (owner.kind === 'log') for (const listener of logListeners) listener(owner.organizationId)
    return result
  }
  return {
    stores: makeStores(root, { onAppended: emitOne, signing }),
    transaction,
    // Listeners are not called, because no change is committed.
    dryRun: (work) =>
      inRolledBackTransaction(
        pool,
        (inner) => work(makeStores(makeHandle(inner), { onAppended: () => undefined, signing })),
        watch,
      ),
    runFairly,
    ownedBy(owner) {
      const key = `${owner.kind} ${owner.organizationId}`
      const cached = owned.get(key)
      if (cached !== undefined) return cached
      if (owned.size >= maxOwned) owned.clear()
      const made = {
        stores: makeStores(makeHandle(executeFairly(runner, slots, owner)), {
          onAppended: emitOne,
          signing,
        }),
        transaction: <Result>(work: (stores: Stores) => Promise<Result>) =>
          runFairly(owner, () => transaction(work)),
      }
      owned.set(key, made)
      return made
    },
    onChange: (listener) => void listeners.push(listener),
    onLogEntry: (listener) => void logListeners.push(listener),
    ping,
    returned: () => outage.returned(),
    async now() {
      const { rows } = await root.execute<{ at: string }>(sql`select ${databaseMicroseconds} as at`)
      return Number(rows[0]?.at) / 1000
    },
    observeStatements: (observer) => watch.observe(observer),
    connections: () => ({
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      max: pool.options.max,
    }),
    backlog: () => readBacklog(root),
    dump,
    isOutage,
    isBusy: (error) => causesOf(error).some(({ name }) => name === NoSlotInTime.name),
    isFull,
    hasNewerSchema: async () => (await newerMigrations(pool)).length > 0,
    isDiskFull: () => outage.isDiskFull,
    close() {
      outage.close()
      return close()
    },
  }
}

/**
 * A minimum for machines with few cores, so that two transactions of an organization that wait for a lock do
 * not block its other calls.
 */
const minSlotsPerOrganization = 3

/**
 * Some connections stay reserved for work without an organization, mostly key lookups, so that they do not
 * wait for other work. Each additional slot of one organization makes the others wait for one more
 * transaction, because they share the processor if the server is on the same machine. The embedded database
 * has one connection. Two tasks are admitted, one waiting for the other, so that the connection never idles between
 * them.
 */
function shareConnections(connections: number): DatabaseSlotsOptions {
  if (connections === 1) return { atOnce: 2, atOncePerOrganization: 1 }
  const atMost = Math.floor(connections * 0.3)
  return {
    atOnce: Math.max(2, connections - 4),
    atOncePerOrganization: Math.min(atMost, Math.max(minSlotsPerOrganization, availableParallelism())),
  }
}

/** Runs each statement in one of its owner's slots. */
function executeFairly(runner: StatementRunner, slots: DatabaseSlots, owner: WorkOwner): Executor {
  return { execute: (statement, values) => slots.run(owner, () => runner.execute(statement, values)) }
}
