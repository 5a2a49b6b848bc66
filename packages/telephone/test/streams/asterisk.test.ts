import { describe, expect, test } from 'vitest'
import { Asterisk } from '#telephone/streams/asterisk.js'

const asterisk = new Asterisk({ username: 'parley', password: 's3cret' })

const handshake = (query: string, authorization?: string) => ({
  method: 'GET',
  url: `wss://example.com/media?${query}`,
  headers: { authorization },
  body: '',
})

describe("an Asterisk's handshake", () => {
  test('needs the password', () => {
    const header = (text: string) => `Basic ${btoa(text)}`
    expect(asterisk.isAuthentic(handshake('', header('parley:s3cret')))).toBe(true)
    for (const wrong of [
      undefined,
      '',
      'parley:s3cret',
      header('parley:secret'),
      header('parley'),
      header('x:s3cret'),
    ]) {
      expect(asterisk.isAuthentic(handshake('', wrong))).toBe(false)
    }
  })

  test('names the call', () => {
    expect(asterisk.readIncomingCall(handshake('id=17.4&from=%2B4930111&to=200'))).toEqual({
      callId: '17.4',
      direction: 'in',
      from: '+4930111',
      to: '200',
    })
    expect(asterisk.readIncomingCall(handshake('to=200&from=12'))?.from).toBe('12')
    // A dialplan leaves the plus sign as it is.
    expect(asterisk.readIncomingCall(handshake('to=+4930222&from=+4930111'))).toMatchObject({
      ...{ to: '+4930222', from: '+4930111' },
    })
    expect(asterisk.readIncomingCall(handshake('to=4930222'))?.to).toBe('+4930222')
    expect(asterisk.readIncomingCall(handshake('to=200&from=anonymous'))?.from).toBe(null)
    expect(asterisk.readIncomingCall(handshake('from=12'))).toBe(null)
  })
})
