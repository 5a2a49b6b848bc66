import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openStoreDatabase, type StoreDatabase } from '../../support/stores/store-database.js'

let database: StoreDatabase

beforeAll(async () => {
  database = await openStoreDatabase('postgres')
})

afterAll(() => database.close())

test('a lease that expires during its renewal counts as lost [RT-44]', async () => {
  const { instanceLeases } = database.stores
  const instanceId = uuid()
  const unbrokenSeconds = 1
  await instanceLeases.renew(instanceId, unbrokenSeconds)
  const hasRunOut = async () => {
    const { rows } = await database.pool.query(
      `select from instance_lease
       where instance_id = $1 and renewed_at + make_interval(secs => $2) < clock_timestamp()`,
      [instanceId, unbrokenSeconds],
    )
    return rows.length === 1
  }
  const client = await database.pool.connect()
  // Until the time is over, nothing can write and everything can read.
  await client.query('begin; lock table instance_lease in share mode')
  const renewing = instanceLeases.renew(instanceId, unbrokenSeconds)
  await vi.waitUntil(hasRunOut, { timeout: 60_000, interval: 50 })
  await client.query('commit')
  client.release()
  expect(await renewing).toBe(false)
})
