import { v7 as uuid } from 'uuid'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { beginning } from '#server/domain/audit/chain-head.js'
import type { AuditStore, StoredAuditRecord } from '#server/ports/audit-store.js'
import { testSigning } from '../../support/audit/chain-secrets.js'
import { databaseKinds } from '../../support/start-service.js'
import { makeAuditRecord } from '../../support/stores/records.js'
import {
  newOrganization,
  type StoreDatabase,
  sharedStoreDatabase,
} from '../../support/stores/store-database.js'

/** The seal of a record without its position. */
const sealedFields = { keyId: 'a key', sealedAt: '2030-01-01T00:00:01.000Z', sealProof: 'proof' }
const { keyId } = sealedFields
const firstPage = { offset: 0, limit: 50 }
const idsOf = (records: readonly { readonly id: string }[]) => records.map(({ id }) => id)

describe.each(databaseKinds)('the audit store on the %s database [DB-1]', (kind) => {
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
    const records = fields.map((some) => {
      const record = makeAuditRecord(organizationId, some)
      return { ...record, signature: testSigning.sign(record) }
    })
    for (const record of records) await audit.append(record)
    return records
  }

  test('stores every field unchanged, including the order of keys', async () => {
    const [record] = await append({})
    const anonymous = { actor: { type: 'system', id: null, name: null }, resourceType: null } as const
    await append({ ...anonymous, resourceId: null, ipAddress: null, requestId: null, details: {} })
    const { items, totalCount } = await audit.list(organizationId, {}, firstPage)
    expect(totalCount).toBe(2)
    expect(items[1]).toStrictEqual(record)
    expect(JSON.stringify(items[1]?.details)).toBe(JSON.stringify(record?.details))
    expect(items[0]).toMatchObject({ ...anonymous, resourceId: null, ipAddress: null, requestId: null })
  })

  test('lists newest first and reads oldest first, page by page, within the organization', async () => {
    const ids = idsOf(await append({}, {}, {}, {}, {}))
    await audit.append(makeAuditRecord(await newOrganization(database)))
    const page = await audit.list(organizationId, {}, { offset: 1, limit: 2 })
    expect(idsOf(page.items)).toEqual([ids[3], ids[2]])
    expect(page.totalCount).toBe(5)
    const [, , third = ''] = ids
    const readAfter = (afterId: string | null, limit: number) =>
      audit.readBeyond(organizationId, { filter: {}, sequence: 0, afterId, limit })
    expect(idsOf(await readAfter(null, 2))).toEqual(ids.slice(0, 2))
    expect(idsOf(await readAfter(third, 50))).toEqual(ids.slice(3))
    expect(await readAfter(ids.at(-1) ?? '', 50)).toEqual([])
  })

  test('lists by position in the chain, so that a clock that was ahead hides no later record [AUD-18]', async () => {
    const [ahead, later, unsealed] = await append(
      { id: uuid({ msecs: Date.now() + 400 * 86_400_000 }), at: '2031-02-05T00:00:00.000Z' },
      { at: '2030-01-01T00:00:00.000Z' },
      { at: '2030-01-01T00:00:01.000Z' },
    )
    const [first, second] = [ahead?.id ?? '', later?.id ?? '']
    await audit.seal([
      { ...sealedFields, id: first, sequence: 1, hash: 'one' },
      { ...sealedFields, id: second, sequence: 2, hash: 'two' },
    ])
    const { items } = await audit.list(organizationId, {}, firstPage)
    expect(idsOf(items)).toEqual([unsealed?.id, second, first])
  })

  test('applies the same filters in both directions', async () => {
    const [early, middle, late] = await append(
      { at: '2030-01-01T00:00:00.000Z', action: 'agent.update', resourceType: 'Agent' },
      { at: '2030-01-01T00:00:00.001Z', actor: { type: 'agent', id: 'someone', name: null } },
      { at: '2030-01-01T00:00:00.100Z' },
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
    // Readers do not get the fields that only verify the chain.
    const readable = ({ canonical, organizationId, ...record }: StoredAuditRecord) => record
    for (const [filter, records] of expected) {
      const wanted = { filter, sequence: 0, afterId: null, limit: 50 }
      const read = await audit.readBeyond(organizationId, wanted)
      expect(
        read.map(({ detailsText, ...record }) => ({ ...record, details: JSON.parse(detailsText) })),
      ).toEqual(records.flatMap((record) => record ?? []).map(readable))
      const { items, totalCount } = await audit.list(organizationId, filter, firstPage)
      expect(items).toEqual(records.toReversed())
      expect(totalCount).toBe(records.length)
    }
  })

  test('moves sealed records from the waiting records into the chain and replaces its head', async () => {
    const [first, second, third] = idsOf(await append({}, {}, {}))
    expect(await audit.findHead(organizationId)).toBeNull()
    expect(await audit.organizationsToSeal()).toContain(organizationId)
    expect(idsOf(await audit.unsealed(organizationId, { afterId: null, limit: 2 }))).toEqual([first, second])
    expect(await audit.countUnsealed(organizationId)).toBe(3)

    const seals = [
      { id: first ?? '', sequence: 1, hash: 'one', ...sealedFields },
      { id: second ?? '', sequence: 2, hash: 'two', ...sealedFields },
    ]
    const head = {
      ...beginning,
      sequence: 2,
      hash: 'two',
      sealedAt: '2030-01-01T00:00:00.001Z',
      keyId,
      seal: 's',
    }
    await database.transaction(async (stores) => {
      expect(await stores.audit.lockHead(organizationId)).toEqual(beginning)
      expect(await stores.audit.organizationsNotSealedWith(keyId)).not.toContain(organizationId)
      await stores.audit.seal(seals)
      await stores.audit.replaceHead(organizationId, head)
    })
    expect(await audit.findHead(organizationId)).toEqual(head)
    expect(await audit.organizationsNotSealedWith(keyId)).not.toContain(organizationId)
    expect(await audit.organizationsNotSealedWith('another')).toContain(organizationId)
    expect(idsOf(await audit.unsealed(organizationId, { afterId: null, limit: 50 }))).toEqual([third])
    expect(await audit.readChain(organizationId, { after: 0, through: 50 })).toMatchObject(seals)
    expect(await audit.readChain(organizationId, { after: 1, through: 50 })).toMatchObject(seals.slice(1))
    expect(await audit.readChain(organizationId, { after: 0, through: 1 })).toMatchObject(seals.slice(0, 1))
    expect(await audit.readChain(uuid(), { after: 0, through: 50 })).toEqual([])
    const matching = (resourceType: string) =>
      audit.readMatching(organizationId, { after: 1, through: 50 }, { resourceType })
    expect(await matching('Task')).toMatchObject(seals.slice(1))
    expect(await matching('Agent')).toEqual([])
    expect(await audit.firstPositionAfter(organizationId, 1)).toBe(2)
    expect(await audit.firstPositionAfter(organizationId, 2)).toBe(null)

    await audit.seal([])
    await audit.seal([{ id: third ?? '', sequence: 3, hash: 'three', ...sealedFields }])
    expect(await audit.organizationsToSeal()).not.toContain(organizationId)
    expect(await audit.countUnsealed(organizationId)).toBe(0)
  })

  test('rejects a seal without a key [AUD-7]', async () => {
    const [id] = idsOf(await append({}))
    const bare = `update audit_record set sequence = 1, hash = 'bare' where id = $1`
    await expect(database.pool.query(bare, [id])).rejects.toThrow('audit_record_sealed_with_key')
    expect(await audit.countUnsealed(organizationId)).toBe(1)
  })

  test('assigns each position in the chain once', async () => {
    const [first = '', second = ''] = idsOf(await append({}, {}))
    await audit.seal([{ id: first, sequence: 1, hash: 'one', ...sealedFields }])
    await expect(audit.seal([{ id: second, sequence: 1, hash: 'two', ...sealedFields }])).rejects.toThrow()
    expect(await audit.countUnsealed(organizationId)).toBe(1)
  })

  test('lets sealers lock the head in turn', async () => {
    await append(...Array.from({ length: 6 }, () => ({})))
    const sealNext = () =>
      database.transaction(async (stores) => {
        const head = await stores.audit.lockHead(organizationId)
        const [record] = await stores.audit.unsealed(organizationId, { afterId: null, limit: 1 })
        const next = { sequence: head.sequence + 1, hash: `${head.sequence + 1}` }
        if (record) await stores.audit.seal([{ id: record.id, ...next, ...sealedFields }])
        await stores.audit.replaceHead(organizationId, { ...head, ...next })
      })
    await Promise.all(Array.from({ length: 6 }, sealNext))
    const sealed = await audit.readChain(organizationId, { after: 0, through: 50 })
    expect(sealed.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6])
    expect(await audit.findHead(organizationId)).toMatchObject({ sequence: 6, hash: '6' })
  })

  test('removes the oldest records of a chain and finds the chains that have old records', async () => {
    const [first = '', second = '', third = ''] = idsOf(
      await append({ at: '2030-01-01T00:00:00.001Z' }, { at: '2030-01-01T00:00:00.002Z' }, {}),
    )
    await audit.lockHead(organizationId)
    await audit.seal(
      [first, second, third].map((id, index) => ({
        id,
        sequence: index + 1,
        hash: `${index}`,
        ...sealedFields,
      })),
    )
    const hasBefore = async (moment: string) =>
      (await audit.organizationsWithRecordsBefore(moment)).includes(organizationId)
    expect(await hasBefore('2030-01-01T00:00:00.001Z')).toBe(false)
    expect(await hasBefore('2030-01-01T00:00:00.002Z')).toBe(true)
    await audit.removeThrough(organizationId, 1)
    expect(idsOf(await audit.readChain(organizationId, { after: 0, through: 50 }))).toEqual([second, third])
    expect(await hasBefore('2030-01-01T00:00:00.003Z')).toBe(false)
    await audit.replaceHead(organizationId, {
      ...beginning,
      sequence: 3,
      removedThrough: 1,
      removedHash: '0',
    })
    expect(await hasBefore('2030-01-01T00:00:00.003Z')).toBe(true)
  })

  test('stores each retired key once', async () => {
    const id = uuid()
    await audit.putRetiredKey({ id, sealedKey: 'one' })
    await audit.putRetiredKey({ id, sealedKey: 'two' })
    expect((await audit.retiredKeys()).filter((key) => key.id === id)).toEqual([{ id, sealedKey: 'two' }])
  })
})
