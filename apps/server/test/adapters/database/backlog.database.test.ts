import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databaseKinds } from '../../support/start-service.js'
import { makeAuditRecord } from '../../support/stores/records.js'
import {
  newOrganization,
  openStoreDatabase,
  type StoreDatabase,
} from '../../support/stores/store-database.js'

describe.each(databaseKinds)('the backlog of the %s database', (kind) => {
  let database: StoreDatabase

  beforeAll(async () => {
    database = await openStoreDatabase(kind)
  })
  afterAll(() => database.close())

  test('counts waiting rows in one statement, up to 10 000 of each kind [WATCH-2]', async () => {
    const organizationId = await newOrganization(database)
    const nothing = { webhook_events: 0, webhook_deliveries: 0, turns: 0, task_runs: 0, audit_records: 0 }
    const { audit_records: before } = await database.backlog()
    await database.stores.audit.append(makeAuditRecord(organizationId))
    await database.pool.query(
      `insert into webhook_event (organization_id, type, order_key, data)
       select $1, 'session.started', $2, '{}' from generate_series(1, 10050)`,
      [organizationId, uuid()],
    )
    let statements = 0
    database.observeStatements(() => {
      statements += 1
      return () => undefined
    })
    expect(await database.backlog()).toEqual({
      ...nothing,
      webhook_events: 10_000,
      audit_records: before + 1,
    })
    expect(statements).toBe(1)
  })
})
