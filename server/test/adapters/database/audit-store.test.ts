import { v7 as uuid } from 'uuid'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AuditStore, StoredAuditRecord } from '#server/ports/audit-store.js'
import { databaseKinds } from '../../support/start-service.js'
import { makeAuditRecord } from '../../support/stores/records.js'
import {
  newOrganization,
  type StoreDatabase,
  sharedStoreDatabase,
} from '../../support/stores/store-database.js'

const firstPage = { offset: 0, limit: 50 }
const idsOf = (records: readonly StoredAuditRecord[]) => records.map(({ id }) => id)

describe.each(databaseKinds)('[DB-1] the audit store on the %s database', (kind) => {
  let database: StoreDatabase
  let audit: AuditStore
  let organizationId: string

  beforeAll(async () => {
    database = await sharedStoreDatabase(kind)
    audit = database.stores.audit
  })

  beforeEach(async () => {
    organizationId = await newOrganization(database)
  })

  async function append(...fields: readonly Partial<StoredAuditRecord>[]): Promise<StoredAuditRecord[]> {
    const records = fields.map((some) => makeAuditRecord(organizationId, some))
    for (const record of records) await audit.append(record)
    return records
  }

  test('keeps every field as it was, the order of keys too', async () => {
    const [record] = await append({})
    const anonymous = { actor: { type: 'system', id: null, name: null }, resourceType: null } as const
    await append({ ...anonymous, resourceId: null, ipAddress: null, requestId: null, details: {} })
    const { items, totalCount } = await audit.list(organizationId, {}, firstPage)
    expect(totalCount).toBe(2)
    expect(items[1]).toStrictEqual(record)
    expect(JSON.stringify(items[1]?.details)).toBe(JSON.stringify(record?.details))
    expect(items[0]).toMatchObject({ ...anonymous, resourceId: null, ipAddress: null, requestId: null })
  })

  test('lists newest first and reads on oldest first, page by page, within the organization', async () => {
    const ids = idsOf(await append({}, {}, {}, {}, {}))
    await audit.append(makeAuditRecord(await newOrganization(database)))
    const page = await audit.list(organizationId, {}, { offset: 1, limit: 2 })
    expect(idsOf(page.items)).toEqual([ids[3], ids[2]])
    expect(page.totalCount).toBe(5)
    const [, , third = ''] = ids
    expect(idsOf(await audit.readAfter(organizationId, {}, null, 2))).toEqual(ids.slice(0, 2))
    expect(idsOf(await audit.readAfter(organizationId, {}, third, 50))).toEqual(ids.slice(3))
    expect(await audit.readAfter(organizationId, {}, ids.at(-1) ?? '', 50)).toEqual([])
  })

  test('filters alike in both directions', async () => {
    const [early, middle, late] = await append(
      { at: '2030-01-01T00:00:00.000Z', action: 'agent.update', resourceType: 'Agent' },
      { at: '2030-01-01T00:00:00.001Z', actor: { type: 'agent', id: 'someone', name: null } },
      { at: '2030-01-01T00:00:00.002Z' },
    )
    const expected = [
      [{}, [early, middle, late]],
      [{ from: '2030-01-01T00:00:00.001Z' }, [middle, late]],
      [{ to: '2030-01-01T00:00:00.001Z' }, [early]],
      [{ from: '2030-01-01T02:00:00.001+02:00', to: '2030-01-01T00:00:00.002Z' }, [middle]],
      [{ action: 'agent.update' }, [early]],
      [{ action: 'agent' }, []],
      [{ actorId: 'someone' }, [middle]],
      [{ resourceType: 'Task' }, [middle, late]],
      [{ resourceType: 'Task', actorId: 'key' }, [late]],
    ] as const
    for (const [filter, records] of expected) {
      expect(await audit.readAfter(organizationId, filter, null, 50)).toEqual(records)
      const { items, totalCount } = await audit.list(organizationId, filter, firstPage)
      expect(items).toEqual(records.toReversed())
      expect(totalCount).toBe(records.length)
    }
  })

  test('seals records: they leave the waiting ones, stand in the chain, and the head is the last of them', async () => {
    const [first, second, third] = idsOf(await append({}, {}, {}))
    expect(await audit.findHead(organizationId)).toBeNull()
    expect(await audit.organizationsToSeal()).toContain(organizationId)
    expect(idsOf(await audit.unsealed(organizationId, 2))).toEqual([first, second])
    expect(await audit.countUnsealed(organizationId)).toBe(3)

    const seals = [
      { id: first ?? '', sequence: 1, hash: 'one' },
      { id: second ?? '', sequence: 2, hash: 'two' },
    ]
    await database.transaction(async (stores) => {
      expect(await stores.audit.lockHead(organizationId)).toMatchObject({ sequence: 0, hash: '' })
      await stores.audit.seal(organizationId, seals)
    })
    expect(await audit.findHead(organizationId)).toMatchObject({ sequence: 2, hash: 'two' })
    expect(idsOf(await audit.unsealed(organizationId, 50))).toEqual([third])
    expect(await audit.readSealedAfter(organizationId, 0, 50)).toMatchObject(seals)
    expect(await audit.readSealedAfter(organizationId, 1, 50)).toMatchObject(seals.slice(1))
    expect(await audit.readSealedAfter(organizationId, 0, 1)).toMatchObject(seals.slice(0, 1))
    expect(await audit.readSealedAfter(uuid(), 0, 50)).toEqual([])

    await audit.seal(organizationId, [])
    expect(await audit.findHead(organizationId)).toMatchObject({ sequence: 2, hash: 'two' })
    await audit.seal(organizationId, [{ id: third ?? '', sequence: 3, hash: 'three' }])
    expect(await audit.organizationsToSeal()).not.toContain(organizationId)
    expect(await audit.countUnsealed(organizationId)).toBe(0)
  })

  test('gives one place in the chain once', async () => {
    const [first = '', second = ''] = idsOf(await append({}, {}))
    await audit.seal(organizationId, [{ id: first, sequence: 1, hash: 'one' }])
    const again = database.transaction(async (stores) => {
      await stores.audit.lockHead(organizationId)
      await stores.audit.seal(organizationId, [{ id: second, sequence: 1, hash: 'two' }])
    })
    await expect(again).rejects.toThrow()
    expect(await audit.countUnsealed(organizationId)).toBe(1)
  })

  test('lets sealers take turns at the head', async () => {
    await append(...Array.from({ length: 6 }, () => ({})))
    const sealNext = () =>
      database.transaction(async (stores) => {
        const head = await stores.audit.lockHead(organizationId)
        const [record] = await stores.audit.unsealed(organizationId, 1)
        const sequence = head.sequence + 1
        if (record)
          await stores.audit.seal(organizationId, [{ id: record.id, sequence, hash: `${sequence}` }])
      })
    await Promise.all(Array.from({ length: 6 }, sealNext))
    const sealed = await audit.readSealedAfter(organizationId, 0, 50)
    expect(sealed.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6])
    expect(await audit.findHead(organizationId)).toMatchObject({ sequence: 6, hash: '6' })
  })
})
