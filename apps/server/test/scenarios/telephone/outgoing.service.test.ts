import type { PhoneCall, PhoneConnection, Problem } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PhoneCallRecord } from '#server/ports/phone-stores.js'
import { addOrganization } from '../../support/organizations.js'
import { makePhoneCall } from '../../support/stores/phone-records.js'
import { ownNumber, type PhoneService, startPhoneService } from '../../support/telephone/phone-service.js'
import { authToken, streamIn } from '../../support/telephone/scripted-twilio.js'

const guest = '+4930654321'

let phone: PhoneService

beforeAll(async () => {
  phone = await startPhoneService()
})

afterAll(() => phone.close())

const dial = (fields: object = {}, headers: Readonly<Record<string, string>> = {}) =>
  phone.client.call<PhoneCall & Problem>('POST', `/api/v1/Agent/${phone.agentId}/call`, {
    body: { to: guest, from: ownNumber, ...fields },
    headers,
  })

const patchConnection = (body: object) =>
  phone.client.call('PATCH', `/api/v1/PhoneConnection/${phone.connection.id}`, { body })

const allDay = { from: '00:00', to: '00:00', timeZone: 'UTC' }

/** A call that waits for an instance. */
const queuedCall = (fields: Partial<PhoneCallRecord>) =>
  makePhoneCall(phone.organizationId, {
    ...{ state: 'queued', endReason: null, endDetail: null, endedAt: null, answeredAt: null },
    ...{ instanceId: null, endRequestedAt: null, phoneConnectionId: phone.connection.id },
    ...{ createdAt: new Date().toISOString(), agentId: phone.agentId, to: guest, from: ownNumber, ...fields },
  })

