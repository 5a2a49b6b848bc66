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

  test('let one live instance claim a SIP line, and another one when it is dead [SIP-1]', async () => {
    const { organizationId, stores } = kept
    const blank = makePhoneConnection(organizationId)
    const lines = [true, true, false].map((isEnabled) => ({
      ...{ ...blank, id: uuid(), externalId: null, kind: 'sip' as const, isEnabled, lineInstanceId: null },
    }))
    const [free, held, disabled] = lines
    for (const line of lines) await stores.phoneConnections.insert(line)
    const [one, other, dead] = [uuid(), uuid(), uuid()]
    for (const id of [one, other]) await stores.instanceLeases.renew(id, 10)
    const claim = (instanceId: string, limit = 100) =>
      stores.phoneConnections.claimLines({ instanceId, leaseSeconds: 15, limit })
    const idsOf = async (instanceId: string) =>
      (await stores.phoneConnections.linesOf(instanceId)).map(({ id }) => id).sort()

    await claim(dead)
    expect(await idsOf(dead)).toEqual([])
    await Promise.all([claim(one), claim(other)])
    const claimed = await Promise.all([idsOf(one), idsOf(other)])
    expect(claimed.flat().sort()).toEqual([free?.id, held?.id].sort())
    expect(claimed.flat()).not.toContain(disabled?.id)
    // A claim does not change the version of the phone connection.
    const row = await stores.phoneConnections.find(organizationId, free?.id ?? '')
    expect(row).toMatchObject({ version: 1, updatedAt: blank.updatedAt })

    await stores.phoneConnections.releaseLines(other, null)
    await claim(one)
    expect(await idsOf(one)).toHaveLength(2)
    await claim(other)
    expect(await idsOf(other)).toEqual([])
    await stores.instanceLeases.release(one)
    await claim(other, 1)
    expect(await idsOf(other)).toHaveLength(1)
    await claim(other)
    expect(await idsOf(other)).toHaveLength(2)
    await stores.phoneConnections.releaseLines(other, [free?.id ?? ''])
    expect(await idsOf(other)).toEqual([held?.id])
    await stores.phoneConnections.releaseLines(other, null)
  })

  test('let only the instance with the line dial a SIP call, and end it if none does [SIP-9]', async () => {
    const { organizationId, stores } = kept
    const [holder, other] = [uuid(), uuid()]
    const line = { ...makePhoneConnection(organizationId), kind: 'sip' as const, lineInstanceId: holder }
    await stores.phoneConnections.insert({ ...line, externalId: null })
    const calls = [queued(), queued()].map((call) => ({ ...call, phoneConnectionId: line.id }))
    for (const call of calls) await stores.phoneCalls.insert(call)
    const claim = async (instanceId: string, lines: readonly string[]) =>
      (await stores.phoneCalls.claimQueued({ instanceId, at, limit: 1, lines })).map(({ id }) => id)
    expect(await claim(holder, [])).toEqual([])
    expect(await claim(other, [line.id])).toEqual([])
    expect(await claim(holder, [line.id])).toEqual([calls[0]?.id])
    const end = { reason: 'failed', detail: 'No line.', at } as const
    const close = async (queuedBefore: string) =>
      (await stores.phoneCalls.closeUndialed({ queuedBefore, end })).map(({ id }) => id)
    expect(await close(calls[1]?.createdAt ?? '')).toEqual([])
    expect(await close(at)).toEqual([calls[1]?.id])
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
