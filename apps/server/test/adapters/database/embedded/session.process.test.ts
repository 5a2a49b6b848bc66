import { setImmediate as nextPass } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../../support/embedded-database/temporary-database.js'

let database: TemporaryDatabase
let pool: pg.Pool

beforeAll(async () => {
  database = await openTemporaryDatabase()
  pool = database.pool
  await pool.query('create table item (id int primary key, text text)')
})

afterAll(() => database.close())

async function twoClients<T>(use: (one: pg.PoolClient, other: pg.PoolClient) => Promise<T>): Promise<T> {
  const [one, other] = await Promise.all([pool.connect(), pool.connect()])
  try {
    return await use(one, other)
  } finally {
    one.release()
    other.release()
  }
}

describe('one session behind many connections', () => {
  test('keeps apart prepared statements of one name', () =>
    twoClients(async (one, other) => {
      const find = (client: pg.PoolClient, text: string) =>
        client.query<{ answer: number }>({ name: 'find', text, values: [20] })
      for (let round = 0; round < 3; round += 1) {
        const [first, second] = await Promise.all([
          find(one, 'select $1::int + 1 as answer'),
          find(other, 'select $1::int * 2 as answer'),
        ])
        expect([first.rows[0]?.answer, second.rows[0]?.answer]).toEqual([21, 40])
      }
    }))

  test('forgets the prepared statements of a connection that ends', async () => {
    const countStatements = async () => (await pool.query('select 1 from pg_prepared_statements')).rowCount
    const before = await countStatements()
    const client = new pg.Client(pool.options)
    await client.connect()
    await client.query({ name: 'one', text: 'select 1' })
    await client.query({ name: 'two', text: 'select 2' })
    expect(await countStatements()).toBe((before ?? 0) + 2)
    await client.end()
    expect(await countStatements()).toBe(before)
  })

  test('keeps concurrent transactions apart: 120, every 4th rolled back, leave 90 rows', async () => {
    await pool.query('create table entry (id int primary key)')
    async function transact(id: number): Promise<void> {
      const client = await pool.connect()
      try {
        await client.query('begin')
        await client.query('insert into entry values ($1)', [id])
        const { rows } = await client.query<{ count: number }>(
          'select count(*)::int from entry where id = $1',
          [id],
        )
        expect(rows).toEqual([{ count: 1 }])
        await client.query(id % 4 === 0 ? 'rollback' : 'commit')
      } finally {
        client.release()
      }
    }
    await Promise.all(Array.from({ length: 120 }, (_, id) => transact(id)))
    const { rows } = await pool.query(
      'select count(*)::int, count(*) filter (where id % 4 = 0)::int as wrong from entry',
    )
    expect(rows).toEqual([{ count: 90, wrong: 0 }])
  })

  test.each(['active', 'failed'])(
    'rolls back for a connection that vanishes inside a transaction that is %s',
    async (kind) => {
      const stream = pool.options.stream?.()
      if (!stream) throw new Error('The pool has no streams of its own.')
      const client = new pg.Client({ ...pool.options, stream: () => stream })
      client.on('error', () => {})
      await client.connect()
      await client.query('begin')
      await client.query("insert into item values (1, 'lost')")
      if (kind === 'failed') await expect(client.query('select nothing')).rejects.toThrow()
      const waiting = pool.query('select * from item where id = 1')
      stream.destroy()
      expect((await waiting).rows).toEqual([])
    },
  )

  test('rolls back for a connection that ends inside a transaction', async () => {
    const client = await pool.connect()
    await client.query('begin')
    await client.query("insert into item values (2, 'lost')")
    client.release(true)
    expect((await pool.query('select * from item where id = 2')).rows).toEqual([])
  })
})

describe('answers', () => {
  test('carry values of 5 MB, both ways', async () => {
    const text = 'ä'.repeat(2.5 * 1024 * 1024)
    await pool.query('insert into item values ($1, $2)', [5, text])
    const { rows } = await pool.query<{ text: string }>('select text from item where id = 5')
    expect(rows[0]?.text === text).toBe(true)
  })

  test('carry many rows', async () => {
    const { rows } = await pool.query<{ n: number }>(
      "select n, repeat('x', 300) as pad from generate_series(1, 20000) n",
    )
    expect(rows).toHaveLength(20_000)
    expect(rows.reduce((sum, { n }) => sum + n, 0)).toBe((20_000 * 20_001) / 2)
  })

  test('carry error codes, and the connection goes on after them', async () => {
    const client = await pool.connect()
    for (const values of [undefined, [1]]) {
      await expect(
        client.query(`select * from absent ${values ? 'where $1 = 1' : ''}`, values),
      ).rejects.toMatchObject({
        code: '42P01',
        severity: 'ERROR',
      })
      expect((await client.query('select $1::int as one', [1])).rows).toEqual([{ one: 1 }])
    }
    await client.query('begin')
    await expect(client.query('select $1::int / 0', [1])).rejects.toMatchObject({ code: '22012' })
    await expect(client.query('select 1')).rejects.toMatchObject({ code: '25P02' })
    await client.query('rollback')
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    client.release()
  })

  test.each([
    ['COPY FROM STDIN', 'copy item from stdin', '57014'],
    ['endless recursion', 'select deeper(1)', '54001'],
    ['JSON nested too deeply', `select (repeat('[', 100000) || repeat(']', 100000))::jsonb`, '54001'],
  ])('refuse %s, which would end the database', async (_name, text, code) => {
    await pool.query(
      'create or replace function deeper(n int) returns int language plpgsql as $$ begin return deeper(n + 1); end $$',
    )
    await expect(pool.query(text)).rejects.toMatchObject({ code })
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    expect(database.crashes).toEqual([])
  })

  test('[DB-5] leave the event loop free however long they take', async () => {
    let isAnswered = false
    const answer = pool.query('select count(*), sum(n) from generate_series(1, 3000000) n').finally(() => {
      isAnswered = true
    })
    let passes = 0
    for (; !isAnswered; passes += 1) await nextPass()
    await answer
    // A statement that kept the loop would leave it a handful of passes, before and after it.
    expect(passes).toBeGreaterThan(100)
  })
})
