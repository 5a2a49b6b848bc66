import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate, newerMigrations } from '#server/adapters/database/migrate.js'
import { testSigning } from '../../support/audit/chain-secrets.js'
import { databaseKinds } from '../../support/start-service.js'
import { openEmptyPool, type TestPool } from '../../support/stores/store-database.js'

const folder = new URL('../../../migrations/', import.meta.url)
const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
const migrations = await Promise.all(
  names.map(async (name) => {
    const text = await readFile(new URL(name, folder), 'utf8')
    return { name, text, hash: createHash('sha256').update(text).digest('hex') }
  }),
)

// The embedded database is slow with hundreds of statements, even more so on a busy machine.
describe.each(databaseKinds)('migrations on the %s database [DB-2]', { timeout: 60_000 }, (kind) => {
  let database: TestPool

  beforeAll(async () => {
    database = await openEmptyPool(kind)
  })

  /** Removes everything that earlier tests have left. Tests that need the whole schema use it as it is. */
  async function emptyDatabase(): Promise<void> {
    await database.pool.query('drop schema public cascade')
    await database.pool.query('create schema public')
  }

  afterAll(() => database.close())

  const migrateNow = () => migrate(database.pool, testSigning)

  async function tables(): Promise<string[]> {
    const { rows } = await database.pool.query<{ tablename: string }>(
      `select tablename from pg_tables where schemaname = 'public' order by tablename`,
    )
    return rows.map(({ tablename }) => tablename)
  }

  async function applied(): Promise<{ name: string; hash: string }[]> {
    return (await database.pool.query('select name, hash from migration order by name')).rows
  }

  test('rejects a schema that a newer version has changed after its upgrade has ended [OPS-28]', async () => {
    await emptyDatabase()
    await migrateNow()
    await database.pool.query(`insert into migration (name, hash) values ('9999_later', 'x')`)
    expect(await newerMigrations(database.pool)).toEqual([{ name: '9999_later', isRecent: true }])
    expect(await migrateNow()).toEqual([])
    await database.pool.query(`update migration set applied_at = now() - interval '2 hours' where hash = 'x'`)
    await expect(migrateNow()).rejects.toThrow('1 migrations of a newer version of Parley (9999_later')
    await database.pool.query(`delete from migration where hash = 'x'`)
    expect(await newerMigrations(database.pool)).toEqual([])
  })

  test('applies migrations in order, each once, however many instances start together', async () => {
    await emptyDatabase()
    const outcomes = await Promise.all(Array.from({ length: 4 }, migrateNow))
    expect(outcomes.flat()).toEqual(names)
    expect(outcomes.filter(({ length }) => length > 0)).toHaveLength(1)
    expect(await applied()).toEqual(migrations.map(({ name, hash }) => ({ name, hash })))
    expect(await tables()).toEqual(expect.arrayContaining(['agent', 'audit_record', 'message', 'task']))

    const before = await applied()
    expect(await migrateNow()).toEqual([])
    expect(await applied()).toEqual(before)
  })

  test('rejects migrations that were changed after they ran, and leaves the database untouched', async () => {
    await migrateNow()
    const [first] = migrations
    const setHash = (hash: string | undefined) =>
      database.pool.query('update migration set hash = $1 where name = $2', [hash, first?.name])
    await setHash('of other text')
    const before = await applied()
    await expect(migrateNow()).rejects.toThrow(
      `Migration ${first?.name} was changed after it was applied to this database.`,
    )
    expect(await applied()).toEqual(before)
    await setHash(first?.hash)
  })

  async function columns(): Promise<unknown[]> {
    const { rows } = await database.pool.query(
      `select table_name, column_name, data_type from information_schema.columns
       where table_schema = 'public' order by table_name, column_name`,
    )
    return rows
  }

  /** Returns the database to its schema before this migration. Its data is lost. */
  async function migrateUntil(next: string): Promise<void> {
    await emptyDatabase()
    await database.pool.query('create table migration (name text primary key, hash text not null)')
    await database.pool.query(
      'alter table migration add column applied_at timestamptz not null default now()',
    )
    for (const { name, text, hash } of migrations.slice(0, names.indexOf(next))) {
      await database.pool.query(text)
      await database.pool.query('insert into migration (name, hash) values ($1, $2)', [name, hash])
    }
  }

  test('upgrades a database of an older version', async () => {
    await migrateNow()
    const whole = await columns()
    await migrateUntil(names.at(-1) ?? '')
    expect(await migrateNow()).toEqual(names.slice(-1))
    expect(await columns()).toEqual(whole)
  })

  test('rolls back all pending migrations if one fails', async () => {
    await emptyDatabase()
    // The last table that the migrations create exists already.
    const texts = migrations.map(({ text }) => text)
    const taken = [...texts.join('').matchAll(/create table "?(\w+)/gi)].at(-1)?.[1] ?? ''
    await database.pool.query(`create table ${taken} ()`)
    await expect(migrateNow()).rejects.toThrow(`relation "${taken}" already exists`)
    expect(await tables()).toEqual([taken])
    await database.pool.query(`drop table ${taken}`)
    expect(await migrateNow()).toEqual(names)
  })

  // The migrations change existing rows with SQL that both databases run in the same way.
  if (kind === 'embedded') return

  test('removes retired scopes from API keys and leaves the other scopes [DOC-2]', async () => {
    await migrateUntil('0007_unbuilt.sql')
    const held = {
      all: ['org:manage', 'audit:read', 'audit:write', 'usage:read', 'usage:write', 'webhook:write'],
      records: ['audit:write', 'task:read'],
      nothing: ['webhook:read'],
      present: ['task:write'],
    }
    await database.pool.query(`insert into organization (id, name, created_at)
      values ('01a1de00-0000-7000-8000-000000000000', 'Old', now())`)
    for (const [name, scopes] of Object.entries(held))
      await database.pool.query(
        `insert into api_key (id, organization_id, version, created_at, updated_at, name, prefix, hash, scopes)
         values (gen_random_uuid(), '01a1de00-0000-7000-8000-000000000000', 1, now(), now(), $1, $1, $1, $2)`,
        [name, JSON.stringify(scopes)],
      )
    await migrateNow()
    const { rows } = await database.pool.query<{ name: string; scopes: string[] }>(
      'select name, scopes from api_key',
    )
    expect(Object.fromEntries(rows.map(({ name, scopes }) => [name, scopes]))).toEqual({
      all: ['org:manage', 'audit:read'],
      records: ['audit:read', 'task:read'],
      nothing: [],
      present: ['task:write'],
    })
  })

  test('computes the sums of existing sessions [RT-42]', async () => {
    await migrateUntil('0012_timeline.sql')
    const id = '01a1de00-0000-7000-8000-000000000000'
    const made = `'${id}', '${id}', 1, now(), now()`
    const resource = 'id, organization_id, version, created_at, updated_at'
    const session = `${resource}, agent_id, conversation_id, state, expires_at, setup, usage`
    const fields = `'${id}', 1, now(), now(), '${id}', '${id}', 'consumed', now(), '{}'`
    await database.pool.query(`
      insert into organization (id, name, created_at) values ('${id}', 'Old', now());
      insert into agent (${resource}, name, system_message, tools, tool_secrets, sub_agent_ids)
        values (${made}, 'A', '', '[]', '{}', '[]');
      insert into conversation (${resource}, agent_id, message_count) values (${made}, '${id}', 0);
      insert into realtime_session (${session}, token_hash, started_at)
        values (gen_random_uuid(), ${fields}, '{"responses":2,"totalTokens":70}', 'used', '2030-01-01'),
          (gen_random_uuid(), ${fields}, '{}', 'unused', null)`)
    await migrateNow()
    const { rows } = await database.pool.query(
      'select responses, total_tokens, input_tokens, exchanges from realtime_session_figures',
    )
    expect(rows).toEqual([{ responses: 2, total_tokens: 70, input_tokens: 0, exchanges: 0 }])
  })
})
