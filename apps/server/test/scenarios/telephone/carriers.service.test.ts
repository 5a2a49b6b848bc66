import type { PhoneCall, PhoneConnection } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { addPhoneCall, endPhoneCall } from '../../support/console/phone-desk.js'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'
import { makePhoneCall } from '../../support/stores/phone-records.js'
import { CarrierDesk } from '../../support/telephone/carrier-desk.js'
import { carrierScripts } from '../../support/telephone/carrier-scripts.js'
import { spoken } from '../../support/telephone/phone-service.js'

const patiently = { timeout: 30_000, interval: 20 }

/** Sound whose bytes survive the way through 16-bit samples. */
const sound = Buffer.from(Array.from({ length: 160 }, (_, at) => 0x80 + (at % 100)))

let running: RealtimeTestService

beforeAll(async () => {
  running = await startRealtimeService()
})

afterAll(() => running.close())

describe.each(carrierScripts.map((script) => [script.kind, script] as const))(
  'a call over %s',
  (_, script) => {
    let desk: CarrierDesk

    beforeAll(async () => {
      desk = new CarrierDesk(running, script)
      await desk.open()
    })

    test('connects the caller with the agent, with sound and digits both ways [TEL-16]', async () => {
      const { call, callId, model, stream } = await desk.incoming()
      expect(call).toMatchObject({ direction: 'incoming', from: desk.guest, to: desk.ownNumber })
      expect(JSON.stringify(await model.inbox.takeType('response.create'))).toContain('Good day.')
      stream.speak(sound)
      const heard = await model.inbox.takeType('input_audio_buffer.append')
      expect(heard.audio).toBe(sound.toString('base64'))
      model.send(spoken('item_1', sound))
      expect((await stream.heard()).equals(sound)).toBe(true)
      stream.press('7')
      const pressed = await model.inbox.takeType('conversation.item.create')
      expect(JSON.stringify(pressed)).toContain('pressed the keys 7')
      model.send({
        ...{ type: 'response.function_call_arguments.done', call_id: 'keys', name: 'send_dtmf' },
        ...{ arguments: '{"digits":"12#"}', item_id: 'item_2', response_id: 'r', output_index: 0 },
      })
      const { digitsIn } = script
      if (digitsIn) await desk.api.take((request) => digitsIn(request, callId) === '12#')
      else if (script.kind === 'plivo')
        await vi.waitFor(
          () =>
            expect(stream.inbox.all.map(({ data }) => data.toString())).toContain(
              '{"event":"sendDTMF","dtmf":"12#"}',
            ),
          patiently,
        )
      else expect((await stream.heard()).length).toBeGreaterThan(160)
      stream.socket.close()
      await desk.newest({ id: call.id, state: 'ended', endReason: 'hung_up' })
    })

    test('is dialed, and connects the called party when it answers [TEL-16]', async () => {
      const { call, parties, request, to, statusUrl, asks } = await desk.dial()
      expect(to).toBe(desk.guest)
      const report = (state: 'ringing' | 'answered' | 'ended') =>
        desk.send(script.report(state, parties), statusUrl)
      expect((await report('ringing')).status).toBe(204)
      await desk.newest({ id: call.id, state: 'ringing', providerCallId: parties.callId })
      const asked = asks && script.askForStream ? await desk.send(script.askForStream(parties), asks) : null
      // Reports may come late and twice.
      await report('answered')
      await report('ringing')
      const target = script.streamIn(asked?.text ?? request.body)
      const stream = await desk.stream(target, script.outgoingStart(parties.callId))
      const model = await running.provider.accept()
      await model.inbox.takeType('session.update')
      model.send({ type: 'session.updated', session: {} })
      await desk.newest({ id: call.id, state: 'active', providerCallId: parties.callId })
      expect((await report('ended')).status).toBe(204)
      await desk.newest({ id: call.id, state: 'ended', endReason: 'hung_up' })
      // The report of an earlier state changes nothing.
      await report('ringing')
      expect((await desk.newest({ id: call.id })).state).toBe('ended')
      await stream.inbox.closed
    })

    test('ends as busy, whichever URL the provider reports to [TEL-17]', async () => {
      for (const path of ['status', 'answer']) {
        const { call, parties, statusUrl } = await desk.dial()
        const url = statusUrl.replace('/status?', `/${path}?`)
        await desk.send(script.report('busy', parties), url)
        await desk.newest({ id: call.id, state: 'ended', endReason: 'busy', answeredAt: null })
      }
    })

    test('is hung up at the provider [TEL-16]', async () => {
      const { call, callId } = await desk.incoming()
      expect((await desk.call('POST', `PhoneCall/${call.id}/hang-up`)).status).toBe(204)
      await desk.api.take((request) => script.isHangUp(request, callId))
      await desk.newest({ id: call.id, state: 'ended', endReason: 'stopped' })
    })

    test('is transferred with the number of the phone connection [TEL-16]', async () => {
      const { call, callId } = await desk.incoming()
      const to = '+4930999999'
      expect((await desk.call('POST', `PhoneCall/${call.id}/transfer`, { to })).status).toBe(204)
      const { body } = await desk.api.take((request) => script.isTransfer(request, callId))
      expect(decodeURIComponent(body)).toContain(to.slice(1))
      if (script.kind === 'vonage') expect(body).toContain(desk.ownNumber.slice(1))
      if (script.kind === 'plivo') {
        const instructions = JSON.parse(body).aleg_url
        const { text } = await desk.send({ method: 'GET', body: '' }, instructions)
        expect(text).toContain(to.slice(1))
      }
      await desk.newest({ id: call.id, state: 'ended', endReason: 'transferred' })
    })

    test('leaves no trace if a webhook is forged, and gets the error of an unknown connection [TEL-9]', async () => {
      const before = await desk.countCalls()
      const [webhook, url] = [script.announce(desk.parties()), `${desk.webhooks}/answer`]
      const signedForAnother = script.sign(script.announce(desk.parties()), `${desk.webhooks}/status`)
      const forged = [
        await desk.send(webhook, url, {}),
        await desk.send(webhook, url, signedForAnother),
        await desk.send(webhook, `${running.url}/phone/${uuid()}/answer`),
      ]
      expect(forged.map(({ status }) => status)).toEqual([403, 403, 403])
      const details = forged.map(({ text }) => JSON.parse(text).detail)
      expect(new Set(details).size).toBe(1)
      expect(await desk.countCalls()).toBe(before)
    })

    test('starts once if the provider repeats its webhook [TEL-18]', async () => {
      const { call, parties, stream } = await desk.incoming()
      const requests = desk.api.requests.length
      const before = await desk.countCalls()
      const repeated = await desk.send(script.announce(parties), `${desk.webhooks}/answer`)
      expect(repeated.status).toBeLessThan(300)
      // A provider without a command for it gets a refusal, and the others get no command.
      expect(script.isRefusal?.(repeated.text) ?? repeated.text === '').toBe(true)
      expect(desk.api.requests).toHaveLength(requests)
      expect(await desk.countCalls()).toBe(before)
      expect((await desk.newest({})).state).toBe('active')
      stream.socket.close()
      await desk.newest({ id: call.id, state: 'ended' })
    })

    test('ends as soon as the provider reports its end while it rings [TEL-17]', async () => {
      const parties = desk.parties()
      const ringing = desk.send(script.announce(parties), `${desk.webhooks}/answer`)
      const model = await running.provider.accept()
      const call = await desk.newest({ state: 'ringing', providerCallId: parties.callId })
      await desk.send(script.report('ended', parties), `${desk.webhooks}/status`)
      await desk.newest({ id: call.id, state: 'ended' })
      await model.inbox.closed
      expect((await ringing).status).toBeLessThan(300)
    })

    test('ends if a voicemail box answers and its setup asks for that, also before any instance runs it [TEL-20]', async () => {
      const of = { phoneConnectionId: desk.connection.id, direction: 'outgoing', state: 'ringing' } as const
      const setup = (fields: object) => ({ ...makePhoneCall('').setup, ...fields })
      const stays = await addPhoneCall(running, {
        ...of,
        answeredAt: null,
        setup: setup({ voicemail: 'leave_message' }),
      })
      const ends = await addPhoneCall(running, {
        ...{ ...of, answeredAt: null, setup: setup({ voicemail: 'hang_up' }) },
      })
      const detect = async (id: string) => {
        const parties = { callId: uuid(), from: desk.ownNumber, to: desk.guest }
        await desk.send(script.report('voicemail', parties), `${desk.webhooks}/status?call=${id}`)
        return parties.callId
      }
      const [kept, ended] = [await detect(stays), await detect(ends)]
      await desk.api.take((request) => script.isHangUp(request, ended))
      const { body: hungUp } = await desk.call<PhoneCall>('GET', `PhoneCall/${ends}`)
      expect(hungUp).toMatchObject({ state: 'ended', endReason: 'voicemail' })
      const { body } = await desk.call<PhoneCall>('GET', `PhoneCall/${stays}`)
      expect(body).toMatchObject({ state: 'ringing', providerCallId: kept })
      await endPhoneCall(running, stays, 'hung_up')
    })

    test('is tested with a request to the API [TEL-19]', async () => {
      const path = `PhoneConnection/${desk.connection.id}`
      const tested = await desk.call('POST', `${path}/test`)
      expect(tested.body).toMatchObject({ ok: true, providerStatus: 200 })
      desk.api.answerWith(401)
      const refused = await desk.call<{ detail: string }>('POST', `${path}/test`)
      desk.api.answerWith(200)
      expect(refused.body).toMatchObject({ ok: false, providerStatus: 401 })
      expect(refused.body.detail).toContain('Check accountId and secret.')
      expect((await desk.call<PhoneConnection>('GET', path)).body.state).toBe('failed')
    })
  },
)

