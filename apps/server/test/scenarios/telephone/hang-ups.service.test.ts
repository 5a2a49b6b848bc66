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

const read = async (id: string) =>
  (await phone.client.call<PhoneCall>('GET', `/api/v1/PhoneCall/${id}`)).body

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
  })
})
