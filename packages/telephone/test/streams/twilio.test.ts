import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CarrierApi, CarrierError } from '#telephone/streams/carrier-api.js'
import { Twilio } from '#telephone/streams/twilio.js'
import { type CarrierServer, startCarrierServer } from './support/carrier-server.js'

let server: CarrierServer
let twilio: Twilio

beforeAll(async () => {
  server = await startCarrierServer()
  twilio = new Twilio({ accountSid: 'AC1', authToken: 's3cret', baseUrl: server.url }, { fetch })
})

afterAll(() => server.close())

const call = { callId: 'CA1', direction: 'in', from: '+4930111', to: '+4930222' } as const
const stream = { url: 'wss://example.com/phone/media', token: 'a<&"\'b' }
const outgoing = {
  ...stream,
  to: '+4930333',
  from: '+4930222',
  statusUrl: 'https://example.com/phone/status',
  answerUrl: 'https://example.com/phone/answer',
  ringSeconds: 30,
  maxSeconds: 600,
  detectsVoicemail: true,
  idempotencyKey: 'key-1',
}

const form = (fields: Record<string, string>) => ({
  method: 'POST',
  url: 'https://example.com',
  headers: {},
  body: new URLSearchParams(fields).toString(),
})

async function rejectionOf(promise: Promise<unknown>): Promise<CarrierError> {
  const error = await promise.catch((reason: unknown) => reason)
  if (!(error instanceof CarrierError)) throw new Error(`not a CarrierError: ${error}`)
  return error
}

describe('Twilio answers', () => {
  test('connect the call to the socket with an escaped token', async () => {
    expect(await twilio.answer(call, stream)).toEqual({
      contentType: 'text/xml',
      body:
        '<?xml version="1.0" encoding="UTF-8"?><Response><Connect><Stream url="wss://example.com/phone/media">' +
        '<Parameter name="token" value="a&lt;&amp;&quot;&apos;b"/></Stream></Connect></Response>',
    })
  })

  test.each(['busy', 'rejected'] as const)('refuse a call as %s', async (reason) => {
    expect((await twilio.reject(call, reason)).body).toContain(
      `<Response><Reject reason="${reason}"/></Response>`,
    )
  })

  test('say a sentence and hang up', async () => {
    const { body } = await twilio.say(call, { text: 'Bye \u0000& <thanks>', language: 'de-DE' })
    expect(body).toContain(
      '<Response><Say language="de-DE">Bye &amp; &lt;thanks&gt;</Say><Hangup/></Response>',
    )
  })
})

describe('Twilio webhooks', () => {
  test('announce a call', () => {
    const readIncomingCall = (fields: Record<string, string>) => twilio.readIncomingCall(form(fields))
    expect(readIncomingCall({ CallSid: 'CA1', From: '+4930111', To: '+4930222' })).toEqual(call)
    expect(readIncomingCall({ CallSid: 'CA1', From: '+266696687', To: '+4930222' })?.from).toBe(null)
    expect(readIncomingCall({ CallSid: 'CA1', From: 'Anonymous', To: '+4930222' })?.from).toBe(null)
    expect(readIncomingCall({ From: '+4930111', To: '+4930222' })).toBe(null)
    const fields = { CallSid: 'CA1', From: '+4930111', To: '+4930222' }
    expect(readIncomingCall({ ...fields, CallStatus: 'ringing' })).toEqual(call)
    expect(readIncomingCall({ ...fields, CallbackSource: 'call-progress-events' })).toBe(null)
    expect(readIncomingCall({ ...fields, CallStatus: 'completed' })).toBe(null)
  })

  test.each([
    [{ CallStatus: 'queued' }, 'dialing', null],
    [{ CallStatus: 'initiated' }, 'dialing', null],
    [{ CallStatus: 'ringing' }, 'ringing', null],
    [{ CallStatus: 'in-progress' }, 'up', 'answered'],
    [{ CallStatus: 'completed' }, 'ended', 'answered'],
    [{ CallStatus: 'completed', AnsweredBy: 'machine_end_beep' }, 'ended', 'voicemail'],
    [{ AnsweredBy: 'machine_start' }, 'up', 'voicemail'],
    [{ CallStatus: 'busy', SipResponseCode: '486' }, 'ended', 'busy'],
    [{ CallStatus: 'busy', SipResponseCode: '603' }, 'ended', 'rejected'],
    [{ CallStatus: 'no-answer' }, 'ended', 'no_answer'],
    [{ CallStatus: 'canceled' }, 'ended', 'no_answer'],
    [{ CallStatus: 'failed', SipResponseCode: '404' }, 'ended', 'failed'],
  ])('report %j', (fields, state, outcome) => {
    expect(twilio.readStatus(form({ CallSid: 'CA1', ...fields }))).toEqual({ callId: 'CA1', state, outcome })
  })

  test.each([
    {},
    { CallSid: 'CA1' },
    { CallSid: 'CA1', CallStatus: 'toString' },
    { CallSid: 'CA1', AnsweredBy: 'human' },
  ])('report no state with %j', (fields) => {
    expect(twilio.readStatus(form(fields as Record<string, string>))).toBe(null)
  })
})

