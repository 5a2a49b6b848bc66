import { createHash, createHmac, generateKeyPairSync, sign } from 'node:crypto'
import type { CarrierScript, Reported, Webhook } from './carrier-script.js'
import { authToken, signTwilio, streamIn } from './scripted-twilio.js'

const form = (fields: Readonly<Record<string, string>>): Webhook => ({
  method: 'POST',
  contentType: 'application/x-www-form-urlencoded',
  body: new URLSearchParams(fields).toString(),
})

const json = (value: object): Webhook => ({
  method: 'POST',
  contentType: 'application/json',
  body: JSON.stringify(value),
})

const withoutPlus = (number: string) => number.replace('+', '')

const twilioStates: Readonly<Record<Exclude<Reported, 'voicemail'>, string>> = {
  ringing: 'ringing',
  answered: 'in-progress',
  busy: 'busy',
  ended: 'completed',
}

const twilio: CarrierScript = {
  kind: 'twilio',
  account: { kind: 'twilio', accountId: 'AC1', secret: authToken },
  respond: (_request, callId) => ({ sid: callId }),
  announce: ({ callId, from, to }) =>
    form({ CallSid: callId, From: from, To: to, CallStatus: 'ringing', Direction: 'inbound' }),
  report: (state, { callId, from, to }) =>
    state === 'voicemail'
      ? form({ CallSid: callId, AnsweredBy: 'machine_start' })
      : form({
          ...{ CallSid: callId, From: from, To: to, CallStatus: twilioStates[state] },
          CallbackSource: 'call-progress-events',
        }),
  sign: ({ body }, url) => ({
    'x-twilio-signature': signTwilio(url, Object.fromEntries(new URLSearchParams(body))),
  }),
  signHandshake: (url) => ({ 'x-twilio-signature': signTwilio(url) }),
  subprotocols: [],
  streamIn: (body) => streamIn(new URLSearchParams(body).get('Twiml') ?? body),
  isDial: ({ path }) => path.endsWith('/Calls.json'),
  dialed: ({ body }) => {
    const fields = new URLSearchParams(body)
    return { to: fields.get('To') ?? '', statusUrl: fields.get('StatusCallback') ?? '', asks: null }
  },
  outgoingStart: (callId) => callId,
  isHangUp: ({ path, body }, callId) => path.includes(callId) && body === 'Status=completed',
  isTransfer: ({ path, body }, callId) => path.includes(callId) && body.includes('Dial'),
  isRefusal: (body) => body.includes('<Reject'),
}

