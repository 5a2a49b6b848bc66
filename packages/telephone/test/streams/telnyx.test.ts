import { generateKeyPairSync, sign } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Telnyx } from '#telephone/streams/telnyx.js'
import { type CarrierServer, startCarrierServer } from './support/carrier-server.js'
import { incoming, outgoing, post, postJson, rejectionOf, target } from './support/test-calls.js'

const keys = generateKeyPairSync('ed25519')
const publicKey = Buffer.from(keys.publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString(
  'base64',
)
const now = 1_790_000_000

let server: CarrierServer
let telnyx: Telnyx

beforeAll(async () => {
  server = await startCarrierServer()
  const account = { apiKey: 'KEYs3cret', publicKey, connectionId: 'conn-1', baseUrl: server.url }
  telnyx = new Telnyx(account, { fetch, now: () => now * 1000 })
})

afterAll(() => server.close())

function signed(body: string, timestamp = String(now)) {
  const signature = sign(null, Buffer.from(`${timestamp}|${body}`), keys.privateKey).toString('base64')
  return post(body, { 'telnyx-signature-ed25519': signature, 'telnyx-timestamp': timestamp })
}

const event = (type: string, payload: object) =>
  postJson({ data: { event_type: type, payload: { call_control_id: 'call-1', ...payload } } })

const lastRequest = () => {
  const request = server.requests.at(-1)
  return { ...request, json: JSON.parse(request?.body || 'null') }
}

describe("Telnyx's signature", () => {
  test('is accepted for five minutes', () => {
    expect(telnyx.isAuthentic(signed('{}'))).toBe(true)
    expect(telnyx.isAuthentic(signed('{}', String(now - 299)))).toBe(true)
  })

  test.each([
    ['an old request', signed('{}', String(now - 301))],
    ['a request of the future', signed('{}', String(now + 301))],
    ['an invalid time', signed('{}', 'soon')],
    ['another body', { ...signed('{}'), body: '{"a":1}' }],
    [
      'another time',
      { ...signed('{}'), headers: { ...signed('{}').headers, 'telnyx-timestamp': String(now + 1) } },
    ],
    ['no signature', post('{}', { 'telnyx-timestamp': String(now) })],
    ['no time', post('{}', { 'telnyx-signature-ed25519': 'AAAA' })],
    [
      'a short signature',
      post('{}', { 'telnyx-signature-ed25519': 'AAAA', 'telnyx-timestamp': String(now) }),
    ],
  ])('is rejected for %s [STREAM-1]', (_, request) => {
    expect(telnyx.isAuthentic(request)).toBe(false)
  })

  test('is not asked of handshakes, which Telnyx does not sign', () => {
    const request = { method: 'GET', url: 'wss://example.com/m', headers: { upgrade: 'websocket' }, body: '' }
    expect(telnyx.isAuthentic(request, 'handshake')).toBe(true)
    expect(telnyx.isAuthentic(request)).toBe(false)
  })

  test('needs a public key of 32 bytes', () => {
    expect(() => new Telnyx({ apiKey: 'k', publicKey: 'AAAA', connectionId: 'c' }, { fetch })).toThrow(
      '`publicKey`',
    )
  })
})

describe("Telnyx's webhooks", () => {
  test('announce an incoming call only', () => {
    const payload = { from: '+4930111', to: '+4930222' }
    const announce = (fields: object) =>
      telnyx.readIncomingCall(event('call.initiated', { ...payload, ...fields }))
    expect(announce({ direction: 'incoming' })).toEqual(incoming)
    expect(announce({ direction: 'incoming', from: 'anonymous' })?.from).toBe(null)
    expect(announce({ direction: 'outgoing' })).toBe(null)
    expect(telnyx.readIncomingCall(event('call.answered', { ...payload, direction: 'incoming' }))).toBe(null)
    expect(telnyx.readIncomingCall(post('not JSON'))).toBe(null)
  })

  test.each([
    ['call.initiated', { direction: 'outgoing' }, 'dialing', null],
    ['call.answered', {}, 'up', 'answered'],
    ['call.machine.detection.ended', { result: 'machine' }, 'up', 'voicemail'],
    ['call.hangup', { hangup_cause: 'normal_clearing' }, 'ended', 'answered'],
    ['call.hangup', { hangup_cause: 'user_busy' }, 'ended', 'busy'],
    ['call.hangup', { hangup_cause: 'call_rejected' }, 'ended', 'rejected'],
    ['call.hangup', { hangup_cause: 'timeout' }, 'ended', 'no_answer'],
    ['call.hangup', { hangup_cause: 'not_found' }, 'ended', 'failed'],
    ['call.hangup', { hangup_cause: 'constructor' }, 'ended', 'failed'],
  ])('report %s with %j', (type, payload, state, outcome) => {
    expect(telnyx.readStatus(event(type, payload))).toEqual({ callId: 'call-1', state, outcome })
  })

  test.each([
    ['call.machine.detection.ended', { result: 'human' }],
    ['call.initiated', { direction: 'incoming' }],
    ['streaming.started', {}],
  ])('report no state with %s', (type, payload) => {
    expect(telnyx.readStatus(event(type, payload))).toBe(null)
  })
})

describe("Telnyx's commands", () => {
  test('answer with a stream in both directions', async () => {
    expect(await telnyx.answer(incoming, target)).toEqual({ contentType: 'text/plain', body: '' })
    expect(lastRequest()).toMatchObject({
      method: 'POST',
      path: '/v2/calls/call-1/actions/answer',
      headers: { authorization: 'Bearer KEYs3cret' },
      json: {
        stream_url: target.url,
        stream_bidirectional_mode: 'rtp',
        stream_bidirectional_codec: 'PCMU',
        stream_bidirectional_target_legs: 'self',
        client_state: btoa('onetime'),
        command_id: 'parley-answer',
      },
    })
  })

  test('dial with an ID that prevents a second call', async () => {
    server.respond({ body: { data: { call_control_id: 'call-9' } } })
    expect(await telnyx.dial(outgoing)).toBe('call-9')
    expect(lastRequest()).toMatchObject({
      path: '/v2/calls',
      json: {
        connection_id: 'conn-1',
        to: '+4930333',
        from: '+4930222',
        stream_url: target.url,
        webhook_url: outgoing.statusUrl,
        timeout_secs: 30,
        time_limit_secs: 600,
        answering_machine_detection: 'detect',
        command_id: 'key-1',
      },
    })
  })

  test('reject, hang up, transfer and send digits', async () => {
    await telnyx.reject(incoming, 'busy')
    expect(lastRequest()).toMatchObject({
      path: '/v2/calls/call-1/actions/reject',
      json: { cause: 'USER_BUSY' },
    })
    await telnyx.hangUp('call/1')
    expect(lastRequest().path).toBe('/v2/calls/call%2F1/actions/hangup')
    await telnyx.transfer('call-1', { to: '+4930999', from: null })
    expect(lastRequest()).toMatchObject({
      path: '/v2/calls/call-1/actions/transfer',
      json: { to: '+4930999' },
    })
    const { command_id: first } = lastRequest().json
    await telnyx.transfer('call-1', { to: '+4930998', from: '+4930222' })
    expect(lastRequest().json).toMatchObject({ from: '+4930222' })
    expect(lastRequest().json.command_id).not.toBe(first)
    await telnyx.sendDigits('call-1', '12#')
    expect(lastRequest()).toMatchObject({
      path: '/v2/calls/call-1/actions/send_dtmf',
      json: { digits: '12#' },
    })
  })

  test('say a sentence and hang up after it', async () => {
    await telnyx.say(incoming, { text: 'Closed today.', language: null })
    const { json } = lastRequest()
    expect(json).toMatchObject({ payload: 'Closed today.', language: 'en-US' })
    expect(await telnyx.react(event('call.speak.ended', { client_state: btoa('other') }))).toBe(null)
    expect(await telnyx.react(event('call.speak.ended', { client_state: json.client_state }))).not.toBe(null)
    expect(lastRequest().path).toBe('/v2/calls/call-1/actions/hangup')
  })

  test('hang up a transferred call whose other party never came', async () => {
    await telnyx.transfer('call-1', { to: '+4930999', from: null })
    const client_state = lastRequest().json.target_leg_client_state
    const { length } = server.requests
    const other = { call_control_id: 'call-2', client_state, direction: 'outgoing' }
    expect(await telnyx.react(event('call.initiated', other))).not.toBe(null)
    expect(server.requests).toHaveLength(length)
    expect(await telnyx.react(event('call.hangup', other))).not.toBe(null)
    expect(lastRequest().path).toBe('/v2/calls/call-1/actions/hangup')
    expect(await telnyx.react(event('call.hangup', { client_state: btoa('onetime') }))).toBe(null)
  })

  test('check the account and its application', async () => {
    await telnyx.check()
    expect(lastRequest()).toMatchObject({ method: 'GET', path: '/v2/call_control_applications/conn-1' })
  })

  test.each([
    ['/to', 'to'],
    ['/timeout_secs', 'ringSeconds'],
    ['/stream_url', 'url'],
  ])('name the field of the pointer %s [STREAM-8]', async (pointer, field) => {
    const error = { code: '10015', title: 'Bad', detail: 'Not KEYs3cret valid', source: { pointer } }
    server.respond({ status: 422, body: { errors: [error] } })
    const failure = await rejectionOf(telnyx.dial(outgoing))
    expect(failure).toMatchObject({ code: 'rejected', field, isOutcomeUnknown: false })
    expect(failure.message).toBe(`Telnyx rejected \`${field}\` (HTTP 422, code 10015). Not [hidden] valid`)
  })
})
