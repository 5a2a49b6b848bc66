import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Handle } from '#server/adapters/database/handle.js'
import { given, keepWritten } from '#server/adapters/database/queries/keep.js'
import { executeOn } from '#server/adapters/database/queries/lean-query.js'
import type { Stores } from '#server/ports/database.js'
import { databaseKinds } from '../../support/start-service.js'
import { makeTask } from '../../support/stores/records.js'
import {
  newOrganization,
  openStoreDatabase,
  type StoreDatabase,
} from '../../support/stores/store-database.js'

describe.each(databaseKinds)('what a connection of the %s database knows', (kind) => {
  let database: StoreDatabase
  beforeAll(async () => {
    database = await openStoreDatabase(kind)
  })
  afterAll(() => database.close())

  test('[PERF-8] the rows of a kept statement are described once, and read alike ever after', async () => {
    const client = await database.pool.connect()
    let descriptions = 0
    client.connection.on('rowDescription', () => {
      descriptions += 1
    })
    const handle = new Handle({ query: (config, values) => executeOn(client, config, values) })
    const divide = keepWritten<{ n: number; share: number; isOne: boolean }>(
      'test_shares',
      () => sql`select n, 12 / (n - ${given('forbidden')}::int) as share, n = 1 as "isOne"
        from generate_series(1, ${given('count')}::int) n`,
    )
    const touch = keepWritten('test_touch', () => sql`delete from task where id = ${given('id')}::uuid`)
    expect(await divide(handle, { count: 0, forbidden: 0 })).toEqual([])
    await expect(divide(handle, { count: 2, forbidden: 2 })).rejects.toThrow()
    const rows = [
      { n: 1, share: 12, isOne: true },
      { n: 2, share: 6, isOne: false },
    ]
    expect(await divide(handle, { count: 2, forbidden: 0 })).toEqual(rows)
    expect(await Promise.all([1, 2].map((count) => divide(handle, { count, forbidden: 0 })))).toEqual([
      rows.slice(0, 1),
      rows,
    ])
    const { id } = makeTask(await newOrganization(database))
    for (const _ of rows) expect(await touch(handle, { id })).toEqual([])
    expect(descriptions).toBe(1)
    client.release()
  })

  test('[DB-8] the stores of a transaction lead nowhere once it is over', async () => {
    const organizationId = await newOrganization(database)
    const left: Stores[] = []
    const task = makeTask(organizationId)
    await database.transaction(async (stores) => {
      left.push(stores)
      await stores.tasks.insert(task)
    })
    await expect(left[0]?.tasks.find(organizationId, task.id)).rejects.toThrow()
    expect(await database.stores.tasks.find(organizationId, task.id)).toEqual(task)
  })
})
