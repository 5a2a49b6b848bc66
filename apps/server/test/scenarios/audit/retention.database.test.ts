import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  callerOf,
  seal,
  someChanges,
  verifyChain,
  wholeChain,
  writeRecords,
} from '../../support/audit/audit-fixture.js'
import { defaults } from '../../support/config/environments.js'
import { removeOverdueRows } from '../../support/overdue-rows.js'
import { databaseKinds } from '../../support/start-service.js'
import { openStoreDatabase, type StoreDatabase } from '../../support/stores/store-database.js'

const kept = { ...defaults.retention, auditDays: 30 }
const clockAt = (day: number) => ({ now: () => new Date(Date.UTC(2030, 0, day)) })

describe.each(databaseKinds)('retention of the audit log on the %s database', (kind) => {
  let database: StoreDatabase

  beforeAll(async () => {
    database = await openStoreDatabase(kind)
  })

  afterAll(() => database.close())

  /** Creates a chain with this many records on the first day and five on the twentieth. */
  async function makeChain(count = 60): Promise<string> {
    const organizationId = uuid()
    await writeRecords(database, callerOf(organizationId), someChanges(count), clockAt(1))
    await writeRecords(database, callerOf(organizationId), someChanges(5), clockAt(20))
    await seal(database)
    return organizationId
  }

  const placeAt = async (organizationId: string, sequence: number) => {
    const [record] = await database.stores.audit.readChain(organizationId, {
      after: sequence - 1,
      through: sequence,
    })
    return { sequence, hash: record?.hash ?? '' }
  }

  test('removes old records if the operator sets a limit, and the rest verifies from there [AUD-10]', async () => {
    const organizationId = await makeChain(600)
    const [early, last] = [await placeAt(organizationId, 10), await placeAt(organizationId, 600)]
    const late = await placeAt(organizationId, 605)
    expect(await removeOverdueRows(database, clockAt(400))).toMatchObject({ auditRecords: 0 })
    expect(await removeOverdueRows(database, clockAt(30), kept)).toMatchObject({ auditRecords: 0 })
    // The removal takes two batches, each with its own audit record.
    expect(await removeOverdueRows(database, clockAt(35), kept)).toMatchObject({ auditRecords: 600 })
    await seal(database)
    const found = {
      ...wholeChain(7),
      removedThrough: 600,
      detail: expect.stringContaining('after record 600'),
    }
    expect(await verifyChain(database, organizationId)).toEqual(found)
    const heldHead = async (held: { readonly sequence: number; readonly hash: string }) =>
      (await verifyChain(database, organizationId, held)).heldHead
    expect(await heldHead(early)).toBe('removed')
    expect(await heldHead(last)).toBe('contained')
    expect(await heldHead({ ...last, hash: early.hash })).toBe('missing')
    expect(await heldHead(late)).toBe('contained')
    const wanted = { filter: { action: 'audit.remove' }, sequence: 0, afterId: null, limit: 10 }
    const records = await database.stores.audit.readBeyond(organizationId, wanted)
    expect(records.map(({ detailsText }) => JSON.parse(detailsText))).toMatchObject([
      { removedThrough: 500, count: 500 },
      { removedThrough: 600, count: 100, removedHash: last.hash },
    ])
  })

  test('leaves a chain unchanged that was tampered with [AUD-10]', async () => {
    const [broken, whole] = [await makeChain(), await makeChain()]
    await database.pool.query(
      `update audit_record set action = 'x' where organization_id = $1 and sequence = 10`,
      [broken],
    )
    expect(await removeOverdueRows(database, clockAt(35), kept)).toMatchObject({ auditRecords: 60 })
    expect(await verifyChain(database, broken)).toMatchObject({ brokenSequence: 10, removedThrough: 0 })
    expect(await verifyChain(database, whole)).toMatchObject({ valid: true, removedThrough: 60 })
  })

  test('can run while the chain is verified [AUD-10]', async () => {
    const organizationId = await makeChain()
    const [found] = await Promise.all([
      verifyChain(database, organizationId),
      removeOverdueRows(database, clockAt(35), kept),
    ])
    expect(found).toMatchObject({ valid: true })
  })
})