const telnyxKeys = generateKeyPairSync('ed25519')
const telnyxPublicKey = Buffer.from(telnyxKeys.publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')

const telnyxEvents: Readonly<Record<Reported, object>> = {
  ringing: { event_type: 'call.initiated', payload: { direction: 'outgoing' } },
  answered: { event_type: 'call.answered', payload: {} },
  busy: { event_type: 'call.hangup', payload: { hangup_cause: 'user_busy' } },
  ended: { event_type: 'call.hangup', payload: { hangup_cause: 'normal_clearing' } },
  voicemail: { event_type: 'call.machine.detection.ended', payload: { result: 'machine' } },
}

const telnyxEvent = (callId: string, { payload, ...event }: { payload?: object }) =>
  json({ data: { ...event, payload: { ...payload, call_control_id: callId } } })

const telnyxAction = (callId: string, name: string) => `/v2/calls/${callId}/actions/${name}`

const telnyx: CarrierScript = {
  kind: 'telnyx',
  account: {
    ...{ kind: 'telnyx', accountId: '1684641123236054244', secret: 'KEY-telnyx' },
    webhookSecret: telnyxPublicKey.toString('base64'),
  },
  respond: (_request, callId) => ({ data: { call_control_id: callId } }),
  announce: ({ callId, from, to }) =>
    telnyxEvent(callId, {
      ...{ event_type: 'call.initiated', payload: { direction: 'incoming', from, to } },
    }),
  report: (state, { callId }) => telnyxEvent(callId, telnyxEvents[state]),
  sign({ body }) {
    const timestamp = String(Math.floor(Date.now() / 1000))
    const signature = sign(null, Buffer.from(`${timestamp}|${body}`), telnyxKeys.privateKey)
    return { 'telnyx-timestamp': timestamp, 'telnyx-signature-ed25519': signature.toString('base64') }
  },
  signHandshake: () => ({}),
  subprotocols: [],
  isAnswer: ({ path }, callId) => path === telnyxAction(callId, 'answer'),
  streamIn(body) {
    const { stream_url: url, client_state: state } = JSON.parse(body)
    return { url, token: Buffer.from(state, 'base64').toString() }
  },
  isDial: ({ path }) => path === '/v2/calls',
  dialed({ body }) {
    const { to, webhook_url: statusUrl } = JSON.parse(body)
    return { to, statusUrl, asks: null }
  },
  outgoingStart: (callId) => callId,
  isHangUp: ({ path }, callId) => path === telnyxAction(callId, 'hangup'),
  isTransfer: ({ path }, callId) => path === telnyxAction(callId, 'transfer'),
  digitsIn: ({ path, body }, callId) =>
    path === telnyxAction(callId, 'send_dtmf') ? JSON.parse(body).digits : null,
}

const plivoToken = 'a-plivo-auth-token'

/** Signs as Plivo documents it: the URL, its query, the sorted fields of the form and a nonce. */
function signPlivo(url: string, { method, body }: Webhook): string {
  const [address = '', question = ''] = url.split('?')
  const query = [...new URLSearchParams(question)].sort().map(([name, value]) => `${name}=${value}`)
  const fields = method === 'GET' ? [] : [...new URLSearchParams(body)].sort().flat()
  const both = [query.join('&'), fields.join('')].filter((part) => part !== '')
  const text = `${address}${both.length > 0 ? '?' : ''}${both.join('.')}.12345`
  return createHmac('sha256', plivoToken).update(text).digest('base64')
}

const plivoStates: Readonly<Record<Reported, Readonly<Record<string, string>>>> = {
  ringing: { CallStatus: 'ringing', Event: 'Ring' },
  answered: { CallStatus: 'in-progress', Event: 'Answer' },
  busy: { CallStatus: 'busy', Event: 'Hangup', HangupCause: 'USER_BUSY' },
  ended: { CallStatus: 'completed', Event: 'Hangup', HangupCause: 'NORMAL_CLEARING' },
  voicemail: { Machine: 'true', Event: 'MachineDetection' },
}

const plivoCall = (callId: string) => `/v1/Account/MA1/Call/${callId}/`

const plivo: CarrierScript = {
  kind: 'plivo',
  account: { kind: 'plivo', accountId: 'MA1', secret: plivoToken },
  respond: () => ({ request_uuid: 'request-of-plivo' }),
  announce: ({ callId, from, to }) =>
    form({
      ...{ CallUUID: callId, From: withoutPlus(from), To: withoutPlus(to), Direction: 'inbound' },
      ...{ CallStatus: 'ringing', Event: 'StartApp' },
    }),
  report: (state, { callId, from, to }) =>
    form({
      ...{ CallUUID: callId, From: withoutPlus(from), To: withoutPlus(to), Direction: 'outbound' },
      ...plivoStates[state],
    }),
  sign: (webhook, url) => ({
    'x-plivo-signature-v3': signPlivo(url, webhook),
    'x-plivo-signature-v3-nonce': '12345',
  }),
  signHandshake: () => ({}),
  subprotocols: ['audio.plivo.com'],
  streamIn(markup) {
    const [, token, url] = /<Stream [^>]*extraHeaders="token=([^"]+)"[^>]*>([^<]+)</.exec(markup) ?? []
    if (url === undefined || token === undefined) throw new Error(`The markup has no stream: ${markup}`)
    return { url, token }
  },
  isDial: ({ method, path }) => method === 'POST' && path === '/v1/Account/MA1/Call/',
  dialed({ body }) {
    const { to, ring_url: statusUrl, answer_url: asks } = JSON.parse(body)
    return { to: `+${to}`, statusUrl, asks }
  },
  askForStream: ({ callId, from, to }) =>
    form({
      ...{ CallUUID: callId, From: withoutPlus(from), To: withoutPlus(to), Direction: 'outbound' },
      ...{ CallStatus: 'in-progress', Event: 'StartApp' },
    }),
  outgoingStart: (callId) => callId,
  isHangUp: ({ method, path }, callId) => method === 'DELETE' && path === plivoCall(callId),
  isTransfer: ({ method, path }, callId) => method === 'POST' && path === plivoCall(callId),
  isRefusal: (body) => body.includes('<Hangup'),
}

