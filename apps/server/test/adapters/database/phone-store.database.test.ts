import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import { databaseKinds } from '../../support/start-service.js'
import { makePhoneCall, makePhoneConnection, makePhoneNumber } from '../../support/stores/phone-records.js'
import { newOrganization } from '../../support/stores/store-database.js'
import { useStoreDatabase } from '../../support/stores/use-store-database.js'

describe.each(databaseKinds)('the stores of the telephone on the %s database', (kind) => {
  const kept = useStoreDatabase(kind)
  const at = '2030-01-02T03:04:06.000Z'

  const room = { at, limit: 100, perOrganization: 100, exceptOrganizations: [], lines: [] }

  const queued = (organizationId = kept.organizationId) =>
    makePhoneCall(organizationId, {
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
      [uuid(), uuid()].map((id) => stores.phoneCalls.claimQueued({ ...room, instanceId: id })),
    )
    expect(claims.flat().filter(({ id }) => id === call.id)).toHaveLength(1)
    const claim = () => stores.phoneCalls.claimAudio(call.tokenHash ?? '', uuid(), at)
    expect((await Promise.all([claim(), claim()])).filter((claimed) => claimed !== null)).toHaveLength(1)
  })

  test('let organizations take turns when calls are dialed [TEL-24]', async () => {
    const { stores } = kept
    const newOne = () => newOrganization(kept.database)
    const [many, few, busy] = [await newOne(), await newOne(), await newOne()]
    // Calls of other tests would take a turn too.
    await stores.phoneCalls.claimQueued({ ...room, instanceId: uuid() })
    const calls = [...Array.from({ length: 5 }, () => queued(many)), queued(busy), queued(few), queued(few)]
    for (const call of calls) await stores.phoneCalls.insert(call)
    const claim = async (fields: object) => {
      const claimed = await stores.phoneCalls.claimQueued({ ...room, instanceId: uuid(), ...fields })
      return [many, few, busy].map(
        (id) => claimed.filter(({ organizationId }) => organizationId === id).length,
      )
    }
    const exceptOrganizations = [busy]
    expect(await claim({ exceptOrganizations, limit: 2 })).toEqual([1, 1, 0])
    expect(await claim({ exceptOrganizations, perOrganization: 2 })).toEqual([2, 1, 0])
    expect(await claim({})).toEqual([2, 0, 1])
  })

  test('name the open calls of an instance [TEL-21]', async () => {
    const { organizationId, stores } = kept
    const [instanceId, other] = [uuid(), uuid()]
    const open = { ...queued(), instanceId }
    const moved = { ...queued(), instanceId }
    await stores.phoneCalls.insert(open)
    await stores.phoneCalls.insert(moved)
    await stores.phoneCalls.insert(makePhoneCall(organizationId, { instanceId }))
    await stores.phoneCalls.claimAudio(moved.tokenHash ?? '', other, at)
    expect(await stores.phoneCalls.runningOn(instanceId)).toEqual([open.id])
    expect(await stores.phoneCalls.runningOn(other)).toEqual([moved.id])
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
    // Calls of other tests would be claimed as well.
    await stores.phoneCalls.claimQueued({ ...room, instanceId: other })
    const calls = [queued(), queued()].map((call) => ({ ...call, phoneConnectionId: line.id }))
    for (const call of calls) await stores.phoneCalls.insert(call)
    const claim = async (instanceId: string, lines: readonly string[]) =>
      (await stores.phoneCalls.claimQueued({ ...room, instanceId, limit: 1, lines })).map(({ id }) => id)
    expect(await claim(holder, [])).toEqual([])
    expect(await claim(other, [line.id])).toEqual([])
    expect(await claim(holder, [line.id])).toEqual([calls[0]?.id])
    const end = { reason: 'failed', detail: 'No line.', at } as const
    const close = async (queuedBefore: string) =>
      (
        await stores.phoneCalls.endLost({
          lost: { kind: 'undialed', queuedBefore, isSip: true },
          except: [],
          end,
        })
      )?.id
    expect(await close(calls[1]?.createdAt ?? '')).toBeUndefined()
    expect(await close(at)).toBe(calls[1]?.id)
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

  test('keep the keys to press until the instance of the call takes them, up to a limit [TEL-34]', async () => {
    const { phoneCalls } = kept.stores
    const call = makePhoneCall(kept.organizationId, {
      ...{ state: 'active', endedAt: null, endReason: null, endRequestedAt: null, digitsRequested: null },
    })
    await phoneCalls.insert(call)
    const request = (digits: string, organizationId = kept.organizationId) =>
      phoneCalls.requestDigits(organizationId, call.id, digits, 5)
    expect(await request('1', uuid())).toBe(false)
    expect([await request('12'), await request('3#'), await request('45')]).toEqual([true, true, false])
    const requested = await phoneCalls.requested(call.instanceId ?? '')
    expect(requested.map(({ id }) => id)).toEqual([call.id])
    expect([await phoneCalls.takeDigits(call.id), await phoneCalls.takeDigits(call.id)]).toEqual([
      '123#',
      null,
    ])
    expect(await phoneCalls.requested(call.instanceId ?? '')).toEqual([])
    expect(await request('1')).toBe(true)
    await phoneCalls.end(call.id, { reason: 'stopped', detail: null, at: call.updatedAt }, null)
    expect(await phoneCalls.takeDigits(call.id)).toBeNull()
    expect(await request('1')).toBe(false)
  })

  test('end the open calls of a deleted conversation, and queued ones at once [TEL-7]', async () => {
    const { organizationId, stores } = kept
    const waiting = queued()
    const active = makePhoneCall(organizationId, {
      ...{ state: 'active', endedAt: null, endReason: null, endRequestedAt: null },
      conversationId: waiting.conversationId,
    })
    for (const call of [waiting, active]) await stores.phoneCalls.insert(call)
    await stores.phoneCalls.forgetConversation(waiting.conversationId ?? '', at)
    expect(await stores.phoneCalls.find(organizationId, waiting.id)).toMatchObject({
      ...{ state: 'ended', endReason: 'stopped', endedAt: at },
    })
    expect(await stores.phoneCalls.find(organizationId, active.id)).toMatchObject({
      ...{ state: 'active', endReason: null, endedAt: null, endRequestedAt: at },
    })
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
