import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import { databaseKinds } from '../../support/start-service.js'
import { makePhoneCall, makePhoneConnection, makePhoneNumber } from '../../support/stores/phone-records.js'
import { useStoreDatabase } from '../../support/stores/use-store-database.js'

describe.each(databaseKinds)('the stores of the telephone on the %s database', (kind) => {
  const kept = useStoreDatabase(kind)
  const at = '2030-01-02T03:04:06.000Z'

  const queued = () =>
    makePhoneCall(kept.organizationId, {
      ...{ state: 'queued', endReason: null, endDetail: null, endedAt: null, answeredAt: null },
      ...{ instanceId: null, endRequestedAt: null },
    })

  test('keep every field of a phone connection, a number and a call', async () => {
    const { organizationId, stores } = kept
    const connection = makePhoneConnection(organizationId)
    const number = makePhoneNumber(connection)
    const call = makePhoneCall(organizationId)
    await stores.phoneConnections.insert(connection)
    await stores.phoneNumbers.insert(number)
    expect(await stores.phoneCalls.insert(call)).toBe('written')
    expect(await stores.phoneConnections.find(organizationId, connection.id)).toEqual(connection)
    expect(await stores.phoneNumbers.find(organizationId, number.id)).toEqual(number)
    expect(await stores.phoneCalls.find(organizationId, call.id)).toEqual(call)
    const again = { ...call, id: uuid(), tokenHash: null }
    expect(await stores.phoneCalls.insert(again)).toBe('duplicate')
  })

  test('let one instance dial a queued call, and one socket claim its audio [TEL-10] [TEL-12]', async () => {
    const { stores } = kept
    const call = queued()
    await stores.phoneCalls.insert(call)
    const claims = await Promise.all(
      [uuid(), uuid()].map((id) =>
        stores.phoneCalls.claimQueued({ instanceId: id, at, limit: 100, lines: [] }),
      ),
    )
    expect(claims.flat().filter(({ id }) => id === call.id)).toHaveLength(1)
    const claim = () => stores.phoneCalls.claimAudio(call.tokenHash ?? '', uuid(), at)
    expect((await Promise.all([claim(), claim()])).filter((claimed) => claimed !== null)).toHaveLength(1)
  })

  test('end a queued call at once, and a call only once [TEL-7]', async () => {
    const { organizationId, stores } = kept
    const call = queued()
    await stores.phoneCalls.insert(call)
    expect(await stores.phoneCalls.requestEnd(organizationId, call.id, at)).toBe(1)
    const ended = await stores.phoneCalls.find(organizationId, call.id)
    expect(ended).toMatchObject({ state: 'ended', endReason: 'stopped', endedAt: at })
    const end = { reason: 'failed', detail: null, at } as const
    expect(await stores.phoneCalls.end(call.id, end, null)).toBeNull()
    expect(await stores.phoneCalls.requestEnd(organizationId, call.id, at)).toBe(0)
  })

  test('forget the other party of a deleted conversation, and keep the own number', async () => {
    const { organizationId, stores } = kept
    const call = makePhoneCall(organizationId)
    await stores.phoneCalls.insert(call)
    await stores.phoneCalls.forgetConversation(call.conversationId ?? '', at)
    const found = await stores.phoneCalls.find(organizationId, call.id)
    expect(found).toMatchObject({ from: call.from, to: null, setup: { additionalInstructions: null } })
  })
})
