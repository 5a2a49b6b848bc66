import { setImmediate as nextPass } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OneConnectionPool } from '#embedded-database/one-connection-pool.js'
import { openTemporaryDatabase, type TemporaryDatabase } from './support/temporary-database.js'

let database: TemporaryDatabase
let pool: OneConnectionPool

beforeAll(async () => {
  database = await openTemporaryDatabase({ waitMilliseconds: 3000 })
  pool = database.pool
  await pool.query('select 1')
})

afterAll(() => database.close())

const secondConnection = { name: 'SecondConnection', message: expect.stringContaining('one connection') }

describe('The pool of one connection', () => {
  test('rejects a query that waits too long for an open transaction, and works afterwards', async () => {
    const owner = await pool.connect()
    await owner.query('begin')
    await expect(pool.query('select 1')).rejects.toMatchObject({ code: '55P03' })
    await expect(pool.connect()).rejects.toMatchObject({ code: '55P03' })
    await owner.query('commit')
    owner.release()
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  })

  test('rejects at once a query on the pool inside the work of a transaction [DB-9]', async () => {
    const client = await pool.connect()
    await pool.inside(async () => {
      await client.query('begin')
      await expect(pool.query('select 1')).rejects.toMatchObject(secondConnection)
      await expect(pool.connect()).rejects.toMatchObject(secondConnection)
      await nextPass()
      await expect(Promise.all([pool.query('select 1')])).rejects.toMatchObject(secondConnection)
      await client.query('commit')
    })
    client.release()
  })

  test('lets other callers wait, and also later work that the transaction started', async () => {
    const client = await pool.connect()
    const beside = pool.query('select 1 as one')
    let later = Promise.resolve()
    let end = () => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    await pool.inside(async () => {
      later = ended.then(async () => void (await pool.query('select 2')))
    })
    client.release()
    end()
    expect((await beside).rows).toEqual([{ one: 1 }])
    await later
  })
})
