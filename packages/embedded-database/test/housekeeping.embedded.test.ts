import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openTemporaryDatabase, type TemporaryDatabase } from './support/temporary-database.js'

let database: TemporaryDatabase

beforeAll(async () => {
  database = await openTemporaryDatabase({ housekeepingMilliseconds: 20 })
  await database.pool.query('create table item (id int primary key, text text)')
})

afterAll(() => database.close())

/** Returns the single value of a query's result. */
async function value(expression: string, source: string): Promise<unknown> {
  const { rows } = await database.pool.query<{ value: unknown }>(
    `select ${expression} as value from ${source}`,
  )
  return rows[0]?.value
}

const soon = { timeout: 60_000, interval: 20 }

describe('Housekeeping', () => {
  test('makes checkpoints, so that the log does not grow without end', async () => {
    const redo = () => value('redo_lsn', 'pg_control_checkpoint()')
    const before = await redo()
    await database.pool.query("insert into item select n, repeat('x', 400) from generate_series(1, 80000) n")
    await vi.waitFor(async () => expect(await redo()).not.toBe(before), soon)
    expect(Number(await value('sum(size)', 'pg_ls_waldir()'))).toBeLessThan(100 * 1024 * 1024)
  })

  test('vacuums and analyzes tables with many changes', async () => {
    const counts = "pg_class join pg_stat_all_tables on relid = oid where relid = 'item'::regclass"
    await database.pool.query('delete from item where id % 2 = 0')
    await vi.waitFor(
      // PostgreSQL estimates the number of rows from a sample.
      async () =>
        expect(await value('array[round(reltuples / 1000), n_dead_tup]::int[]', counts)).toEqual([40, 0]),
      soon,
    )
  })

  test('reaches tables with few changes, even if the statistics are large', async () => {
    const columns = Array.from({ length: 100 }, (_, number) => `c${number} int default ${number}`)
    await database.pool.query(`create table wide (${columns.join(', ')})`)
    await database.pool.query('insert into wide select from generate_series(1, 10)')
    for (let time = 0; time < 3; time += 1) await database.pool.query('analyze wide')
    await database.pool.query('create table little as select from generate_series(1, 60)')
    const little = "pg_stat_all_tables where relid = 'little'::regclass"
    await vi.waitFor(async () => expect(await value('analyze_count::int', little)).toBe(1), soon)
  })

  test('vacuums a large table in small parts, so that other queries need not wait', async () => {
    const dead = "pg_stat_all_tables where relid = 'item'::regclass"
    const vacuums = Number(await value('vacuum_count::int', dead))
    await database.pool.query('delete from item where id <= 4400')
    await vi.waitFor(
      async () => expect(await value('vacuum_count::int', dead)).toBeGreaterThan(vacuums),
      soon,
    )
    await database.pool.query("insert into item select n, '' from generate_series(1, 4400) n where n % 2 = 1")
  })

  test('vacuums TOAST tables only if they have dead rows', async () => {
    await database.pool.query('create table long (id int primary key, text text)')
    await database.pool.query('alter table long alter text set storage external')
    await database.pool.query("insert into long select n, repeat('x', 20000) from generate_series(1, 100) n")
    const long = "pg_stat_all_tables where relid = 'long'::regclass"
    const apart =
      "pg_stat_all_tables where relid = (select reltoastrelid from pg_class where oid = 'long'::regclass)"
    await vi.waitFor(async () => expect(await value('analyze_count::int', long)).toBe(1), soon)
    expect(await value('vacuum_count::int', apart)).toBe(0)
    await database.pool.query('delete from long where id > 10')
    await vi.waitFor(async () => expect(await value('vacuum_count::int', apart)).toBe(1), soon)
  })

  test('does not touch open transactions', async () => {
    const client = await database.pool.connect()
    await client.query('begin')
    await client.query('update item set text = $1', [''])
    for (let turn = 0; turn < 20; turn += 1) await client.query('select pg_sleep(0.01)')
    await client.query('commit')
    client.release()
    expect(await value('count(*)::int', "item where text = ''")).toBe(40_000)
    expect(database.crashes).toEqual([])
  })
})
