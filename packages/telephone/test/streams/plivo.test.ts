import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Plivo } from '#telephone/streams/plivo.js'
import { signPlivoRequest } from '#telephone/streams/plivo-signature.js'
import { type CarrierServer, startCarrierServer } from './support/carrier-server.js'
import { incoming, outgoing, post, postForm, rejectionOf, target } from './support/test-calls.js'

const authToken = 's3cret'
let server: CarrierServer
let plivo: Plivo

beforeAll(async () => {
  server = await startCarrierServer()
  const account = { authId: 'MA1', authToken, webhookUrl: 'https://example.com/hook', baseUrl: server.url }
  plivo = new Plivo(account, { fetch })
})

afterAll(() => server.close())

const body = 'To=4930222&From=4930111&CallUUID=call-1'
const url = 'https://example.com/hook?b=2&a=1'

function signed(request = post(body, {}, url), nonce = 'n1') {
  const signature = signPlivoRequest(authToken, request, nonce)
  return {
    ...request,
    headers: { 'x-plivo-signature-v3': `other,${signature}`, 'x-plivo-signature-v3-nonce': nonce },
  }
}

const lastRequest = () => {
  const request = server.requests.at(-1)
  return { ...request, json: request?.body ? JSON.parse(request.body) : null }
}

describe("Plivo's signature", () => {
  test('is accepted with any order of the fields, and among several', () => {
    expect(plivo.isAuthentic(signed())).toBe(true)
    expect(plivo.isAuthentic({ ...signed(), body: 'CallUUID=call-1&From=4930111&To=4930222' })).toBe(true)
    expect(plivo.isAuthentic(signed({ method: 'GET', url, headers: {}, body: '' }))).toBe(true)
  })

  test.each([
    ['a changed field', { ...signed(), body: `${body}9` }],
    ['a changed query', { ...signed(), url: `${url}&c=3` }],
    ['another host', { ...signed(), url: url.replace('example.com', 'example.org') }],
    ['another method', { ...signed(), method: 'GET' }],
    ['another nonce', { ...signed(), headers: { ...signed().headers, 'x-plivo-signature-v3-nonce': 'n2' } }],
    [
      'no nonce',
      { ...signed(), headers: { 'x-plivo-signature-v3': signed().headers['x-plivo-signature-v3'] } },
    ],
    ['no signature', post(body, {}, url)],
  ])('is rejected for %s [STREAM-1]', (_, request) => {
    expect(plivo.isAuthentic(request)).toBe(false)
  })

  test('is checked on a handshake if it has one', () => {
    const handshake = { method: 'GET', url: 'wss://example.com/media', headers: {}, body: '' }
    expect(plivo.isAuthentic(handshake, 'handshake')).toBe(true)
    expect(plivo.isAuthentic(signed(handshake), 'handshake')).toBe(true)
    expect(plivo.isAuthentic({ ...signed(handshake), url: 'wss://example.org/media' }, 'handshake')).toBe(
      false,
    )
    // A webhook with the headers of a handshake still needs a signature.
    expect(plivo.isAuthentic({ ...handshake, headers: { upgrade: 'websocket' } })).toBe(false)
  })
})

