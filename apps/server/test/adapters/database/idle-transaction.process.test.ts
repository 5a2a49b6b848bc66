import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbeddedDatabase } from '@parley/embedded-database'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inTransaction } from '#server/adapters/database/transaction.js'

type Embedded = Awaited<ReturnType<typeof openEmbeddedDatabase>>

let dataDir: string
let database: Embedded

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parley-idle-'))
  const onCrash = (error: Error) => {
    throw error
  }
  database = await openEmbeddedDatabase({ dataDir, onCrash }, { idleTransactionMilliseconds: 500 })
  await database.pool.query('create table item (id int)')
})

afterAll(async () => {
  await database.close()
  await rm(dataDir, { recursive: true, force: true })
})

describe('a transaction on the embedded database', () => {
  test('is rolled back if it waits too long for something other than a statement [DB-10]', async () => {
    const stuck = inTransaction(database.pool, async (transaction) => {
      await transaction.execute({ text: 'insert into item values (1)' }, [])
      await new Promise(() => undefined)
    })
    await expect(stuck).rejects.toMatchObject({ code: '25P03' })
    expect((await database.pool.query('select * from item')).rows).toEqual([])
  })

  test('is not rolled back while a statement runs', async () => {
    const { rows } = await inTransaction(database.pool, (transaction) =>
      transaction.execute({ text: 'select pg_sleep(1.2), 2 as two' }, []),
    )
    expect(rows).toMatchObject([{ two: 2 }])
  })

  test('is not rolled back while statements outside drizzle run', async () => {
    await inTransaction(database.pool, async (transaction) => {
      await transaction.execute({ text: 'insert into item values (2)' }, [])
      await transaction.withClient(async (client) => {
        await client.query('select pg_sleep(0.4)')
        await client.query('select pg_sleep(0.4)')
      })
    })
    expect((await database.pool.query('select id from item')).rows).toEqual([{ id: 2 }])
  })
})
