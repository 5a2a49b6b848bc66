import { createHash, createHmac, createVerify, generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { InvalidAccount } from '#telephone/streams/invalid-account.js'
import { Vonage } from '#telephone/streams/vonage.js'
import { type CarrierServer, startCarrierServer } from './support/carrier-server.js'
import { incoming, outgoing, post, postJson, rejectionOf, target } from './support/test-calls.js'

const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
const privateKey = keys.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
const now = 1_790_000_000
const signatureSecret = 's3cret'

let server: CarrierServer
let vonage: Vonage

beforeAll(async () => {
  server = await startCarrierServer()
  const account = { applicationId: 'app-1', privateKey, signatureSecret, baseUrl: server.url }
  vonage = new Vonage(account, { fetch, now: () => now * 1000 })
})

afterAll(() => server.close())

test('an account needs an RSA key in PEM, and the error does not quote it', () => {
  const ed25519 = generateKeyPairSync('ed25519')
    .privateKey.export({ format: 'pem', type: 'pkcs8' })
    .toString()
  for (const wrong of ['no key', ed25519, privateKey.slice(0, 200)]) {
    const account = { applicationId: 'app-1', privateKey: wrong, signatureSecret }
    const make = () => new Vonage(account, { fetch: () => Promise.reject(new Error('unused')) })
    expect(make).toThrow(new InvalidAccount('privateKey', 'must be an RSA key in PEM.'))
  }
})

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const hash = (text: string) => createHash('sha256').update(text).digest('hex')

function token(claims: object, { alg = 'HS256', secret = signatureSecret } = {}): string {
  const text = `${encode({ alg, typ: 'JWT' })}.${encode({ iat: now, application_id: 'app-1', ...claims })}`
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}

const body = '{"uuid":"call-1"}'
const withToken = (value: string) => post(body, { authorization: `Bearer ${value}` })
const handshake = (claims: object) => ({
  method: 'GET',
  url: 'wss://example.com/media',
  headers: { authorization: `Bearer ${token(claims)}` },
  body: '',
})

const lastRequest = () => {
  const request = server.requests.at(-1)
  return { ...request, json: JSON.parse(request?.body || 'null') }
}

describe("Vonage's signature", () => {
  test('is accepted for the body that it hashes', () => {
    expect(vonage.isAuthentic(withToken(token({ payload_hash: hash(body) })))).toBe(true)
  })

  test('is accepted for the query of a GET', () => {
    const payload_hash = hash('{"to":"4930222","from":"4930111"}')
    const url = 'https://example.com/hook?to=4930222&from=4930111'
    const headers = { authorization: `Bearer ${token({ payload_hash })}` }
    expect(vonage.isAuthentic({ method: 'GET', url, headers, body: '' })).toBe(true)
    expect(vonage.isAuthentic({ method: 'GET', url: `${url}1`, headers, body: '' })).toBe(false)
  })

  test('is accepted on a handshake', () => {
    expect(vonage.isAuthentic(handshake({}), 'handshake')).toBe(true)
    expect(vonage.isAuthentic(handshake({ iat: now - 301 }), 'handshake')).toBe(false)
  })

  const payload_hash = hash(body)
  test.each([
    ['another body', withToken(token({ payload_hash: hash('other') }))],
    ['a body without a hash', withToken(token({}))],
    ['another secret', withToken(token({ payload_hash }, { secret: 'other' }))],
    ['an old token', withToken(token({ payload_hash, iat: now - 301 }))],
    ['a token of the future', withToken(token({ payload_hash, iat: now + 301 }))],
    ['an expired token', withToken(token({ payload_hash, exp: now - 1 }))],
    ['a token without a time', withToken(token({ payload_hash, iat: undefined }))],
    ['another application', withToken(token({ payload_hash, application_id: 'app-2' }))],
    ['another algorithm', withToken(token({ payload_hash }, { alg: 'none' }))],
    [
      'a token without a signature',
      withToken(`${token({ payload_hash }).split('.').slice(0, 2).join('.')}.`),
    ],
    ['a token of four parts', withToken(`${token({ payload_hash })}.x`)],
    ['no token', post(body)],
    ['another scheme', post(body, { authorization: `Basic ${token({ payload_hash })}` })],
  ])('is rejected for %s [STREAM-1]', (_, request) => {
    expect(vonage.isAuthentic(request)).toBe(false)
  })
})

describe("Vonage's webhooks", () => {
  const call = { uuid: 'call-1', from: '4930111', to: '4930222', conversation_uuid: 'CON-1' }

  test('announce a call by POST or GET', () => {
    expect(vonage.readIncomingCall(postJson(call))).toEqual(incoming)
    const url = `https://example.com/hook?${new URLSearchParams(call)}`
    expect(vonage.readIncomingCall({ method: 'GET', url, headers: {}, body: '' })).toEqual(incoming)
    expect(vonage.readIncomingCall(postJson({ ...call, from: 'Anonymous' }))?.from).toBe(null)
    expect(vonage.readIncomingCall(postJson({ ...call, status: 'ringing' }))).toBe(null)
    expect(vonage.readIncomingCall(post('[]'))).toBe(null)
  })

  test.each([
    ['started', 'dialing', null],
    ['ringing', 'ringing', null],
    ['answered', 'up', 'answered'],
    ['machine', 'up', 'voicemail'],
    ['completed', 'ended', 'answered'],
    ['busy', 'ended', 'busy'],
    ['rejected', 'ended', 'rejected'],
    ['timeout', 'ended', 'no_answer'],
    ['unanswered', 'ended', 'no_answer'],
    ['failed', 'ended', 'failed'],
  ])('report %s', (status, state, outcome) => {
    expect(vonage.readStatus(postJson({ ...call, status }))).toEqual({ callId: 'call-1', state, outcome })
  })

  test('report no state that is unknown', () => {
    expect(vonage.readStatus(postJson({ ...call, status: 'toString' }))).toBe(null)
    expect(vonage.readStatus(postJson({ status: 'answered' }))).toBe(null)
  })

  test('have answers in JSON', async () => {
    expect(JSON.parse((await vonage.answer(incoming, target)).body)).toEqual([
      {
        action: 'connect',
        endpoint: [
          {
            type: 'websocket',
            uri: target.url,
            'content-type': 'audio/l16;rate=8000',
            headers: { token: 'onetime', callId: 'call-1' },
            authorization: { type: 'vonage' },
          },
        ],
      },
    ])
    expect((await vonage.reject()).body).toBe('[]')
    expect(JSON.parse((await vonage.say(incoming, { text: 'Bye', language: 'en-US' })).body)).toEqual([
      { action: 'talk', text: 'Bye', language: 'en-US' },
    ])
  })
})

describe("Vonage's commands", () => {
  test('are signed with the private key', async () => {
    await vonage.hangUp('call-1')
    const [header = '', claims = '', signature = ''] =
      lastRequest().headers?.authorization?.replace('Bearer ', '').split('.') ?? []
    const isValid = createVerify('RSA-SHA256')
      .update(`${header}.${claims}`)
      .verify(keys.publicKey, signature, 'base64url')
    expect(isValid).toBe(true)
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      application_id: 'app-1',
      iat: now,
      exp: now + 60,
    })
  })

  test('dial with the stream as instructions', async () => {
    server.respond({ status: 201, body: { uuid: 'call-9', status: 'started' } })
    expect(await vonage.dial(outgoing)).toBe('call-9')
    expect(lastRequest()).toMatchObject({
      method: 'POST',
      path: '/v1/calls',
      json: {
        to: [{ type: 'phone', number: '4930333' }],
        from: { type: 'phone', number: '4930222' },
        ncco: [{ action: 'connect', endpoint: [{ uri: target.url, headers: { token: 'onetime' } }] }],
        event_url: [outgoing.statusUrl],
        ringing_timer: 30,
        length_timer: 600,
        advanced_machine_detection: { behavior: 'continue', mode: 'detect' },
      },
    })
  })

  test('hang up, transfer and send digits', async () => {
    server.respond({ status: 204, body: '' })
    await vonage.hangUp('call-1')
    expect(lastRequest()).toMatchObject({
      method: 'PUT',
      path: '/v1/calls/call-1',
      json: { action: 'hangup' },
    })
    await vonage.transfer('call-1', { to: '+4930999', from: '+4930222' })
    expect(lastRequest().json).toEqual({
      action: 'transfer',
      destination: {
        type: 'ncco',
        ncco: [{ action: 'connect', endpoint: [{ type: 'phone', number: '4930999' }], from: '4930222' }],
      },
    })
    await vonage.transfer('call-1', { to: '+4930999', from: null, ownNumber: '+4930222' })
    expect(lastRequest().json.destination.ncco[0].from).toBe('4930222')
    await vonage.transfer('call-1', { to: 'sip:anna@example.com', from: null })
    expect(lastRequest().json.destination.ncco[0].endpoint).toEqual([
      { type: 'sip', uri: 'sip:anna@example.com' },
    ])
    await vonage.sendDigits('call-1', '12#')
    expect(lastRequest()).toMatchObject({ path: '/v1/calls/call-1/dtmf', json: { digits: '12#' } })
  })

  test('check the account', async () => {
    server.respond({ status: 401, body: { title: 'Unauthorized', detail: 'Wrong key.' } })
    expect(await rejectionOf(vonage.check())).toMatchObject({ code: 'unauthorized', status: 401 })
    expect(lastRequest()).toMatchObject({ method: 'GET', path: '/v1/calls?page_size=1' })
  })

  test('name the parameter that Vonage rejects, and hide the secrets', async () => {
    server.respond({
      status: 400,
      body: {
        title: 'Bad Request',
        detail: `Wrong ${signatureSecret}`,
        invalid_parameters: [{ name: 'to', reason: 'bad' }],
      },
    })
    const error = await rejectionOf(vonage.dial(outgoing))
    expect(error).toMatchObject({ code: 'rejected', field: 'to' })
    expect(error.message).toBe('Vonage rejected `to` (HTTP 400). Wrong [hidden]')
  })
})
