import { createHash, createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { Plivo } from '#telephone/streams/plivo.js'
import { signPlivoRequest } from '#telephone/streams/plivo-signature.js'
import { Telnyx } from '#telephone/streams/telnyx.js'
import { Twilio } from '#telephone/streams/twilio.js'
import { connectMarkup, rejectMarkup, sayMarkup, transferMarkup } from '#telephone/streams/twilio-markup.js'
import { signTwilioRequest } from '#telephone/streams/twilio-signature.js'
import { Vonage } from '#telephone/streams/vonage.js'
import { loadVendorClient } from '../../../../apps/server/test/support/vendor-client.js'
import { startCarrierServer } from './support/carrier-server.js'
import { post } from './support/test-calls.js'

interface TwilioPackage {
  validateRequest(token: string, signature: string, url: string, fields: Record<string, unknown>): boolean
  getExpectedTwilioSignature(token: string, url: string, fields: Record<string, unknown>): string
  readonly twiml: { readonly VoiceResponse: new () => VoiceResponse }
}

interface VoiceResponse {
  connect(): { stream(options: object): { parameter(options: object): unknown } }
  reject(options: object): unknown
  say(options: object, text: string): unknown
  hangup(): unknown
  dial(options: object): { number(text: string): unknown }
  toString(): string
}

interface PlivoPackage {
  validateV3Signature(
    method: string,
    url: string,
    nonce: string,
    token: string,
    signature: string,
    fields?: Record<string, unknown>,
  ): boolean
}

interface VonagePackage {
  verifySignature(token: string, key: string): boolean
  tokenGenerate(applicationId: string, key: string): string
}

type TelnyxPackage = new (
  options: object,
) => { readonly webhooks: { unwrap(body: string, options: { headers: object }): Promise<unknown> } }

/** URLs and forms with characters that signatures treat differently. */
const requests: readonly (readonly [string, Record<string, string>])[] = [
  ['https://example.com/phone/1/answer', { CallSid: 'CA1', From: '+4930111', To: '+4930222' }],
  ['https://example.com/phone/1/answer?b=2&a=1', { CallerName: 'Zoë & Søn', Digits: '#1*' }],
  ['https://example.com:8443/phone', { b: '2', B: '1', a: '', Ä: 'ü' }],
]

describe('the package twilio', () => {
  const token = 'a-token'
  const twilio = () => loadVendorClient<TwilioPackage>('twilio')
  const carrier = new Twilio({ accountSid: 'AC1', authToken: token }, { fetch })

  test.each(requests)('accepts our signature of %s, and rejects altered requests', (url, fields) => {
    const signature = signTwilioRequest(token, url, new URLSearchParams(fields))
    const { validateRequest } = twilio()
    expect(validateRequest(token, signature, url, fields)).toBe(true)
    expect(validateRequest(token, signature, url, { ...fields, Digits: '9' })).toBe(false)
    expect(validateRequest(token, signature, url.replace('com', 'org'), fields)).toBe(false)
    expect(validateRequest('b-token', signature, url, fields)).toBe(false)
  })

  test.each(requests)('signs %s in a form that we accept', (url, fields) => {
    const signature = twilio().getExpectedTwilioSignature(token, url, fields)
    const body = new URLSearchParams(fields).toString()
    expect(carrier.isAuthentic(post(body, { 'x-twilio-signature': signature }, url))).toBe(true)
    expect(carrier.isAuthentic(post(`${body}&x=1`, { 'x-twilio-signature': signature }, url))).toBe(false)
  })

  test('signs a handshake in a form that we accept', () => {
    const url = 'wss://example.com/phone/media'
    const signature = twilio().getExpectedTwilioSignature(token, url, {})
    const handshake = { method: 'GET', url, headers: { 'x-twilio-signature': signature }, body: '' }
    expect(carrier.isAuthentic(handshake)).toBe(true)
    expect(carrier.isAuthentic({ ...handshake, url: `${url}/other` })).toBe(false)
  })

  test('writes the same TwiML', () => {
    const { VoiceResponse } = twilio().twiml
    const write = (build: (response: VoiceResponse) => void) => {
      const response = new VoiceResponse()
      build(response)
      return response.toString()
    }
    const url = 'wss://example.com/media'
    expect(connectMarkup({ url, token: 'a<&b' })).toBe(
      write((response) => response.connect().stream({ url }).parameter({ name: 'token', value: 'a<&b' })),
    )
    expect(rejectMarkup('busy')).toBe(write((response) => response.reject({ reason: 'busy' })))
    expect(sayMarkup({ text: 'Bye & thanks', language: 'de-DE' })).toBe(
      write((response) => {
        response.say({ language: 'de-DE' }, 'Bye & thanks')
        response.hangup()
      }),
    )
    expect(transferMarkup({ to: '+4930999', from: '+4930222' })).toBe(
      write((response) => response.dial({ callerId: '+4930222' }).number('+4930999')),
    )
  })
})

describe('the package plivo', () => {
  const token = 'a-token'
  const nonce = '05429567804466091622'
  const plivo = () => loadVendorClient<PlivoPackage>('plivo')
  const carrier = new Plivo({ authId: 'MA1', authToken: token, webhookUrl: 'https://example.com' }, { fetch })

  test.each(requests)('accepts our signature of a POST to %s, and rejects altered ones', (url, fields) => {
    const body = new URLSearchParams(fields).toString()
    const signature = signPlivoRequest(token, { method: 'POST', url, body }, nonce)
    const { validateV3Signature } = plivo()
    const accepts = (changed = fields, at = url, key = token, once = nonce) =>
      validateV3Signature('POST', at, once, key, `other,${signature}`, { ...changed })
    expect(accepts()).toBe(true)
    expect(accepts({ ...fields, x: '1' })).toBe(false)
    expect(accepts(fields, `${url}/other`)).toBe(false)
    expect(accepts(fields, url, 'b-token')).toBe(false)
    expect(accepts(fields, url, token, '1')).toBe(false)
    const headers = { 'x-plivo-signature-v3': signature, 'x-plivo-signature-v3-nonce': nonce }
    expect(carrier.isAuthentic(post(body, headers, url))).toBe(true)
  })

  test.each(requests)('accepts our signature of a GET of %s', (url) => {
    const signature = signPlivoRequest(token, { method: 'GET', url, body: '' }, nonce)
    expect(plivo().validateV3Signature('GET', url, nonce, token, signature)).toBe(true)
    expect(plivo().validateV3Signature('GET', `${url}/other`, nonce, token, signature)).toBe(false)
  })
})

describe('the package @vonage/jwt', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { format: 'pem', type: 'spki' },
    privateKeyEncoding: { format: 'pem', type: 'pkcs8' },
  })
  const account = { applicationId: 'app-1', privateKey, signatureSecret: 'a-secret' }
  const vonage = () => loadVendorClient<VonagePackage>('@vonage/jwt')

  test('accepts the tokens of our requests, and rejects altered ones', async () => {
    const server = await startCarrierServer()
    try {
      await new Vonage({ ...account, baseUrl: server.url }, { fetch }).hangUp('call-1')
      const token = server.requests[0]?.headers.authorization?.replace('Bearer ', '') ?? ''
      const { verifySignature } = vonage()
      expect(verifySignature(token, publicKey)).toBe(true)
      const [header, , signature] = token.split('.')
      const claims = Buffer.from('{"application_id":"app-2"}').toString('base64url')
      expect(verifySignature(`${header}.${claims}.${signature}`, publicKey)).toBe(false)
      const other = generateKeyPairSync('rsa', {
        modulusLength: 2048,
        publicKeyEncoding: { format: 'pem', type: 'spki' },
        privateKeyEncoding: { format: 'pem', type: 'pkcs8' },
      })
      expect(verifySignature(token, other.publicKey)).toBe(false)
    } finally {
      server.close()
    }
  })

  test('accepts the same webhook tokens as we do', () => {
    const body = '{"uuid":"call-1"}'
    const write = (secret: string) => {
      const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
      const payload_hash = createHash('sha256').update(body).digest('hex')
      const text = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ iat: Math.floor(Date.now() / 1000), payload_hash })}`
      return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
    }
    const carrier = new Vonage(account, { fetch })
    const accept = (token: string) => [
      vonage().verifySignature(token, account.signatureSecret),
      carrier.isAuthentic(post(body, { authorization: `Bearer ${token}` })),
    ]
    expect(accept(write(account.signatureSecret))).toEqual([true, true])
    expect(accept(write('other'))).toEqual([false, false])
  })

  test('signs with a key, which we do not accept for a webhook', () => {
    const token = vonage().tokenGenerate('app-1', privateKey)
    const carrier = new Vonage({ ...account, signatureSecret: publicKey }, { fetch })
    expect(carrier.isAuthentic(post('{}', { authorization: `Bearer ${token}` }))).toBe(false)
  })
})

describe('the package telnyx', () => {
  const keys = generateKeyPairSync('ed25519')
  const publicKey = Buffer.from(keys.publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString(
    'base64',
  )
  const body = '{"data":{"event_type":"call.initiated"}}'
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = sign(null, Buffer.from(`${timestamp}|${body}`), keys.privateKey).toString('base64')
  const headers = { 'telnyx-signature-ed25519': signature, 'telnyx-timestamp': timestamp }

  test('accepts and rejects the same webhooks as we do', async () => {
    const Client = loadVendorClient<TelnyxPackage>('telnyx')
    const client = new Client({ apiKey: 'KEY', publicKey })
    const carrier = new Telnyx({ apiKey: 'KEY', publicKey, connectionId: 'c' }, { fetch })
    const accept = async (text: string, sent: Record<string, string>) => [
      await client.webhooks.unwrap(text, { headers: sent }).then(
        () => true,
        () => false,
      ),
      carrier.isAuthentic(post(text, sent)),
    ]
    expect(await accept(body, headers)).toEqual([true, true])
    expect(await accept(`${body} `, headers)).toEqual([false, false])
    expect(await accept(body, { ...headers, 'telnyx-timestamp': String(Number(timestamp) - 1) })).toEqual([
      false,
      false,
    ])
    expect(await accept(body, { ...headers, 'telnyx-timestamp': '1' })).toEqual([false, false])
    const forged = generateKeyPairSync('ed25519').privateKey
    const other = sign(null, Buffer.from(`${timestamp}|${body}`), forged).toString('base64')
    expect(await accept(body, { ...headers, 'telnyx-signature-ed25519': other })).toEqual([false, false])
  })
})
