import type { EndUser, Page } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  callerNumber,
  ownNumber,
  type PhoneService,
  spoken,
  startPhoneService,
} from '../../support/telephone/phone-service.js'
import { signTwilio, streamIn } from '../../support/telephone/scripted-twilio.js'

let phone: PhoneService

beforeAll(async () => {
  phone = await startPhoneService()
})

afterAll(() => phone.close())

describe('an incoming call', () => {
  test('connects the caller with the agent, and stores the call of the end user [TEL-1] [TEL-2]', async () => {
    const { callSid, model, update, stream } = await phone.incoming()
    expect(update).toMatchObject({
      session: {
        audio: {
          input: {
            format: { type: 'audio/pcmu' },
            turn_detection: { type: 'semantic_vad', eagerness: 'high' },
          },
          output: { format: { type: 'audio/pcmu' } },
        },
      },
    })
    const greeting = await model.inbox.takeType('response.create')
    expect(JSON.stringify(greeting)).toContain('Good day.')

    const sound = Buffer.alloc(160, 0x55)
    stream.speak(sound)
    const heard = await model.inbox.takeType('input_audio_buffer.append')
    expect(heard.audio).toBe(sound.toString('base64'))
    model.send(spoken('item_1', sound))
    const media = await stream.take('media')
    expect(media).toMatchObject({ media: { payload: sound.toString('base64') } })

    const call = await phone.newest({ state: 'active', from: callerNumber, to: ownNumber })
    expect(call).toMatchObject({ direction: 'incoming', providerCallId: callSid, seconds: null })
    const path = `/api/v1/EndUser/${call.endUserId}`
    const { body: endUser } = await phone.client.call<{ externalId: string }>('GET', path)
    expect(endUser.externalId).toBe(callerNumber)

    stream.stop()
    const ended = await phone.newest({ state: 'ended', endReason: 'hung_up' })
    expect(ended).toMatchObject({ id: call.id, seconds: expect.any(Number), endDetail: null })
    expect((await model.inbox.closed).code).toBe(1000)
  })

  test('is a call of the only end user with the number in its metadata [TEL-2]', async () => {
    const of = async (externalUserId: string) => {
      const body = { externalUserId }
      await phone.client.call('POST', `/api/v1/Agent/${phone.agentId}/realtime-session`, { body })
      const path = `/api/v1/EndUser?ExternalId=${externalUserId}`
      const { id = '' } = (await phone.client.call<Page<EndUser>>('GET', path)).body.items[0] ?? {}
      const metadata = { phoneNumber: '+4930999888' }
      await phone.client.call('PATCH', `/api/v1/EndUser/${id}`, { body: { metadata } })
      return id
    }
    const callerOf = async () => {
      const { stream } = await phone.incoming({ From: '+4930999888' })
      const { endUserId } = await phone.newest({ state: 'active', from: '+4930999888' })
      stream.stop()
      await phone.newest({ state: 'ended' })
      return endUserId
    }
    const ada = await of('ada')
    expect(await callerOf()).toBe(ada)
    const bob = await of('bob')
    // The number of several end users is an end user of its own.
    expect([ada, bob]).not.toContain(await callerOf())
  })

  test('ends with a malformed message of the media socket, and says why [STREAM-4]', async () => {
    const { stream, callSid } = await phone.incoming()
    stream.socket.send('hello')
    expect((await phone.twilio.nextCall()).path).toContain(callSid)
    const { endDetail } = await phone.newest({ state: 'ended', endReason: 'failed' })
    expect(endDetail).toMatch(/^The connection to the provider failed\. .*not JSON/)
  })

  test('tells the model how much of its words was played when the caller interrupts [TEL-3]', async () => {
    const { model, stream } = await phone.incoming()
    // The first 0.4 seconds were played.
    model.send(spoken('item_2', Buffer.alloc(3200, 0x7f)))
    const { mark } = await stream.take('mark')
    model.send(spoken('item_2', Buffer.alloc(16_000, 0x7f)))
    stream.played(mark?.name ?? '')
    await stream.take('media')
    model.send({ type: 'input_audio_buffer.speech_started', item_id: 'item_3', audio_start_ms: 0 })
    await stream.take('clear')
    const truncated = await model.inbox.takeType('conversation.item.truncate')
    expect(truncated).toMatchObject({ item_id: 'item_2', content_index: 0 })
    expect(Number(truncated.audio_end_ms)).toBeLessThan(2400)
    stream.stop()
    await phone.newest({ state: 'ended' })
  })

  test('passes pressed keys on to the model as text [TEL-4]', async () => {
    const { model, stream } = await phone.incoming()
    for (const digit of '12#') stream.press(digit)
    const item = await model.inbox.takeType('conversation.item.create')
    expect(JSON.stringify(item)).toContain('pressed the keys 12#')
    await model.inbox.takeType('response.create')
    stream.stop()
    await phone.newest({ state: 'ended' })
  })

  test('hangs up when the agent calls hang_up and its last words were played [TEL-5]', async () => {
    const { callSid, model, update, stream } = await phone.incoming()
    expect(JSON.stringify(update)).toContain('"hang_up"')
    model.send(spoken('item_4', Buffer.alloc(1600, 0x7f)))
    const { mark } = await stream.take('mark')
    model.send({
      ...{ type: 'response.function_call_arguments.done', call_id: 'bye', name: 'hang_up', arguments: '{}' },
      ...{ item_id: 'item_5', response_id: 'r', output_index: 1 },
    })
    model.send({ type: 'response.done', response: { id: 'r', status: 'completed', output: [] } })
    await model.inbox.takeType('conversation.item.create')
    expect((await phone.newest({})).state).toBe('active')
    stream.played(mark?.name ?? '')
    await phone.newest({ state: 'ended', endReason: 'agent_hung_up' })
    const request = await phone.twilio.nextCall()
    expect([request.path, request.form.get('Status')]).toEqual([
      `/2010-04-01/Accounts/AC1/Calls/${callSid}.json`,
      'completed',
    ])
  })

  test('transfers only to targets of the phone number [TEL-6]', async () => {
    const { callSid, model, stream } = await phone.incoming()
    const transfer = (callId: string, target: string) => {
      model.send({
        ...{ type: 'response.function_call_arguments.done', call_id: callId, name: 'transfer_call' },
        ...{ arguments: JSON.stringify({ target }), item_id: callId, response_id: 'r', output_index: 0 },
      })
      model.send({ type: 'response.done', response: { id: 'r', status: 'completed', output: [] } })
    }
    transfer('wrong', '+15550000')
    expect(JSON.stringify(await model.inbox.takeType('conversation.item.create'))).toContain('Unknown target')
    const path = `/api/v1/PhoneConnection/${phone.connection.id}`
    await phone.client.call('PATCH', path, { body: { allowedPrefixes: ['+1'] } })
    transfer('costly', 'Porter')
    expect(JSON.stringify(await model.inbox.takeType('conversation.item.create'))).toContain('does not allow')
    await phone.client.call('PATCH', path, { body: { allowedPrefixes: ['+49'] } })
    transfer('right', 'Porter')
    const request = await phone.twilio.nextCall()
    expect(request.path).toContain(callSid)
    expect(request.form.get('Twiml')).toContain('+4930111111')
    await phone.newest({ state: 'ended', endReason: 'transferred' })
    expect((await stream.inbox.closed).code).toBe(1000)
  })

  test('ends on request of the API, on the instance that runs it [TEL-7]', async () => {
    const { model } = await phone.incoming()
    const call = await phone.newest({ state: 'active' })
    const answer = await phone.client.call('POST', `/api/v1/PhoneCall/${call.id}/hang-up`)
    expect(answer.status).toBe(204)
    await phone.newest({ id: call.id, state: 'ended', endReason: 'stopped' })
    expect((await model.inbox.closed).code).toBe(1000)
    await phone.twilio.nextCall()
  })

  test('gets keys that the API presses, as tones in the audio [TEL-34]', async () => {
    const { stream } = await phone.incoming()
    const { id } = await phone.newest({ state: 'active' })
    const press = (digits: string, of = id) =>
      phone.client.call('POST', `/api/v1/PhoneCall/${of}/digits`, { body: { digits } })
    expect((await press('12#')).status).toBe(204)
    const tones = await stream.take('media')
    expect(tones).toMatchObject({ media: { payload: expect.any(String) } })
    expect((await press('12 34')).status).toBe(400)
    stream.stop()
    await phone.newest({ id, state: 'ended' })
    expect((await press('1')).status).toBe(409)
    const audit = await phone.client.call('GET', '/api/v1/AuditLog?Action=phone_call.digits')
    expect(audit.body).toMatchObject({ totalCount: 1, items: [{ resourceId: id }] })
    expect(audit.text).not.toContain('12#')
  })

  test('continues the conversation in a new session if the session reaches its maximum [TEL-8]', async () => {
    const short = await startPhoneService({ env: { PARLEY_REALTIME_MAX_SESSION_SECONDS: '1' } })
    const { stream } = await short.incoming()
    const first = await short.newest({ state: 'active' })
    const next = await short.provider.accept()
    await next.inbox.takeType('session.update')
    next.send({ type: 'session.updated', session: {} })
    const sound = Buffer.alloc(160, 0x44)
    stream.speak(sound)
    await next.inbox.takeType('input_audio_buffer.append')
    const second = await short.newest({ state: 'active' })
    expect(second).toMatchObject({ id: first.id, conversationId: first.conversationId })
    expect(second.realtimeSessionId).not.toBe(first.realtimeSessionId)
    await short.close()
  })
})