describe('an outgoing call', () => {
  test('is dialed once, and connects the called party with the agent [TEL-12] [TEL-13]', async () => {
    const fields = { externalUserId: 'guest-1', additionalInstructions: 'Confirm the booking.' }
    const key = { 'idempotency-key': uuid() }
    const made = await dial(fields, key)
    expect(made.body).toMatchObject({ state: 'queued', direction: 'outgoing', to: guest, from: ownNumber })
    expect((await dial(fields, key)).body.id).toBe(made.body.id)

    const { path, form, authorization } = await phone.twilio.nextCall()
    expect(path).toBe('/2010-04-01/Accounts/AC1/Calls.json')
    expect(authorization).toMatch(/^Basic /)
    expect([form.get('To'), form.get('From')]).toEqual([guest, ownNumber])
    const providerCallId = 'CA1'
    await phone.newest({ state: 'ringing', providerCallId })

    const stream = await phone.twilio.stream(streamIn(form.get('Twiml') ?? ''), providerCallId)
    const model = await phone.provider.accept()
    const update = await model.inbox.takeType('session.update')
    expect(JSON.stringify(update)).toContain('Confirm the booking.')
    model.send({ type: 'session.updated', session: {} })
    expect(JSON.stringify(await model.inbox.takeType('response.create'))).toContain('Good day.')
    const call = await phone.newest({ state: 'active', conversationId: made.body.conversationId })
    expect(call.endUserId).not.toBeNull()
    stream.stop()
    await phone.newest({ state: 'ended', endReason: 'hung_up' })
    expect(phone.twilio.calls).toHaveLength(1)
  })

  test.each([
    ['busy', 'busy'],
    ['no-answer', 'no_answer'],
    ['failed', 'failed'],
  ])('ends with the outcome that the provider reports: %s [TEL-13]', async (status, endReason) => {
    const { body } = await dial()
    const { form } = await phone.twilio.nextCall()
    const reported = await phone.twilio.send(form.get('StatusCallback') ?? '', {
      ...{ CallSid: `CA${phone.twilio.calls.length}`, CallStatus: status },
    })
    expect(reported.status).toBe(204)
    await phone.newest({ id: body.id, state: 'ended', endReason, answeredAt: null, seconds: null })
  })

  test('ends as failed at once if the provider cannot be reached, because it does not ring [TEL-13]', async () => {
    const { baseUrl } = phone.connection
    // Nothing listens on port 9.
    await patchConnection({ baseUrl: 'http://127.0.0.1:9', secret: authToken })
    const { body } = await dial()
    const call = await phone.newest({ id: body.id, state: 'ended', endReason: 'failed' })
    expect(call.endDetail).toContain('Nothing listens at 127.0.0.1:9.')
    await patchConnection({ baseUrl, secret: authToken })
  })

  test('ends as failed if the provider refuses it, and the phone connection says why [TEL-13]', async () => {
    phone.twilio.answerWith(401)
    await dial()
    await phone.twilio.nextCall()
    const call = await phone.newest({ state: 'ended', endReason: 'failed' })
    expect(call.endDetail).toContain('401')
    const path = `/api/v1/PhoneConnection/${phone.connection.id}`
    const { body } = await phone.client.call<PhoneConnection>('GET', path)
    expect(body).toMatchObject({ state: 'failed', failure: expect.stringContaining('401') })
    phone.twilio.answerWith(201)
    expect((await phone.client.call('POST', `${path}/test`)).body).toMatchObject({ ok: true })
    await phone.twilio.nextCall()
    expect((await phone.client.call<PhoneConnection>('GET', path)).body.state).toBe('ready')
  })

  test('keeps ringing if the outcome of dialing is unknown, until the provider reports it [TEL-13]', async () => {
    phone.twilio.answerWith(500)
    const { body } = await dial()
    const { form } = await phone.twilio.nextCall()
    phone.twilio.answerWith(201)
    await phone.newest({ id: body.id, state: 'ringing' })
    const url = form.get('StatusCallback') ?? ''
    await phone.twilio.send(url, { CallSid: 'CA-late', CallStatus: 'busy' })
    await phone.newest({ id: body.id, state: 'ended', endReason: 'busy' })
  })

  test('needs an allowed prefix, a known number, a free line and a time that is not quiet [TEL-14]', async () => {
    const refusals = [
      [dial({ to: '+15550100' }), 400, 'to'],
      [dial({ from: '+4930000000' }), 400, 'from'],
    ] as const
    for (const [answer, status, path] of refusals) {
      const { body } = await answer
      expect([body.status, body.errors?.[0]?.path]).toEqual([status, path])
    }
    const limited = async (fields: object, limit: string) => {
      await patchConnection(fields)
      expect((await dial()).body).toMatchObject({ status: 429, errorCode: 'LimitReached', limit })
    }
    await limited({ quietHours: allDay }, 'quietHours')
    await limited({ quietHours: null, maxCallsPerHour: 1 }, 'maxCallsPerHour')
    await patchConnection({ maxCallsPerHour: 60, allowedPrefixes: [] })
    expect((await dial()).body.errors?.[0]?.path).toBe('to')
    await patchConnection({ allowedPrefixes: ['+49'], isEnabled: false })
    expect((await dial()).status).toBe(409)
    await patchConnection({ isEnabled: true })
  })

  test.each([
    [
      'it waited in the queue for too long',
      {},
      { createdAt: new Date(Date.now() - 130_000).toISOString() },
      'two minutes',
    ],
    ['its number is no longer allowed', { allowedPrefixes: [] }, {}, 'allowedPrefixes'],
    ['the quiet hours have begun', { quietHours: allDay }, {}, 'makes no calls between'],
    ['the phone connection was disabled', { isEnabled: false }, {}, 'is not enabled'],
  ])('ends as failed and is not dialed if %s [TEL-39]', async (_, connection, fields, detail) => {
    const dialed = phone.twilio.calls.length
    await patchConnection(connection)
    const queued = queuedCall(fields)
    await phone.service.database.stores.phoneCalls.insert(queued)
    const call = await phone.newest({ id: queued.id, state: 'ended', endReason: 'failed' })
    expect(call.endDetail).toContain(detail)
    expect(phone.twilio.calls).toHaveLength(dialed)
    await patchConnection({ allowedPrefixes: ['+49'], quietHours: null, isEnabled: true })
  })

  test('asks the provider to detect voicemails unless the agent talks to them [TEL-20] [TEL-57]', async () => {
    for (const [fields, isDetecting] of [
      [{}, false],
      [{ voicemail: 'talk' }, false],
      [{ voicemail: 'leave_message' }, true],
      [{ voicemail: 'hang_up' }, true],
    ] as const) {
      const { body } = await dial(fields)
      const { form } = await phone.twilio.nextCall()
      expect(form.has('MachineDetection')).toBe(isDetecting)
      await phone.client.call('POST', `/api/v1/PhoneCall/${body.id}/hang-up`)
      await phone.newest({ id: body.id, state: 'ended', endReason: 'stopped' })
      await phone.twilio.nextCall()
    }
    expect((await dial({ voicemail: 'sing' })).status).toBe(400)
  })

  test('is refused beyond the number of calls that the organization may make within an hour [TEL-14]', async () => {
    const small = await startPhoneService({ env: { PARLEY_ORG_MAX_CALLS_PER_HOUR: '1' } })
    const call = () =>
      small.client.call<Problem>('POST', `/api/v1/Agent/${small.agentId}/call`, {
        body: { to: guest, from: ownNumber },
      })
    expect((await call()).status).toBe(201)
    const { body, headers } = await call()
    expect(body).toMatchObject({ status: 429, errorCode: 'LimitReached', limit: 'callsPerHour' })
    expect(headers.get('retry-after')).toBe('60')
    await small.close()
  })

  test('cannot use the number of another organization [7.1-1]', async () => {
    const stranger = phone.client.as(await addOrganization(phone))
    const agent = await stranger.call<{ id: string }>('POST', '/api/v1/Agent', { body: { name: 'Other' } })
    const body = { to: guest, from: ownNumber }
    const path = `/api/v1/Agent/${agent.body.id}/call`
    expect((await stranger.call<Problem>('POST', path, { body })).body.errors?.[0]?.path).toBe('from')
    const call = await phone.newest({})
    for (const action of ['hang-up', 'transfer'])
      expect(
        (await stranger.call('POST', `/api/v1/PhoneCall/${call.id}/${action}`, { body: { to: guest } }))
          .status,
      ).toBeGreaterThanOrEqual(400)
    expect((await stranger.call('GET', `/api/v1/PhoneCall/${call.id}`)).status).toBe(404)
  })

  test('stops at the emergency stop, and no other call starts [TEL-15]', async () => {
    await dial()
    await phone.twilio.nextCall()
    await phone.newest({ state: 'ringing', providerCallId: `CA${phone.twilio.calls.length}` })
    const stopped = await phone.client.call('POST', '/api/v1/PhoneCall/stop-all')
    expect(stopped.body).toEqual({ calls: 1, phoneConnections: 1 })
    await phone.newest({ state: 'ended', endReason: 'stopped' })
    expect((await phone.twilio.nextCall()).form.get('Status')).toBe('completed')
    expect((await dial()).status).toBe(409)
    expect((await phone.ring()).text).toContain('<Reject')
  })
})
