import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databaseKinds } from '../../support/start-service.js'
import { makeTask } from '../../support/stores/records.js'
import {
  makeGate,
  newOrganization,
  openStoreDatabase,
  type StoreDatabase,
} from '../../support/stores/store-database.js'

describe.each(databaseKinds)('the database slots of one organization on the %s database [BND-13]', (kind) => {
  let database: StoreDatabase
  beforeAll(async () => {
    database = await openStoreDatabase(kind)
  })
  afterAll(() => database.close())

  test('makes statements and transactions wait for a slot, but not those of another organization', async () => {
    const [busy, other] = [await newOrganization(database), await newOrganization(database)]
    const owned = database.ownedBy({ organizationId: busy, kind: 'call' })
    const gate = makeGate()
    const done: string[] = []
    const held = Array.from({ length: database.pool.options.max }, () =>
      database.runFairly({ organizationId: busy, kind: 'log' }, () => gate.opened),
    )
    const task = makeTask(busy)
    const waiting = [
      owned.transaction(({ tasks }) => tasks.insert(task)).then(() => done.push('transaction')),
      owned.stores.tasks.find(busy, task.id).then(() => done.push('statement')),
    ]
    const others = database.ownedBy({ organizationId: other, kind: 'call' })
    const otherTask = makeTask(other)
    await others.transaction(({ tasks }) => tasks.insert(otherTask))
    expect(await others.stores.tasks.find(other, otherTask.id)).toMatchObject({ id: otherTask.id })
    expect(done).toEqual([])
    gate.open()
    await Promise.all([...held, ...waiting])
    expect(done.toSorted()).toEqual(['statement', 'transaction'])
    expect(await owned.stores.tasks.find(busy, task.id)).toMatchObject({ id: task.id })
  })
})
