import type { PhoneCall } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { ownNumber, type PhoneService, startPhoneService } from '../../support/telephone/phone-service.js'

const guest = '+4930654321'
const patiently = { timeout: 8000, interval: 20 }

let phone: PhoneService

beforeAll(async () => {
  phone = await startPhoneService()
})

afterAll(() => phone.close())

const read = async (id: string) => (await phone.client.call<PhoneCall>('GET', `/api/v1/PhoneCall/${id}`)).body

/** Dials a call that rings. */
async function dial() {
  const body = { to: guest, from: ownNumber }
  const made = await phone.client.call<PhoneCall>('POST', `/api/v1/Agent/${phone.agentId}/call`, { body })
  const { form } = await phone.twilio.nextCall()
  const providerCallId = `CA${phone.twilio.calls.length}`
  await phone.newest({ id: made.body.id, state: 'ringing', providerCallId })
  return { id: made.body.id, providerCallId, statusUrl: form.get('StatusCallback') ?? '' }
}

const hangUp = (id: string) => phone.client.call('POST', `/api/v1/PhoneCall/${id}/hang-up`)

/** Returns the call that the next request hangs up. */
async function nextHangUp(): Promise<string | undefined> {
  const { path, form } = await phone.twilio.nextCall()
  expect(form.get('Status')).toBe('completed')
  return /CA\d+/.exec(path)?.[0]
}

describe('hanging up at a provider', () => {
  test('does not delay the end of other calls if the provider does not respond [TEL-26]', async () => {
    const calls = [await dial(), await dial(), await dial()]
    phone.twilio.keepSilent(true)
    for (const { id } of calls) await hangUp(id)
    await vi.waitFor(async () => {
      for (const { id } of calls)
        expect(await read(id)).toMatchObject({ state: 'ended', endReason: 'stopped' })
    }, patiently)
    const hungUp = [await nextHangUp(), await nextHangUp(), await nextHangUp()]
    expect(hungUp.sort()).toEqual(calls.map(({ providerCallId }) => providerCallId).sort())
    phone.twilio.keepSilent(false)
    // The provider gets the requests again, because their outcome is not known.
    for (const _ of calls) await nextHangUp()
  }, 60_000)

  test('is repeated if the provider takes no requests at the moment [TEL-27]', async () => {
    const { id, providerCallId } = await dial()
    phone.twilio.answerWith(429)
    await hangUp(id)
    expect(await nextHangUp()).toBe(providerCallId)
    phone.twilio.answerWith(201)
    expect(await nextHangUp()).toBe(providerCallId)
    expect(await read(id)).toMatchObject({ state: 'ended', endReason: 'stopped' })
  })

  test('is repeated for a call with audio [TEL-27]', async () => {
    const { callSid, stream } = await phone.incoming()
    const { id } = await phone.newest({ providerCallId: callSid, state: 'active' })
    phone.twilio.answerWith(503)
    await hangUp(id)
    for (const status of [503, 201]) {
      phone.twilio.answerWith(status)
      const { path } = await phone.twilio.nextCall()
      expect(path).toContain(callSid)
    }
    await stream.inbox.closed
    expect(await read(id)).toMatchObject({ state: 'ended', endReason: 'stopped' })
  })

  test('is repeated if the provider reports that the call is still open [TEL-27]', async () => {
    const { id, providerCallId, statusUrl } = await dial()
    // The provider does not know the call, so the request is not repeated.
    phone.twilio.answerWith(404)
    await hangUp(id)
    expect(await nextHangUp()).toBe(providerCallId)
    phone.twilio.answerWith(201)
    await phone.newest({ id, state: 'ended', endReason: 'stopped' })
    // Reports during the first request have no effect.
    await vi.waitFor(async () => {
      await phone.twilio.send(statusUrl, { CallSid: providerCallId, CallStatus: 'in-progress' })
      expect(phone.twilio.calls.filter(({ path }) => path.includes(providerCallId)).length).toBeGreaterThan(1)
    }, patiently)
    expect(await nextHangUp()).toBe(providerCallId)
  })
})