describe('a request of a telephone provider', () => {
  test('is refused with a wrong signature, without a trace of the call [TEL-9]', async () => {
    const before = await phone.newest({})
    const form = { CallSid: uuid(), From: callerNumber, To: ownNumber, CallStatus: 'ringing' }
    const url = `${phone.webhooks}/answer`
    const other = `${phone.url}/phone/${uuid()}/answer`
    const forged = [
      await phone.twilio.send(url, form, 'AAAA'),
      await phone.twilio.send(url, { ...form, From: '+1' }, signTwilio(url, form)),
      await phone.twilio.send(other, form),
    ]
    expect(forged.map(({ status }) => status)).toEqual([403, 403, 403])
    expect((await phone.newest({})).id).toBe(before.id)
  })

  test('admits one media socket for each call, with its token [TEL-10]', async () => {
    const callSid = uuid()
    const ringing = phone.ring(callSid)
    const model = await phone.provider.accept()
    model.send({ type: 'session.updated', session: {} })
    const target = streamIn((await ringing).text)
    const stranger = await phone.twilio.stream({ ...target, token: 'f'.repeat(64) }, callSid)
    expect((await stranger.inbox.closed).code).toBe(1008)
    const stream = await phone.twilio.stream(target, callSid)
    await phone.newest({ state: 'active', providerCallId: callSid })
    const replayed = await phone.twilio.stream(target, callSid)
    expect((await replayed.inbox.closed).code).toBe(1008)
    // A repeated webhook gets no second call.
    expect((await phone.ring(callSid)).text).toContain('<Reject')
    stream.stop()
    await phone.newest({ state: 'ended', providerCallId: callSid })
  })

  test('rejects calls to unknown numbers and from blocked callers, and apologizes without a model [TEL-11]', async () => {
    expect((await phone.ring(uuid(), { To: '+4930000000' })).text).toContain('<Reject')
    const path = `/api/v1/PhoneNumber/${phone.number.id}`
    await phone.client.call('PATCH', path, { body: { blockedCallers: ['+1'] } })
    expect((await phone.ring(uuid(), { From: '+12125550100' })).text).toContain('<Reject')
    await phone.newest({ state: 'ended', endReason: 'rejected', from: '+12125550100' })
    const agentPath = `/api/v1/Agent/${phone.agentId}`
    await phone.client.call('PATCH', agentPath, { body: { realtimeModel: 'missing' } })
    expect((await phone.ring()).text).toContain('<Say')
    await phone.newest({ state: 'ended', endReason: 'failed' })
    await phone.client.call('PATCH', agentPath, { body: { realtimeModel: null } })
  })

  test('hears a busy tone when the phone connection has no free line [TEL-11]', async () => {
    const path = `/api/v1/PhoneConnection/${phone.connection.id}`
    await phone.client.call('PATCH', path, { body: { maxCalls: 1 } })
    const { stream } = await phone.incoming()
    expect((await phone.ring()).text).toContain('<Reject reason="busy"')
    await phone.newest({ state: 'ended', endReason: 'busy' })
    stream.stop()
    await phone.client.call('PATCH', path, { body: { maxCalls: 10 } })
  })
})
