import { setImmediate as nextPass } from 'node:timers/promises'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTemporaryDatabase, type TemporaryDatabase } from './support/temporary-database.js'

let database: TemporaryDatabase
let pool: pg.Pool

beforeAll(async () => {
  database = await openTemporaryDatabase({ waitMilliseconds: 60_000 })
  pool = database.pool
  await pool.query('create table item (id int primary key, text text)')
})

afterAll(() => database.close())

describe('The single connection', () => {
  test('gives a new connection a session without the prepared statements of the previous one', async () => {
    for (const text of ['select 1 as answer', 'select 2 as answer']) {
      const client = await pool.connect()
      const { rows } = await client.query<{ answer: number }>({ name: 'find', text })
      expect(rows).toEqual([{ answer: Number(text[7]) }])
      client.release(true)
    }
    const { rowCount } = await pool.query('select 1 from pg_prepared_statements')
    expect(rowCount).toBe(0)
  })

  test('keeps its prepared statements if a statement fails', async () => {
    const client = await pool.connect()
    const named = { name: 'kept', text: 'select $1::int as n' }
    await client.query(named, [1])
    await expect(client.query('select $1::int / 0', [1])).rejects.toMatchObject({ code: '22012' })
    client.release()
    const again = await pool.connect()
    expect((await again.query(named, [2])).rows).toEqual([{ n: 2 }])
    again.release()
  })

  test('answers named statements that are sent without waiting', async () => {
    const client = await pool.connect()
    const answers = await Promise.all(
      Array.from({ length: 1000 }, (_, n) =>
        client.query<{ n: number }>({ name: `echo ${n % 20}`, text: 'select $1::int as n', values: [n] }),
      ),
    )
    client.release()
    expect(answers.map(({ rows }) => rows[0]?.n)).toEqual(Array.from({ length: 1000 }, (_, n) => n))
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
    'rolls back a transaction that is %s when its connection is lost',
    async (kind) => {
      const client = await pool.connect()
      await client.query('begin')
      await client.query("insert into item values (1, 'lost')")
      if (kind === 'failed') await expect(client.query('select nothing')).rejects.toThrow()
      const waiting = pool.query('select * from item where id = 1')
      const unanswered = client.query('select pg_sleep(0.2)').catch(() => undefined)
      client.release(new Error('The connection is lost.'))
      expect((await waiting).rows).toEqual([])
      await unanswered
    },
  )

  test('rolls back a transaction that is open when its connection ends', async () => {
    const client = await pool.connect()
    await client.query('begin')
    await client.query("insert into item values (2, 'lost')")
    client.release(true)
    expect((await pool.query('select * from item where id = 2')).rows).toEqual([])
  })
})

describe('Answers', () => {
  test('answers carry values of 5 MB, both ways', async () => {
    const text = 'ä'.repeat(2.5 * 1024 * 1024)
    await pool.query('insert into item values ($1, $2)', [5, text])
    const { rows } = await pool.query<{ text: string }>('select text from item where id = 5')
    expect(rows[0]?.text === text).toBe(true)
  })

  test('answers carry many rows', async () => {
    const { rows } = await pool.query<{ n: number }>(
      "select n, repeat('x', 300) as pad from generate_series(1, 20000) n",
    )
    expect(rows).toHaveLength(20_000)
    expect(rows.reduce((sum, { n }) => sum + n, 0)).toBe((20_000 * 20_001) / 2)
  })

  test('answers carry error codes, and the connection stays usable', async () => {
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
  ])('rejects %s, which would end the database', async (_name, text, code) => {
    await pool.query(
      'create or replace function deeper(n int) returns int language plpgsql as $$ begin return deeper(n + 1); end $$',
    )
    await expect(pool.query(text)).rejects.toMatchObject({ code })
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    expect(database.crashes).toEqual([])
  })

  test.each([0, 20])(
    'queries are answered %i event loop passes after a rejected COPY FROM STDIN, even if the CopyFail of pg arrives alone',
    async (passes) => {
      await expect(pool.query('copy item from stdin')).rejects.toMatchObject({ code: '57014' })
      for (let pass = 0; pass < passes; pass += 1) await nextPass()
      expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
      expect(database.crashes).toEqual([])
    },
  )

  test('rejects COPY FROM STDIN as a prepared statement, too', async () => {
    await expect(pool.query({ name: 'copy', text: 'copy item from stdin' })).rejects.toMatchObject({
      code: '57014',
    })
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  })

  test('statements keep the event loop free, however long they take [DB-5]', async () => {
    let isAnswered = false
    const answer = pool.query('select count(*), sum(n) from generate_series(1, 3000000) n').finally(() => {
      isAnswered = true
    })
    let passes = 0
    for (; !isAnswered; passes += 1) await nextPass()
    await answer
    // A statement that blocked the loop would allow only the few passes before and after it.
    expect(passes).toBeGreaterThan(100)
  })
})