const signatureSecret = 'a-vonage-signature-secret'
const vonageKey = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { format: 'pem', type: 'spki' },
  privateKeyEncoding: { format: 'pem', type: 'pkcs8' },
}).privateKey

function vonageAuthorization(payload: string | null): Readonly<Record<string, string>> {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const hash = payload === null ? null : createHash('sha256').update(payload).digest('hex')
  const claims = {
    ...{ application_id: 'app-1', iat: Math.floor(Date.now() / 1000) },
    ...(hash !== null && { payload_hash: hash }),
  }
  const text = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`
  const signature = createHmac('sha256', signatureSecret).update(text).digest('base64url')
  return { authorization: `Bearer ${text}.${signature}` }
}

const vonageStates: Readonly<Record<Reported, string>> = {
  ringing: 'ringing',
  answered: 'answered',
  busy: 'busy',
  ended: 'completed',
  voicemail: 'machine',
}

const vonageCall = (callId: string) => `/v1/calls/${callId}`

const vonage: CarrierScript = {
  kind: 'vonage',
  account: { kind: 'vonage', accountId: 'app-1', secret: vonageKey, webhookSecret: signatureSecret },
  respond: (_request, callId) => ({ uuid: callId, status: 'started' }),
  announce: ({ callId, from, to }) => ({
    method: 'GET',
    query: { uuid: callId, from: withoutPlus(from), to: withoutPlus(to), conversation_uuid: 'CON-1' },
    body: '',
  }),
  report: (state, { callId, from, to }) =>
    json({ uuid: callId, from: withoutPlus(from), to: withoutPlus(to), status: vonageStates[state] }),
  sign: ({ method, body }, url) =>
    vonageAuthorization(
      method === 'GET' ? JSON.stringify(Object.fromEntries(new URL(url).searchParams)) : body,
    ),
  signHandshake: () => vonageAuthorization(null),
  subprotocols: [],
  streamIn(body) {
    const actions = JSON.parse(body)
    const { uri: url, headers } = (actions.ncco ?? actions)[0].endpoint[0]
    return { url, token: headers.token }
  },
  isDial: ({ method, path }) => method === 'POST' && path === '/v1/calls',
  dialed({ body }) {
    const { to, event_url: urls } = JSON.parse(body)
    return { to: `+${to[0].number}`, statusUrl: urls[0], asks: null }
  },
  outgoingStart: () => '',
  isHangUp: ({ path, body }, callId) => path === vonageCall(callId) && body.includes('"hangup"'),
  isTransfer: ({ path, body }, callId) => path === vonageCall(callId) && body.includes('"transfer"'),
  digitsIn: ({ path, body }, callId) =>
    path === `${vonageCall(callId)}/dtmf` ? JSON.parse(body).digits : null,
  isRefusal: (body) => body === '[]',
}

export const carrierScripts: readonly CarrierScript[] = [twilio, telnyx, plivo, vonage]
