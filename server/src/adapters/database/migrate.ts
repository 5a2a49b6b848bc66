import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type pg from 'pg'
import type { AuditSigning } from '../../ports/audit-store.js'
import { recordChangeover } from './audit-chains.js'
import { Handle } from './handle.js'
import { lockOccasion } from './locks.js'
import type { QueryClient } from './queries/query-client.js'
import { inTransaction } from './transaction.js'

interface Migration {
  readonly name: string
  readonly sql: string
  readonly hash: string
}

/** To index the messages of a large database takes minutes; the service has not begun to serve, so nobody else waits. */
const migrationTimeoutMilliseconds = 60 * 60 * 1000

const migrationsFolder = new URL('../../../migrations/', import.meta.url)

/**
 * Brings the schema up to date, forward only, in one transaction: either every pending migration is in or none is.
 * Instances that start together take turns at the lock, and the later ones find nothing left to do.
 */
export async function migrate(pool: pg.Pool, signing: AuditSigning): Promise<readonly string[]> {
  const migrations = await readMigrations()
  return inTransaction(pool, (transaction, client) =>
    applyPending(transaction, client, { migrations, signing }),
  )
}

/** The names of the migrations that this database still lacks; a table that is not there yet lacks all. */
export async function pendingMigrations(pool: pg.Pool): Promise<readonly string[]> {
  const migrations = await readMigrations()
  const { rows } = await pool.query<{ known: string | null }>("select to_regclass('migration') as known")
  if (rows[0]?.known === null) return migrations.map(({ name }) => name)
  const applied = await pool.query<{ name: string }>('select name from migration')
  const names = new Set(applied.rows.map(({ name }) => name))
  return migrations.map(({ name }) => name).filter((name) => !names.has(name))
}

async function applyPending(
  transaction: QueryClient,
  client: pg.PoolClient,
  { migrations, signing }: { readonly migrations: readonly Migration[]; readonly signing: AuditSigning },
): Promise<string[]> {
  await lockOccasion(new Handle(transaction), 'migration')
  await client.query(`set local statement_timeout = ${migrationTimeoutMilliseconds}`)
  await client.query(`create table if not exists migration (
    name text primary key, hash text not null, applied_at timestamp with time zone not null default now())`)
  const { rows } = await client.query<{ name: string; hash: string }>('select name, hash from migration')
  const known = new Map(rows.map((row) => [row.name, row.hash]))
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
    await recordChangeover(new Handle(transaction), signing)
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