describe('Twilio commands', () => {
  test('dial a number', async () => {
    server.respond({ status: 201, body: { sid: 'CA7', status: 'queued' } })
    expect(await twilio.dial(outgoing)).toBe('CA7')
    const request = server.requests.at(-1)
    expect(request).toMatchObject({ method: 'POST', path: '/2010-04-01/Accounts/AC1/Calls.json' })
    expect(request?.headers.authorization).toBe(`Basic ${btoa('AC1:s3cret')}`)
    const fields = new URLSearchParams(request?.body)
    expect(Object.fromEntries(fields)).toMatchObject({
      To: '+4930333',
      From: '+4930222',
      Timeout: '30',
      TimeLimit: '600',
      StatusCallback: outgoing.statusUrl,
      MachineDetection: 'Enable',
      AsyncAmd: 'true',
    })
    expect(fields.getAll('StatusCallbackEvent')).toEqual(['initiated', 'ringing', 'answered', 'completed'])
    expect(fields.get('Twiml')).toContain('<Stream url="wss://example.com/phone/media">')
  })

  test('check the account', async () => {
    await twilio.check()
    expect(server.requests.at(-1)).toMatchObject({ method: 'GET', path: '/2010-04-01/Accounts/AC1.json' })
  })

  test('hang up and transfer', async () => {
    await twilio.hangUp('CA1')
    expect(server.requests.at(-1)).toMatchObject({
      path: '/2010-04-01/Accounts/AC1/Calls/CA1.json',
      body: 'Status=completed',
    })
    await twilio.transfer('CA1', { to: '+49<30', from: '+4930222' })
    expect(new URLSearchParams(server.requests.at(-1)?.body).get('Twiml')).toContain(
      '<Response><Dial callerId="+4930222"><Number>+49&lt;30</Number></Dial></Response>',
    )
    await twilio.transfer('CA1', { to: 'sip:anna@example.com', from: null })
    expect(new URLSearchParams(server.requests.at(-1)?.body).get('Twiml')).toContain(
      '<Dial><Sip>sip:anna@example.com</Sip></Dial>',
    )
  })

  test.each([
    [400, 21_211, 'to', 'rejected'],
    [400, 21_212, 'from', 'rejected'],
    [400, 99_999, null, 'rejected'],
    [401, 20_003, null, 'unauthorized'],
    [404, 20_404, null, 'not_found'],
    [429, 20_429, null, 'rate_limited'],
    [503, 20_503, null, 'unavailable'],
  ])('fail with HTTP %i and code %i [STREAM-8]', async (status, code, field, expected) => {
    server.respond({ status, body: { code, message: `Wrong, s3cret ${btoa('AC1:s3cret')}`, status } })
    const error = await rejectionOf(twilio.dial(outgoing))
    expect(error).toMatchObject({ code: expected, field, status, isOutcomeUnknown: status === 503 })
    expect(error.message).toContain(String(code))
    if (field) expect(error.message).toContain(`\`${field}\``)
    expect(error.message).not.toContain('s3cret')
    expect(error.message).not.toContain(btoa('AC1:s3cret'))
  })

  test.each([
    ['not JSON', { body: '<html>' }],
    ['no ID', { status: 201, body: { status: 'queued' } }],
    ['too long', { body: 'x'.repeat(100_000) }],
  ])('fail for a response that is %s', async (_, response) => {
    server.respond(response)
    expect(await rejectionOf(twilio.dial(outgoing))).toMatchObject({
      code: 'invalid_response',
      isOutcomeUnknown: true,
    })
  })

  test('report an unknown outcome if nothing answers in time', async () => {
    const api = new CarrierApi({
      carrier: 'Twilio',
      baseUrl: server.url,
      fetch,
      authorize: () => ({}),
      secrets: [],
      readComplaint: () => null,
      timeoutMilliseconds: 20,
    })
    server.respond({ isSilent: true })
    const error = await rejectionOf(api.send({ method: 'POST', path: '/' }))
    expect(error).toMatchObject({ code: 'unavailable', isOutcomeUnknown: true })
    expect(error.message).toBe('Twilio did not respond in time.')
  })

  test('do not follow redirects, which would send the credentials elsewhere', async () => {
    server.respond({ status: 307, location: `${server.url}/elsewhere` })
    expect(await rejectionOf(twilio.hangUp('CA1'))).toMatchObject({ code: 'unavailable' })
    expect(server.requests.at(-1)?.path).toContain('/Calls/CA1.json')
  })
})