describe('a call that is answered by a command', () => {
  let desk: CarrierDesk

  beforeAll(async () => {
    const script = carrierScripts.find(({ isAnswer }) => isAnswer !== undefined)
    if (!script) throw new Error('no carrier answers by a command')
    desk = new CarrierDesk(running, script)
    await desk.open()
  })

  test('ends if the provider refuses the command, and its webhook is not an error [TEL-17]', async () => {
    desk.api.answerWith(422)
    const parties = desk.parties()
    // The caller hung up before. The report came earlier than the call.
    await desk.send(desk.script.report('ended', parties), `${desk.webhooks}/answer`)
    const ringing = desk.send(desk.script.announce(parties), `${desk.webhooks}/answer`)
    const model = await running.provider.accept()
    model.send({ type: 'session.updated', session: {} })
    expect((await ringing).status).toBe(204)
    const { endDetail } = await desk.newest({ state: 'ended', endReason: 'failed' })
    expect(endDetail).toContain('422')
    await model.inbox.closed
    desk.api.answerWith(200)
  })

  test('is hung up if it ends before its audio has arrived [TEL-16]', async () => {
    const parties = desk.parties()
    await desk.ring(parties)
    const { id } = await desk.newest({ state: 'ringing' })
    await desk.call('POST', `PhoneCall/${id}/hang-up`)
    await desk.api.take((request) => desk.script.isHangUp(request, parties.callId))
    await desk.newest({ id, state: 'ended', endReason: 'stopped' })
  })
})

