import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type pg from 'pg'
import type { AuditSigning } from '../../ports/audit-store.js'
import type { Log } from '../../ports/log.js'
import { recordChangeover } from './audit-chains.js'
import { makeHandle } from './handle.js'
import { takeAdvisoryLock } from './locks.js'
import type { Executor } from './run-statement.js'
import { inTransaction } from './transaction.js'

interface Migration {
  readonly name: string
  readonly sql: string
  readonly hash: string
}

/**
 * Indexing the messages of a large database takes minutes. This delays no request, because the service does
 * not serve requests yet.
 */
const migrationTimeoutMilliseconds = 60 * 60 * 1000

const migrationsFolder = new URL('../../../migrations/', import.meta.url)

/**
 * Brings the schema up to date, forward only, in one transaction: either all pending migrations are applied
 * or none. If several instances start at the same time, they wait for a lock, and the later ones find nothing
 * to do.
 */
export async function migrate(
  pool: pg.Pool,
  signing: AuditSigning,
  log: Log | null = null,
): Promise<readonly string[]> {
  const migrations = await readMigrations()
  return inTransaction(pool, (transaction) =>
    transaction.withClient((client) => applyPending(transaction, client, { migrations, signing, log })),
  )
}

/** Returns the names of the pending migrations. If the table is missing, all are pending. */
export async function pendingMigrations(pool: pg.Pool): Promise<readonly string[]> {
  const migrations = await readMigrations()
  const { rows } = await pool.query<{ known: string | null }>("select to_regclass('migration') as known")
  if (rows[0]?.known === null) return migrations.map(({ name }) => name)
  const applied = await pool.query<{ name: string }>('select name from migration')
  const names = new Set(applied.rows.map(({ name }) => name))
  return migrations.map(({ name }) => name).filter((name) => !names.has(name))
}

/**
 * A rolling upgrade takes minutes, and an instance of the previous version may start again during that time.
 */
const upgradeMinutes = 60

export interface NewerMigration {
  readonly name: string
  /** Whether the migration was applied within the duration of a rolling upgrade. */
  readonly isRecent: boolean
}

/**
 * A newer version has changed the schema, and its upgrade is complete. This version must therefore not write
 * to it.
 */
export class NewerSchema extends Error {
  override readonly name = 'NewerSchema'

  constructor([first, ...others]: readonly NewerMigration[]) {
    super(
      `The database has ${others.length + 1} migrations of a newer version of Parley (${first?.name} is the first). ` +
        'Start that version, or restore the backup from before the upgrade. ' +
        'If no newer version ever ran here, the row in the table migration is forged: see docs/reference/audit.md.',
    )
  }
}

/** Returns the applied migrations that this version does not know. */
export async function newerMigrations(pool: pg.Pool): Promise<readonly NewerMigration[]> {
  const { rows } = await pool.query<{ known: string | null }>("select to_regclass('migration') as known")
  return rows[0]?.known === null ? [] : findNewer(pool, await readMigrations())
}

/** Throws if a newer version has changed the database and its rolling upgrade is complete. */
export function requireUpgradeInProgress(newer: readonly NewerMigration[]): void {
  if (newer.some(({ isRecent }) => !isRecent)) throw new NewerSchema(newer)
}

async function findNewer(
  client: Pick<pg.ClientBase, 'query'>,
  migrations: readonly Migration[],
): Promise<readonly NewerMigration[]> {
  const { rows } = await client.query<NewerMigration>(
    `select name, applied_at > now() - make_interval(mins => $2::integer) as "isRecent" from migration
     where name <> all($1::text[]) order by name`,
    [migrations.map(({ name }) => name), upgradeMinutes],
  )
  return rows
}

interface MigrationParts {
  readonly migrations: readonly Migration[]
  readonly signing: AuditSigning
  readonly log: Log | null
}

async function applyPending(
  transaction: Executor,
  client: pg.PoolClient,
  { migrations, signing, log }: MigrationParts,
): Promise<string[]> {
  await takeAdvisoryLock(makeHandle(transaction), 'migration')
  await client.query(`set local statement_timeout = ${migrationTimeoutMilliseconds}`)
  await client.query(`create table if not exists migration (
    name text primary key, hash text not null, applied_at timestamp with time zone not null default now())`)
  const { rows } = await client.query<{ name: string; hash: string }>('select name, hash from migration')
  const known = new Map(rows.map((row) => [row.name, row.hash]))
  const newer = await findNewer(client, migrations)
  requireUpgradeInProgress(newer)
  if (newer.length > 0)
    log?.warn(
      { migrations: newer.map(({ name }) => name) },
      'a newer version has changed the database; this version may run on it for the hour of a rolling upgrade only',
    )
  const applied: string[] = []
  for (const { name, sql, hash } of migrations) {
    const knownHash = known.get(name)
    if (knownHash === hash) continue
    if (knownHash !== undefined)
      throw new Error(`Migration ${name} was changed after it was applied to this database.`)
    const patiently = { text: sql, query_timeout: migrationTimeoutMilliseconds }
    await client.query(patiently)
    await client.query('insert into migration (name, hash) values ($1, $2)', [name, hash])
    applied.push(name)
  }
  const isUpgrade = known.size > 0
  if (isUpgrade && applied.some((name) => name.includes('audit_signatures')))
    await recordChangeover(makeHandle(transaction), signing)
  return applied
}

async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(migrationsFolder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, migrationsFolder), 'utf8')
      return { name, sql, hash: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}
