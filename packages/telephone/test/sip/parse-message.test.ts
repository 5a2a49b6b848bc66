import { describe, expect, test } from 'vitest'
import { parseNameAddress, parseVia, splitList } from '#telephone/sip/header-value.js'
import { cseqOf, headerOf, headersOf } from '#telephone/sip/message.js'
import { maxMessageBytes, parseMessage } from '#telephone/sip/parse-message.js'
import { escapeUser, parseSipUri } from '#telephone/sip/uri.js'
import { writeMessage } from '#telephone/sip/write-message.js'
import { inviteLines, parsed, text } from '../support/messages.js'

describe('parseMessage', () => {
  test('reads a request', () => {
    const message = parsed(text(...inviteLines()))
    expect(message).toMatchObject({ kind: 'request', method: 'INVITE', uri: 'sip:bob@example.com', body: '' })
    expect(cseqOf(message)).toEqual({ number: 1, method: 'INVITE' })
  })

  test('reads a response without a reason', () => {
    const lines = inviteLines()
    expect(parsed(text('SIP/2.0 200', ...lines.slice(1)))).toMatchObject({
      kind: 'response',
      status: 200,
      reason: '',
    })
  })

  test('reads compact names, folded lines and several values', () => {
    const message = parsed(
      text(
        'OPTIONS sip:x SIP/2.0',
        'v: SIP/2.0/UDP a;branch=z9hG4bK1, SIP/2.0/TCP b:5070',
        'f: "Ann, \\"the\\" one" <sip:ann@x>;tag=1',
        't: sip:bob@x;tag=2',
        'i: 1',
        'CSeq: 7',
        '  OPTIONS',
        'k: timer,  100rel',
      ),
    )
    expect(headersOf(message, 'via')).toHaveLength(2)
    expect(headersOf(message, 'supported')).toEqual(['timer', '100rel'])
    expect(cseqOf(message)).toEqual({ number: 7, method: 'OPTIONS' })
    expect(parseNameAddress(headerOf(message, 'from'))?.displayName).toBe('Ann, "the" one')
    expect(parseNameAddress(headerOf(message, 'to'))?.parameters.get('tag')).toBe('2')
  })

  test('cuts the body by its length in bytes', () => {
    const head = inviteLines({ 'Content-Length': '6' }).join('\r\n')
    expect(parsed(Buffer.from(`${head}\r\n\r\nüßätoo long`)).body).toBe('üßä')
  })

  test.each([
    ['no end of headers', inviteLines().join('\r\n')],
    [
      'a bad version',
      text(...inviteLines())
        .toString()
        .replace('SIP/2.0\r\n', 'SIP/7.0\r\n'),
    ],
    [
      'a space in the URI',
      text(...inviteLines())
        .toString()
        .replace('bob@example.com SIP', 'bob @example.com SIP'),
    ],
    [
      'brackets around the URI',
      text(...inviteLines())
        .toString()
        .replace('sip:bob@example.com SIP', '<sip:bob@example.com> SIP'),
    ],
    ['a negative length', text(...inviteLines({ 'Content-Length': '-1' })).toString()],
    ['a length beyond the end', text(...inviteLines({ 'Content-Length': '9999' })).toString()],
    ['a large number', text(...inviteLines({ CSeq: '36893488147419103232 INVITE' })).toString()],
    ['another method in CSeq', text(...inviteLines({ CSeq: '1 OPTIONS' })).toString()],
    ['an unclosed quote', text(...inviteLines({ To: '"Bob <sip:bob@x>' })).toString()],
    ['an unclosed bracket', text(...inviteLines({ To: '<sip:bob@x' })).toString()],
    ['a Via of another protocol', text(...inviteLines({ Via: 'HTTP/2.0/UDP x' })).toString()],
    ['two From headers', text(...inviteLines(), 'f: <sip:eve@x>;tag=9').toString()],
    ['no Call-ID', text(...inviteLines().filter((line) => !line.startsWith('Call-ID'))).toString()],
    ['a NUL', text(...inviteLines({ Subject: 'a\0b' })).toString()],
    ['a line feed alone', text(...inviteLines({ Subject: 'a\nX: y' })).toString()],
    ['too many headers', text(...inviteLines(), ...Array.from({ length: 200 }, () => 'X: y')).toString()],
    ['too long headers', text(...inviteLines({ Subject: 'x'.repeat(20_000) })).toString()],
    ['nothing', ''],
    ['a keep-alive', '\r\n\r\n'],
  ])('rejects %s', (_title, message) => {
    expect(parseMessage(Buffer.from(message)).ok).toBe(false)
  })

  test('rejects a message that is too long before it looks at it', () => {
    expect(parseMessage(Buffer.alloc(maxMessageBytes + 1))).toEqual({ ok: false, reason: 'too long' })
  })
})

describe('writeMessage', () => {
  test('writes a message as it was read', () => {
    const message = parsed(text(...inviteLines()))
    expect(parsed(writeMessage(message)).headers).toEqual([...message.headers, ['content-length', '0']])
  })

  test('lets no value add a header', () => {
    const message = parsed(text(...inviteLines()))
    const written = writeMessage({
      ...message,
      headers: [...message.headers, ['subject', 'a\r\nEvil: yes\r\n\r\nb']],
    })
    expect(written.toString()).toContain('Subject: a Evil: yes b\r\n')
  })
})

describe('header values', () => {
  test('split at commas outside quotes and brackets', () => {
    expect(splitList('"a,b" <sip:x;y=1,2>, <sip:z>,')).toEqual(['"a,b" <sip:x;y=1,2>', '<sip:z>'])
  })

  test.each(['SIP/2.0/UDP a:0', 'SIP/2.0/UDP a:99999', 'SIP/2.0/UDP', 'SIP/3.0/UDP a', 'SIP/2.0/UDP a b'])(
    'of Via reject %s',
    (value) => expect(parseVia(value)).toBeNull(),
  )
})

describe('parseSipUri', () => {
  test.each([
    ['sip:ann@example.com', { scheme: 'sip', user: 'ann', host: 'example.com', port: null }],
    ['sips:Ann:pw@Example.com:5061;transport=tls?x=y', { scheme: 'sips', user: 'Ann', port: 5061 }],
    ['sip:192.0.2.1', { user: '', host: '192.0.2.1' }],
    ['sip:a@[2001:db8::1]:5060', { host: '[2001:db8::1]', port: 5060 }],
    ['tel:+4930123;phone-context=x', { scheme: 'tel', user: '+4930123' }],
    ['sip:%2B49%2330@x', { user: '+49#30' }],
  ])('reads %s', (uri, expected) => expect(parseSipUri(uri)).toMatchObject(expected))

  test.each(['', 'sip:', 'http://x', 'sip:a@x:99999', 'sip:a@x y', 'sip:a@<x>', 'sip:a@[zz]'])(
    'rejects %j',
    (uri) => expect(parseSipUri(uri)).toBeNull(),
  )

  test('reads what escapeUser writes', () => {
    const user = '+49 30@x;y?z#*'
    expect(parseSipUri(`sip:${escapeUser(user)}@example.com`)?.user).toBe(user)
  })
})