describe("Plivo's webhooks", () => {
  const call = {
    CallUUID: 'call-1',
    From: '4930111',
    To: '4930222',
    Direction: 'inbound',
    CallStatus: 'ringing',
  }

  test('announce a call, and ask for the stream of our own', () => {
    expect(plivo.readIncomingCall(postForm(call))).toEqual(incoming)
    expect(plivo.readIncomingCall(postForm({ ...call, From: 'anonymous' }))?.from).toBe(null)
    const answered = { ...call, Direction: 'outbound', CallStatus: 'in-progress' }
    expect(plivo.readIncomingCall(postForm(answered))).toMatchObject({ callId: 'call-1', direction: 'out' })
    expect(plivo.readIncomingCall(postForm({ ...answered, CallStatus: 'ringing' }))).toBe(null)
    expect(plivo.readIncomingCall(postForm({ ...answered, Event: 'StartApp' }))).not.toBe(null)
    expect(plivo.readIncomingCall(postForm({ ...answered, Event: 'MachineDetection' }))).toBe(null)
    expect(plivo.readIncomingCall(postForm({ ...call, HangupCause: 'NORMAL_CLEARING' }))).toBe(null)
  })

  test.each([
    [{ CallStatus: 'ringing' }, 'ringing', null],
    [{ CallStatus: 'in-progress' }, 'up', 'answered'],
    [{ CallStatus: 'completed', HangupCause: 'NORMAL_CLEARING' }, 'ended', 'answered'],
    [{ CallStatus: 'completed', Machine: 'true' }, 'ended', 'voicemail'],
    [{ Event: 'MachineDetection', CallStatus: 'in-progress', Machine: 'true' }, 'up', 'voicemail'],
    [{ Machine: 'true' }, 'up', 'voicemail'],
    [{ CallStatus: 'busy' }, 'ended', 'busy'],
    [{ CallStatus: 'failed', HangupCause: 'CALL_REJECTED' }, 'ended', 'rejected'],
    [{ CallStatus: 'no-answer' }, 'ended', 'no_answer'],
    [{ CallStatus: 'cancel' }, 'ended', 'no_answer'],
    [{ CallStatus: 'failed' }, 'ended', 'failed'],
  ])('report %j', (fields, state, outcome) => {
    expect(plivo.readStatus(postForm({ CallUUID: 'call-1', ...(fields as Record<string, string>) }))).toEqual(
      {
        callId: 'call-1',
        state,
        outcome,
      },
    )
  })

  test('have answers in XML', async () => {
    expect((await plivo.answer(incoming, target)).body).toContain(
      '<Response><Stream bidirectional="true" keepCallAlive="true" contentType="audio/x-mulaw;rate=8000" ' +
        'extraHeaders="token=onetime">wss://example.com/phone/media</Stream></Response>',
    )
    expect((await plivo.reject(incoming, 'busy')).body).toContain(
      '<Response><Hangup reason="busy"/></Response>',
    )
    expect((await plivo.say(incoming, { text: 'Bye', language: 'en-US' })).body).toContain(
      '<Response><Speak language="en-US">Bye</Speak><Hangup/></Response>',
    )
  })
})

describe("Plivo's commands", () => {
  test('dial with URLs for the answer and the states', async () => {
    server.respond({ status: 201, body: { request_uuid: 'request-1', message: 'call fired' } })
    expect(await plivo.dial(outgoing)).toBe('request-1')
    expect(lastRequest()).toMatchObject({
      method: 'POST',
      path: '/v1/Account/MA1/Call/',
      headers: { authorization: `Basic ${btoa('MA1:s3cret')}` },
      json: {
        to: '4930333',
        from: '4930222',
        answer_url: outgoing.answerUrl,
        hangup_url: outgoing.statusUrl,
        time_limit: 600,
        machine_detection: 'true',
      },
    })
  })

  test('hang up and send digits', async () => {
    server.respond({ status: 204, body: '' })
    await plivo.hangUp('call-1')
    expect(lastRequest()).toMatchObject({ method: 'DELETE', path: '/v1/Account/MA1/Call/call-1/' })
    await plivo.sendDigits('call-1', '12#')
    expect(lastRequest()).toMatchObject({
      path: '/v1/Account/MA1/Call/call-1/DTMF/',
      json: { digits: '12#' },
    })
  })

  test('check the account', async () => {
    await plivo.check()
    expect(lastRequest()).toMatchObject({ method: 'GET', path: '/v1/Account/MA1/' })
  })

  test('transfer to instructions that Plivo fetches here', async () => {
    await plivo.transfer('call-1', { to: '+4930999', from: '+4930222' })
    const { json } = lastRequest()
    expect(json.legs).toBe('aleg')
    expect(await plivo.react(post(body))).toBe(null)
    expect((await plivo.react(post(body, {}, json.aleg_url)))?.body).toContain(
      '<Response><Dial callerId="4930222"><Number>4930999</Number></Dial></Response>',
    )
    await plivo.transfer('call-1', { to: 'sip:anna@phone.plivo.com', from: null })
    expect((await plivo.react(post(body, {}, lastRequest().json.aleg_url)))?.body).toContain(
      '<Dial><User>sip:anna@phone.plivo.com</User></Dial>',
    )
  })

  test('name the field that Plivo rejects', async () => {
    server.respond({ status: 400, body: { api_id: '1', error: 'from parameter is not valid' } })
    expect(await rejectionOf(plivo.dial(outgoing))).toMatchObject({ code: 'rejected', field: 'from' })
    server.respond({ status: 401, body: 'Could not verify your access level for that URL.' })
    expect(await rejectionOf(plivo.hangUp('call-1'))).toMatchObject({ code: 'unauthorized', field: null })
  })
})