test('a webhook with a body beyond 64 KiB is refused [TEL-9]', async () => {
  const answer = await fetch(`${running.url}/phone/${uuid()}/answer`, {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body: 'x'.repeat(64 * 1024 + 1) },
  })
  expect(answer.status).toBe(413)
})

describe('a phone connection with incomplete secrets', () => {
  test.each(['telnyx', 'vonage'] as const)(
    'of kind %s names the missing webhook secret [TEL-19]',
    async (kind) => {
      const script = carrierScripts.find((each) => each.kind === kind)
      const { webhookSecret: _, ...account } = script?.account ?? {}
      const body = { name: 'Incomplete', ...account, allowedPrefixes: ['+49'] }
      const made = await running.client.call<PhoneConnection>('POST', '/api/v1/PhoneConnection', { body })
      const path = `/api/v1/PhoneConnection/${made.body.id}/test`
      const tested = await running.client.call<{ detail: string }>('POST', path)
      expect(tested.body).toMatchObject({ ok: false, providerStatus: null })
      expect(tested.body.detail).toContain('No webhook secret is stored')
      const number = `+49309999${kind.length}`
      const { agentId } = running
      await running.client.call('POST', '/api/v1/PhoneNumber', {
        body: { name: 'Desk', number, phoneConnectionId: made.body.id, agentId },
      })
      const dialed = await running.client.call<PhoneCall & { detail: string }>(
        'POST',
        `/api/v1/Agent/${agentId}/call`,
        {
          body: { to: '+4930765432', from: number },
        },
      )
      expect([dialed.status, dialed.body.detail]).toEqual([
        409,
        'The phone connection Incomplete has no webhook secret.',
      ])
    },
  )

  test('of kind telnyx rejects a public key of another form [TEL-19]', async () => {
    const body = { name: 'Wrong', kind: 'telnyx', accountId: '1', secret: 'KEY', webhookSecret: 'no-key' }
    const made = await running.client.call<PhoneConnection>('POST', '/api/v1/PhoneConnection', { body })
    const path = `/api/v1/PhoneConnection/${made.body.id}/test`
    const tested = await running.client.call<{ detail: string }>('POST', path)
    expect(tested.body.detail).toContain('webhookSecret is not a public key of Telnyx')
    const webhook = await fetch(`${running.url}/phone/${made.body.id}/answer`, { method: 'POST', body: '{}' })
    expect(webhook.status).toBe(403)
  })
})
