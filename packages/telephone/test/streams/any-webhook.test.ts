import { generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Carrier } from '#telephone/streams/carrier.js'
import { Plivo } from '#telephone/streams/plivo.js'
import { Telnyx } from '#telephone/streams/telnyx.js'
import { Twilio } from '#telephone/streams/twilio.js'
import { Vonage } from '#telephone/streams/vonage.js'

const noFetch = () => Promise.reject(new Error('no request is expected'))
const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { format: 'pem', type: 'spki' },
  privateKeyEncoding: { format: 'pem', type: 'pkcs8' },
})

const carriers: readonly (readonly [string, Carrier])[] = [
  ['Twilio', new Twilio({ accountSid: 'AC1', authToken: 's3cret' }, { fetch: noFetch })],
  [
    'Telnyx',
    new Telnyx(
      { apiKey: 'KEY', publicKey: Buffer.alloc(32, 1).toString('base64'), connectionId: 'c' },
      { fetch: noFetch },
    ),
  ],
  [
    'Plivo',
    new Plivo({ authId: 'MA1', authToken: 's3cret', webhookUrl: 'https://example.com' }, { fetch: noFetch }),
  ],
  ['Vonage', new Vonage({ applicationId: 'a', privateKey, signatureSecret: 's3cret' }, { fetch: noFetch })],
]

const headerNames = [
  'x-twilio-signature',
  'x-plivo-signature-v3',
  'x-plivo-signature-v3-nonce',
  'telnyx-signature-ed25519',
  'telnyx-timestamp',
  'authorization',
]

const header = fc.oneof(
  fc.string(),
  fc.string().map((text) => `Bearer ${text}`),
  fc
    .tuple(fc.base64String(), fc.base64String(), fc.base64String())
    .map((parts) => `Bearer ${parts.join('.')}`),
  fc.constant(String(Math.floor(Date.now() / 1000))),
  fc.array(fc.string()),
)

const request = fc.record({
  method: fc.constantFrom('GET', 'POST'),
  url: fc.webUrl({ withQueryParameters: true, validSchemes: ['https', 'wss'] }),
  headers: fc.dictionary(fc.constantFrom(...headerNames), header),
  body: fc.oneof(fc.string(), fc.json(), fc.webQueryParameters()),
})

describe.each(carriers)('a request in the name of %s', (_, carrier) => {
  test('with arbitrary content is not authentic and causes no exception [STREAM-1]', async () => {
    const run = fc.asyncProperty(request, async (forged) => {
      expect(carrier.isAuthentic(forged)).toBe(false)
      carrier.readIncomingCall(forged)
      carrier.readStatus(forged)
      await carrier.react?.(forged)
    })
    await fc.assert(run, { seed: 45, numRuns: 300 })
  })
})
