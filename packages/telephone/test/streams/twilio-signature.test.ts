import { describe, expect, test } from 'vitest'
import { isSignedByTwilio, signTwilioRequest } from '#telephone/streams/twilio-signature.js'

const authToken = '12345'
const url = 'https://example.com/myapp.php?foo=1&bar=2'
const body = new URLSearchParams({
  Digits: '1234',
  To: '+18005551212',
  From: '+14158675309',
  Caller: '+14158675309',
  CallSid: 'CA1234567890ABCDE',
}).toString()
const signature = signTwilioRequest(authToken, url, new URLSearchParams(body))

const request = (changes: object = {}) => ({
  method: 'POST',
  url,
  headers: { 'x-twilio-signature': signature },
  body,
  ...changes,
})

describe('X-Twilio-Signature', () => {
  test('fits the example of the documentation', () => {
    expect(
      signTwilioRequest(authToken, 'https://mycompany.com/myapp.php?foo=1&bar=2', new URLSearchParams(body)),
    ).toBe('RSOYDt4T1cUTdK1PDd93/VVr8B8=')
  })

  test('is accepted for the request that it signs [STREAM-1]', () => {
    expect(isSignedByTwilio(request(), authToken)).toBe(true)
  })

  test('is accepted if the URL was signed with its standard port', () => {
    const withPort = url.replace('example.com', 'example.com:443')
    const headers = {
      'x-twilio-signature': signTwilioRequest(authToken, withPort, new URLSearchParams(body)),
    }
    expect(isSignedByTwilio(request({ headers }), authToken)).toBe(true)
  })

  test.each([
    ['another token', request(), '12346'],
    ['another URL', request({ url: `${url}&x=1` }), authToken],
    ['another host', request({ url: url.replace('example.com', 'example.org') }), authToken],
    ['another port', request({ url: url.replace('example.com', 'example.com:8443') }), authToken],
    ['a changed field', request({ body: body.replace('1234', '1235') }), authToken],
    ['an additional field', request({ body: `${body}&Extra=1` }), authToken],
    ['a missing field', request({ body: '' }), authToken],
    ['no signature', request({ headers: {} }), authToken],
    ['an empty signature', request({ headers: { 'x-twilio-signature': '' } }), authToken],
    ['two signatures', request({ headers: { 'x-twilio-signature': [signature, signature] } }), authToken],
    ['a cut signature', request({ headers: { 'x-twilio-signature': signature.slice(1) } }), authToken],
  ])('is rejected for %s [STREAM-1]', (_, changed, token) => {
    expect(isSignedByTwilio(changed, token)).toBe(false)
  })

  test('of a handshake covers the wss URL', () => {
    const handshake = { method: 'GET', url: 'wss://example.com/phone/media', body: '' }
    const signed = signTwilioRequest(authToken, handshake.url, new URLSearchParams())
    const headers = { 'x-twilio-signature': signed }
    expect(isSignedByTwilio({ ...handshake, headers }, authToken)).toBe(true)
    expect(
      isSignedByTwilio({ ...handshake, url: 'https://example.com/phone/media', headers }, authToken),
    ).toBe(false)
  })
})
