import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  bind,
  execute,
  flush,
  parse,
  query,
  RawClient,
  sync,
} from '../../../support/embedded-database/raw-client.js'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../../support/embedded-database/temporary-database.js'

let database: TemporaryDatabase
let pool: pg.Pool

beforeAll(async () => {
  database = await openTemporaryDatabase({ lockTimeoutMilliseconds: 300, idleTransactionMilliseconds: 2_000 })
  pool = database.pool
})

afterAll(() => database.close())

describe('waiting for a transaction on another connection', () => {
  test('fails a query that waits too long for an open transaction, and names the likely cause', async () => {
    const [one, other] = await Promise.all([pool.connect(), pool.connect()])
    await one.query('begin')
    await expect(other.query('select 1')).rejects.toMatchObject({
      code: '55P03',
      hint: expect.stringContaining("without using the transaction's own handle"),
    })
    await expect(other.query('select $1::int', [1])).rejects.toMatchObject({ code: '55P03' })
    await one.query('commit')
    expect((await other.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    one.release()
    other.release()
  })

  test('recovers when a query outside an open transaction is awaited inside it', async () => {
    const client = await pool.connect()
    await client.query('begin')
    await expect(pool.query('select 1')).rejects.toMatchObject({ code: '55P03' })
    await client.query('rollback')
    client.release()
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  })

  test('after waiting too long, skips to Sync as after any error', async () => {
    const [owner, client] = [await RawClient.start(pool), await RawClient.start(pool)]
    owner.stream.write(query('begin'))
    await owner.readTypes()
    client.stream.write(Buffer.concat([parse('', 'select 1'), flush, bind('', ''), execute(''), flush, sync]))
    expect(await client.readTypes()).toBe('E Z(I)')
    owner.stream.write(query('commit'))
    client.stream.write(query('select 1'))
    expect(await client.readTypes()).toBe('T D C Z(I)')
    owner.stream.destroy()
    client.stream.destroy()
  })

  test('ends when its owner does not go on with it', async () => {
    const owner = await RawClient.start(pool)
    owner.stream.write(Buffer.concat([query('begin'), query('create table never (id int)')]))
    await owner.readTypes()
    await owner.readTypes()
    const [error] = await owner.readUntil('E')
    expect(String(error?.body)).toContain('C25P03')
    await expect(pool.query('select * from never')).rejects.toMatchObject({ code: '42P01' })
  })
})
