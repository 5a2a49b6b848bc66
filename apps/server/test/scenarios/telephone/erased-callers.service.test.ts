import type { EndUser, Page, PhoneCall, Task, Usage } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { postgresTablesWith } from '../../support/end-users/stored-text.js'
import { send } from '../../support/http/send.js'
import {
  callerNumber,
  createIn,
  ownNumber,
  type SipService,
  startSipService,
} from '../../support/telephone/sip-service.js'

const guest = '+4930654321'
const patiently = { timeout: 30_000, interval: 50 }

let sip: SipService

beforeAll(async () => {
  sip = await startSipService({ onCall: (leg) => leg.ring() })
})

afterAll(() => sip.close())

const endUserOf = async (externalId: string) => {
  const path = `/api/v1/EndUser?ExternalId=${encodeURIComponent(externalId)}`
  return (await sip.client.call<Page<EndUser>>('GET', path)).body.items[0]
}

async function erase(externalId: string): Promise<void> {
  const path = `/api/v1/EndUser/${(await endUserOf(externalId))?.id}`
  expect((await sip.client.call('DELETE', path)).status).toBe(202)
  await expect.poll(async () => (await sip.client.call('GET', path)).status, patiently).toBe(404)
}

const callOut = (fields: object = {}) =>
  createIn<PhoneCall>(sip, `Agent/${sip.agentId}/call`, { to: guest, from: ownNumber, ...fields })

const statusOf = async ({ id }: Pick<PhoneCall, 'id'>) =>
  (await sip.client.call('GET', `/api/v1/PhoneCall/${id}`)).status

describe('the erasure of an end user', () => {
  test('ends an answered call and waits for its usage [USR-14] [TEL-31]', async () => {
    const { call, row } = await sip.incoming()
    await erase(callerNumber)
    await call.untilEnded()
    expect(await statusOf(row)).toBe(404)
    const { body } = await sip.client.call<Usage>('GET', '/api/v1/Usage?Channel=telephone')
    expect(body.totals.audioSeconds).toBeGreaterThan(0)
  })

  test('cancels a call that rings, and removes its row afterwards [USR-14]', async () => {
    const row = await callOut({ externalUserId: 'guest-4711' })
    const ringing = await sip.peer.nextCall()
    await sip.newest({ id: row.id, state: 'ringing', providerCallId: expect.any(String) })
    await erase('guest-4711')
    // Sooner than the time for which the service lets a call ring.
    await expect.poll(() => ringing.end, patiently).toMatchObject({ kind: 'cancelled' })
    expect(await statusOf(row)).toBe(404)
  })

  test('finds rejected calls of the number in its metadata [USR-15]', async () => {
    const number = '+4930555444'
    const user = 'guest-with-a-number'
    const block = (blockedCallers: readonly string[]) =>
      sip.client.call('PATCH', `/api/v1/PhoneNumber/${sip.number.id}`, { body: { blockedCallers } })
    await createIn(sip, `Agent/${sip.agentId}/realtime-session`, { externalUserId: user })
    const path = `/api/v1/EndUser/${(await endUserOf(user))?.id}`
    await sip.client.call('PATCH', path, { body: { metadata: { phoneNumber: number } } })
    await block([number])
    await sip.callIn(ownNumber, number).untilEnded()
    const rejected = await sip.newest({ from: number, state: 'ended', endReason: 'rejected' })
    await block([])
    await erase(user)
    expect(await statusOf(rejected)).toBe(404)
    expect(await postgresTablesWith(sip.databaseUrl ?? '', number.slice(1))).toEqual([])
  })

  test('finds calls and tasks to the number that name no end user [USR-15]', async () => {
    const task = { title: 'Call later.', agentId: sip.agentId, channel: 'telephone', from: ownNumber }
    const planned = await createIn<Task>(sip, 'Task', { ...task, to: guest, runAt: '2099-01-01T00:00:00Z' })
    const other = await createIn<Task>(sip, 'Task', { ...task, to: '+4930654322' })
    const anonymous = await callOut()
    const ringing = await sip.peer.nextCall()
    ringing.leg?.reject(486)
    await sip.newest({ id: anonymous.id, state: 'ended', endUserId: null })
    await createIn(sip, `Agent/${sip.agentId}/realtime-session`, { externalUserId: guest })
    const exported = await send(sip.url, {
      ...{ method: 'GET', path: `/api/v1/EndUser/${(await endUserOf(guest))?.id}/export` },
      headers: { 'x-api-key': sip.apiKey, 'x-org-id': sip.organizationId },
    })
    for (const { id } of [planned, anonymous]) expect(exported.text).toContain(id)
    await erase(guest)
    expect(await statusOf(anonymous)).toBe(404)
    expect(await postgresTablesWith(sip.databaseUrl ?? '', guest.slice(1))).toEqual([])
    expect((await sip.client.call('GET', `/api/v1/Task/${other.id}`)).status).toBe(200)
  })
})
