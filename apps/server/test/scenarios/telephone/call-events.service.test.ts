import type { PhoneCall, Webhook, WebhookDelivery } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { headersOf } from '../../support/http/operation-requests.js'
import { openReadyStream } from '../../support/live/live-reader.js'
import { makePhoneCall } from '../../support/stores/phone-records.js'
import {
  callerNumber,
  ownNumber,
  type PhoneService,
  startPhoneService,
} from '../../support/telephone/phone-service.js'
import { type Receiver, startReceiver } from '../../support/webhooks/receiver.js'

const guest = '+4930654321'
const patiently = { timeout: 30_000, interval: 30 }

/** The service looks for lost calls every two seconds. */
const env = { PARLEY_LEASE_SECONDS: '6' }

let phone: PhoneService
let receiver: Receiver
let webhook: Webhook

beforeAll(async () => {
  receiver = await startReceiver()
  phone = await startPhoneService({ env })
  const body = { name: 'Calls', url: `${receiver.url}/calls`, events: ['call.started', 'call.ended'] }
  webhook = (await phone.client.call<Webhook>('POST', '/api/v1/Webhook', { body })).body
})

afterAll(() => phone.close())

/** Returns the events of a call. Waits for the event of a later call, because deliveries are created in order. */
async function eventsOf({ id }: Pick<PhoneCall, 'id'>) {
  const later = await addOpenCall({ state: 'active' })
  const end = { reason: 'stopped', detail: null, at: new Date().toISOString() } as const
  await phone.service.database.stores.phoneCalls.end(later, end, null)
  return vi.waitFor(async () => {
    const path = `/api/v1/Webhook/${webhook.id}/delivery?Limit=200`
    const { items } = (await phone.client.call<{ items: WebhookDelivery[] }>('GET', path)).body
    const events = items.map(({ body }) => JSON.parse(body ?? '{}'))
    expect(events.filter(({ data }) => data.id === later)).toHaveLength(1)
    return events
      .filter(({ data }) => data.id === id)
      .map(({ type, data }) => ({ type, ...data }))
      .reverse()
  }, patiently)
}

/** Adds a call of this service's organization that has not ended. No instance runs it. */
async function addOpenCall(fields: Parameters<typeof makePhoneCall>[1]): Promise<string> {
  const call = makePhoneCall(phone.organizationId, {
    ...{ endReason: null, endDetail: null, endedAt: null, answeredAt: null, endRequestedAt: null },
    ...{ agentId: phone.agentId, phoneConnectionId: phone.connection.id, phoneNumberId: phone.number.id },
    ...{ conversationId: null, endUserId: null, realtimeSessionId: null, instanceId: null, tokenHash: null },
    updatedAt: new Date().toISOString(),
    ...fields,
  })
  await phone.service.database.stores.phoneCalls.insert(call)
  return call.id
}

describe('the events of a call', () => {
  test('start and end an incoming call once, with its end user and its duration [TEL-30]', async () => {
    const { stream } = await phone.incoming()
    const live = await openReadyStream(phone.url, headersOf(phone))
    stream.stop()
    const call = await phone.newest({ state: 'ended' })
    expect(await live.waitForChange({ resource: 'PhoneCall', id: call.id })).toMatchObject({
      ...{ endUserId: call.endUserId, externalUserId: callerNumber },
    })
    await live.cut()
    const endUser = { endUserId: call.endUserId, externalUserId: callerNumber }
    expect(await eventsOf(call)).toMatchObject([
      { type: 'call.started', state: 'ringing', endReason: null, seconds: null, ...endUser },
      { type: 'call.ended', endReason: 'hung_up', seconds: call.seconds, from: callerNumber, ...endUser },
    ])
  })

  test('start an outgoing call when it is dialed, and end it with the outcome [TEL-30]', async () => {
    const body = { to: guest, from: ownNumber, externalUserId: 'guest-7' }
    const made = await phone.client.call<PhoneCall>('POST', `/api/v1/Agent/${phone.agentId}/call`, { body })
    const { form } = await phone.twilio.nextCall()
    await phone.twilio.send(form.get('StatusCallback') ?? '', {
      ...{ CallSid: `CA${phone.twilio.calls.length}`, CallStatus: 'busy' },
    })
    await phone.newest({ id: made.body.id, state: 'ended' })
    expect(await eventsOf(made.body)).toMatchObject([
      { type: 'call.started', state: 'ringing', direction: 'outgoing', externalUserId: 'guest-7' },
      { type: 'call.ended', state: 'ended', endReason: 'busy', seconds: null },
    ])
  })

  test('report only the end of a call that was rejected or never dialed [TEL-30]', async () => {
    const path = `/api/v1/PhoneNumber/${phone.number.id}`
    await phone.client.call('PATCH', path, { body: { blockedCallers: [callerNumber] } })
    expect((await phone.ring()).text).toContain('<Reject')
    await phone.client.call('PATCH', path, { body: { blockedCallers: [] } })
    const rejected = await phone.newest({ endReason: 'rejected' })
    expect(await eventsOf(rejected)).toMatchObject([{ type: 'call.ended', endReason: 'rejected' }])

    const queued = await phone.service.database.transaction(async (stores) => {
      const call = makePhoneCall(phone.organizationId, {
        ...{ state: 'queued', endReason: null, endDetail: null, endedAt: null, endRequestedAt: null },
        ...{ agentId: phone.agentId, phoneConnectionId: phone.connection.id, conversationId: null },
      })
      await stores.phoneCalls.insert(call)
      await stores.phoneCalls.requestEnd(phone.organizationId, call.id, new Date().toISOString())
      return call
    })
    expect(await eventsOf(queued)).toMatchObject([{ type: 'call.ended', endReason: 'stopped' }])
  })

  test('report the end of a call whose instance has died [TEL-30]', async () => {
    const id = await addOpenCall({ state: 'active', instanceId: uuid() })
    await vi.waitFor(async () => {
      const { body } = await phone.client.call<PhoneCall>('GET', `/api/v1/PhoneCall/${id}`)
      expect(body).toMatchObject({ state: 'ended', endReason: 'failed' })
    }, patiently)
    expect(await eventsOf({ id })).toMatchObject([{ type: 'call.ended', endReason: 'failed' }])
  })

  test('are forgotten with the end user, also those of rejected calls [TEL-30] [USR-14]', async () => {
    const { stream } = await phone.incoming()
    stream.stop()
    const { endUserId, ...call } = await phone.newest({ state: 'ended' })
    await eventsOf(call)
    const deliveries = async () =>
      (await phone.client.call('GET', `/api/v1/Webhook/${webhook.id}/delivery?Limit=200`)).text
    expect(await deliveries()).toContain(callerNumber)
    await phone.client.call('DELETE', `/api/v1/EndUser/${endUserId}`)
    await vi.waitFor(async () => {
      expect((await phone.client.call('GET', '/api/v1/PhoneCall?Limit=200')).text).not.toContain(callerNumber)
      expect(await deliveries()).not.toContain(callerNumber)
    }, patiently)
  })
})
