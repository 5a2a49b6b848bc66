import { describe, expect, test } from 'vitest'
import { MediaSession } from '#telephone/media/media-session.js'
import { parseNameAddress } from '#telephone/sip/header-value.js'
import { cseqOf, headerOf, headersOf } from '#telephone/sip/message.js'
import { parseMessage } from '#telephone/sip/parse-message.js'
import { MemoryNetwork } from '../support/memory-network.js'
import { inviteLines, parsed, text } from '../support/messages.js'
import { TestPhone } from '../support/test-phone.js'
import { TestTimers } from '../support/test-timers.js'

/** Messages in the shapes of RFC 4475, with other content. */
const strange = {
  'white space wherever it is allowed': text(
    'INVITE sip:vera@tower.example.com;unknown=yes SIP/2.0',
    'TO :',
    ' sip:vera@tower.example.com ;   tag    = 77b',
    'from   : "Q \\\\\\""       <sip:q@example.com>',
    '  ;',
    '  tag = 98asjd8',
    'MaX-fOrWaRdS: 0068',
    'Call-ID: white.0ha0isndaksdj@192.0.2.9',
    'CSeq: 0009',
    '  INVITE',
    'Via  : SIP  /   2.0',
    ' /UDP',
    '    192.0.2.9;branch=390skdjuw',
    's :',
    'NewFangled:   newfangled value',
    ' continued newfangled value',
    'v:  SIP  / 2.0  / TCP     tower.example.com   ;',
    '  branch  =   z9hG4bK9ikj8  ,',
    ' SIP  /    2.0   / UDP  192.168.0.1   ; branch=',
    ' z9hG4bK30239',
    'm:"Quoted \\"\\"" <sip:q@example.com> ; newparam',
    '      = newvalue ;',
    '  secondparam ; q = 0.33',
  ),
  'unusual but valid characters': text(
    "!interesting-Method0123456789_*+`.%indeed'~ sip:1_unusual.URI~(to-be!sure)&isn't+it$/crazy?,/;;*:&it+has=1,weird!*pas$wo~d_too.(doesn't-it)@example.com SIP/2.0",
    "Via: SIP/2.0/UDP host1.example.com;branch=z9hG4bK-.!%66*_+`'~",
    'To: "BEL:\\\u0007 NUL:\\ DEL:\\\u007f" <sip:1_unusual.URI~(to-be!sure)@example.com>'.replace(
      '\u0007',
      'x',
    ),
    "From: token1~` token2'+_ token3*%!.- <sip:mundane@example.com>;fromParam''~+*_!.-%=\"value\";tag=_token~1'+`*%!-.",
    'Call-ID: intmeth.word%ZK-!.*_+\'@word`~)(><:\\/"][?}{',
    "CSeq: 139122385 !interesting-Method0123456789_*+`.%indeed'~",
    'Max-Forwards: 255',
    "extensionHeader-!.%*+_`'~: some text",
  ),
  'escapes in the URI': text(
    'INVITE sip:sips%3Auser%40example.com@example.net SIP/2.0',
    'To: sip:%75se%72@example.com',
    'From: <sip:I%20have%20spaces@example.net>;tag=938',
    'Max-Forwards: 87',
    'i: esc01.239409asdfakjkn23onasd0-3234',
    'CSeq: 234234 INVITE',
    'Via: SIP/2.0/UDP host5.example.net;branch=z9hG4bKkdjuw',
    'C: application/sdp',
    'Contact: <sip:cal%6Cer@host5.example.net;%6C%72;n%61me=v%61lue%25%34%31>',
    'l: 0',
  ),
  'no space between the display name and the bracket': text(
    'OPTIONS sip:user@example.com SIP/2.0',
    'To: sip:user@example.com',
    'From: caller<sip:caller@example.com>;tag=323',
    'Max-Forwards: 70',
    'Call-ID: lwsdisp.1234abcd@x.example.net',
    'CSeq: 60 OPTIONS',
    'Via: SIP/2.0/UDP funky.example.com;branch=z9hG4bKkdjuw',
    'l: 0',
  ),
  'long values': text(
    'INVITE sip:user@example.com SIP/2.0',
    `To: "I have a user name of ${'extreme'.repeat(30)} proportion"<sip:user@example.com:6000;unknownparam1=very${'long'.repeat(60)}value>`,
    `F: sip:${'amazinglylongcallername'.repeat(8)}@example.net;tag=12${'982424'.repeat(40)}`,
    `Call-ID: longreq.one${'really'.repeat(60)}longcallid`,
    'CSeq: 3882340 INVITE',
    'Max-Forwards: 70',
    ...Array.from(
      { length: 30 },
      (_, index) => `Via: SIP/2.0/TCP sip${index}.example.com;branch=z9hG4bK${index}`,
    ),
    `Unknown-${'Long'.repeat(20)}-Name: unknown-${'long'.repeat(20)}-value; p=v`,
  ),
  'semicolons in the user part': text(
    'OPTIONS sip:user;par=u%40example.net@example.com SIP/2.0',
    'To: sip:j_user@example.com',
    'From: sip:caller@example.org;tag=33242',
    'Max-Forwards: 3',
    'Call-ID: semiuri.0ha0isndaksdj',
    'CSeq: 8 OPTIONS',
    'Accept: application/sdp, application/pkcs7-mime, multipart/mixed, message/sip',
    'Via: SIP/2.0/UDP 192.0.2.1;branch=z9hG4bKkdjuw',
    'l: 0',
  ),
  'a response with a long and empty reason': text(
    'SIP/2.0 100 ',
    'Via: SIP/2.0/UDP 192.0.2.105;branch=z9hG4bK2398ndaoe',
    'Call-ID: noreason.asndj203insdf99223ndf',
    'CSeq: 35 INVITE',
    'From: <sip:user@example.com>;tag=39ansfi3',
    'To: <sip:user@example.edu>;tag=902jndnke3',
    'Content-Length: 0',
  ),
  'several routes in one header and a strange date': text(
    'BYE sip:user@example.com SIP/2.0',
    'Via: SIP/2.0/UDP 192.0.2.2;branch=z9hG4bKqw0;received=1.2.3.4;unknown="; tag=x, y"',
    'Route: <sip:one;lr> , "Two" <sip:two;lr>',
    'Date: Fri, 01 Jan 2010 16:00:00 EST',
    'From: <sip:a@x>;tag=1',
    'To: <sip:b@x>;tag=2',
    'Call-ID: 1',
    'CSeq: 4294967 BYE',
  ),
}

const broken = {
  'extraneous separators': text(
    'INVITE sip:user@example.com SIP/2.0',
    'To: sip:j.user@example.com',
    'From: sip:caller@example.net;tag=134161461246',
    'Max-Forwards: 7',
    'Call-ID: badinv01',
    'CSeq: 8 INVITE',
    'Via: SIP/2.0/UDP 192.0.2.15;;,;,,',
    'Contact: "Joe" <sip:joe@example.org>;;;;',
    'Content-Length: 0',
  )
    .toString()
    .replace('192.0.2.15', '192.0.2.15 x'),
  'a Content-Length that is larger than the message': text(
    'INVITE sip:user@example.com SIP/2.0',
    'Max-Forwards: 80',
    'To: sip:j@x',
    'From: sip:c@x;tag=93',
    'Contact: <sip:c@x>',
    'Call-ID: clerr',
    'CSeq: 8 INVITE',
    'Via: SIP/2.0/UDP x;branch=z9hG4bK1',
    'Content-Length: 9999',
  ).toString(),
  'a negative Content-Length': text(
    'INVITE sip:user@example.com SIP/2.0',
    'To: sip:j@x',
    'From: sip:c@x;tag=93',
    'Call-ID: ncl',
    'CSeq: 8 INVITE',
    'Via: SIP/2.0/UDP x;branch=z9hG4bK1',
    'Content-Length: -999',
  ).toString(),
  'an overlarge CSeq and status': text(
    'SIP/2.0 4294967301 better not break the receiver',
    'To: sip:j@x',
    'From: sip:c@x;tag=93',
    'Call-ID: scalarlg',
    'CSeq: 9292394834772304023312 OPTIONS',
    'Via: SIP/2.0/UDP x;branch=z9hG4bK1',
  ).toString(),
  'an unterminated quote': text(
    'INVITE sip:user@example.com SIP/2.0',
    'To: "Mr. J. User <sip:j.user@example.com>',
    'From: sip:c@x;tag=93',
    'Call-ID: quotbal',
    'CSeq: 8 INVITE',
    'Via: SIP/2.0/UDP x;branch=z9hG4bK1',
  ).toString(),
  'brackets around the Request-URI': text(
    'INVITE <sip:user@example.com> SIP/2.0',
    'To: sip:j@x',
    'From: sip:c@x;tag=93',
    'Call-ID: ltgtruri',
    'CSeq: 8 INVITE',
    'Via: SIP/2.0/UDP x;branch=z9hG4bK1',
  ).toString(),
  'white space in the Request-URI': text(
    'INVITE sip:user@example.com; lr SIP/2.0',
    'To: sip:j@x',
    'From: sip:c@x;tag=93',
    'Call-ID: lwsruri',
    'CSeq: 8 INVITE',
    'Via: SIP/2.0/UDP x;branch=z9hG4bK1',
  ).toString(),
  'several spaces in the first line': text(
    'INVITE  sip:user@example.com  SIP/2.0',
    'To: sip:j@x',
    'From: sip:c@x;tag=93',
    'Call-ID: lwsstart',
    'CSeq: 8 INVITE',
    'Via: SIP/2.0/UDP x;branch=z9hG4bK1',
  ).toString(),
  'spaces at the end of the first line': text(
    'OPTIONS sip:remote@example.com SIP/2.0  ',
    'To: sip:j@x',
    'From: sip:c@x;tag=93',
    'Call-ID: trws',
    'CSeq: 8 OPTIONS',
    'Via: SIP/2.0/UDP x;branch=z9hG4bK1',
  ).toString(),
  'another version': text(
    'OPTIONS sip:t.watson@example.org SIP/7.0',
    'To: sip:j@x',
    'From: sip:c@x;tag=93',
    'Call-ID: badvers',
    'CSeq: 8 OPTIONS',
    'Via: SIP/7.0/UDP x;branch=z9hG4bK1',
  ).toString(),
  'different methods': text(
    'OPTIONS sip:t.watson@example.org SIP/2.0',
    'To: sip:j@x',
    'From: sip:c@x;tag=93',
    'Call-ID: mismatch01',
    'CSeq: 8 INVITE',
    'Via: SIP/2.0/UDP x;branch=z9hG4bK1',
  ).toString(),
  'missing headers': text(
    'INVITE sip:user@example.com SIP/2.0',
    'CSeq: 193942 INVITE',
    'Via: SIP/2.0/UDP 192.0.2.95;branch=z9hG4bKkdj.insuf',
    'Content-Length: 0',
  ).toString(),
  'several values of single headers': text(
    'INVITE sip:user@company.com SIP/2.0',
    'Via: SIP/2.0/UDP 192.0.2.25;branch=z9hG4bKkdjuw',
    'Max-Forwards: 70',
    'CSeq: 5 INVITE',
    'Call-ID: multi01.98asdh@192.0.2.1',
    'CSeq: 59 INVITE',
    'From: sip:c@x;tag=1',
    'To: sip:j@x',
    'From: sip:d@x;tag=2',
  ).toString(),
}

describe('strange but valid messages', () => {
  test.each(Object.entries(strange))('with %s are understood', (_title, message) => {
    expect(parseMessage(message)).toMatchObject({ ok: true })
  })

  test('are read as they are meant', () => {
    const message = parsed(strange['white space wherever it is allowed'])
    expect(cseqOf(message)).toEqual({ number: 9, method: 'INVITE' })
    expect(headersOf(message, 'via')).toHaveLength(3)
    expect(parseNameAddress(headerOf(message, 'to'))?.parameters.get('tag')).toBe('77b')
    expect(parseNameAddress(headerOf(message, 'contact'))?.parameters.get('q')).toBe('0.33')
  })

  test.each(Object.entries(strange))('with %s do not disturb a user agent', (_title, message) => {
    const timers = new TestTimers()
    const network = new MemoryNetwork(timers)
    const phone = new TestPhone(network, timers, '192.0.2.1')
    phone.agent.receive(message, { address: '192.0.2.9', port: 5060 })
    timers.advance(100_000)
    expect(phone.agent.transactions.size).toBe(0)
  })
})

describe('malformed messages', () => {
  test.each(Object.entries(broken))('with %s get no answer', (_title, message) => {
    const timers = new TestTimers()
    const network = new MemoryNetwork(timers)
    const phone = new TestPhone(network, timers, '192.0.2.1')
    expect(parseMessage(Buffer.from(message)).ok).toBe(false)
    phone.agent.receive(Buffer.from(message), { address: '192.0.2.9', port: 5060 })
    expect(network.sent).toEqual([])
  })
})

describe('valid messages that a telephone refuses', () => {
  const answersTo = (...lines: readonly string[]) => {
    const timers = new TestTimers()
    const network = new MemoryNetwork(timers)
    const phone = new TestPhone(network, timers, '192.0.2.1')
    phone.agent.receive(text(...lines), { address: '192.0.2.9', port: 5060 })
    return network.sent
  }
  const rest = ['To: <sip:j@x>', 'From: <sip:c@x>;tag=93', 'Call-ID: 1', 'Via: SIP/2.0/UDP x;branch=z9hG4bK1']

  test.each([
    [
      'an unknown extension',
      ['INVITE sip:a@x SIP/2.0', ...rest, 'CSeq: 1 INVITE', 'Require: nothingSupportsThis, nor-this'],
      'SIP/2.0 420',
      'Unsupported: nothingSupportsThis, nor-this',
    ],
    ['an unknown scheme', ['INVITE unknown:a@x SIP/2.0', ...rest, 'CSeq: 1 INVITE'], 'SIP/2.0 416', ''],
    [
      'an unknown method',
      ['NEWMETHOD sip:a@x SIP/2.0', ...rest, 'CSeq: 1 NEWMETHOD'],
      'SIP/2.0 405',
      'Allow: INVITE',
    ],
    ['a REGISTER', ['REGISTER sip:x SIP/2.0', ...rest, 'CSeq: 1 REGISTER'], 'SIP/2.0 405', ''],
    [
      'a BYE of no call',
      ['BYE sip:a@x SIP/2.0', ...rest.slice(1), 'To: <sip:j@x>;tag=7', 'CSeq: 1 BYE'],
      'SIP/2.0 481',
      '',
    ],
    ['a CANCEL of nothing', ['CANCEL sip:a@x SIP/2.0', ...rest, 'CSeq: 1 CANCEL'], 'SIP/2.0 481', ''],
    [
      'a short session interval',
      ['INVITE sip:a@x SIP/2.0', ...rest, 'CSeq: 1 INVITE', 'Supported: timer', 'Session-Expires: 10'],
      'SIP/2.0 422',
      'Min-Se: 90'.replace('Se', 'SE'),
    ],
    [
      'OPTIONS',
      ['OPTIONS sip:a@x SIP/2.0', ...rest, 'CSeq: 1 OPTIONS'],
      'SIP/2.0 200',
      'Accept: application/sdp',
    ],
  ])('%s is answered', (_title, lines, status, header) => {
    const [answer = ''] = answersTo(...lines)
    expect(answer.startsWith(status)).toBe(true)
    expect(answer).toContain(header)
    expect(answer).toContain('received=192.0.2.9;rport=5060')
  })

  test('an ACK of no call is not answered', () => {
    expect(answersTo('ACK sip:a@x SIP/2.0', ...rest, 'CSeq: 1 ACK')).toEqual([])
  })

  test('OPTIONS that no proxy may pass on (Max-Forwards 0) are answered, because they have arrived', () => {
    const [answer = ''] = answersTo('OPTIONS sip:a@x SIP/2.0', ...rest, 'CSeq: 1 OPTIONS', 'Max-Forwards: 0')
    expect(answer.startsWith('SIP/2.0 200')).toBe(true)
  })

  test('of two requests in one datagram, only the first is read', () => {
    const second = ['INVITE sip:a@x SIP/2.0', ...rest, 'CSeq: 2 INVITE']
    const first = ['OPTIONS sip:a@x SIP/2.0', ...rest, 'CSeq: 1 OPTIONS', 'Content-Length: 0']
    const datagram = Buffer.concat([text(...first), text(...second)])
    expect(parseMessage(datagram)).toMatchObject({ ok: true, message: { method: 'OPTIONS', body: '' } })
    const answers = answersTo(...first, '', ...second)
    expect(answers.map((answer) => answer.split('\r\n', 1)[0])).toEqual(['SIP/2.0 200 OK'])
  })
})

test('a multipart body is read whole, and is not taken for SDP', () => {
  const body = [
    '--boundary',
    'Content-Type: application/sdp',
    '',
    'v=0\r\no=- 1 1 IN IP4 192.0.2.9\r\ns=-\r\nc=IN IP4 192.0.2.9\r\nt=0 0\r\nm=audio 4000 RTP/AVP 0',
    '--boundary',
    'Content-Type: application/octet-stream',
    '',
    '\0\x01INVITE sip:evil@x SIP/2.0',
    '--boundary--',
    '',
  ].join('\r\n')
  const head = text(
    'INVITE sip:bob@example.com SIP/2.0',
    'To: <sip:bob@example.com>',
    'From: <sip:ann@example.com>;tag=1',
    'Call-ID: multipart',
    'CSeq: 1 INVITE',
    'Via: SIP/2.0/UDP 192.0.2.9;branch=z9hG4bK1',
    'Content-Type: multipart/mixed;boundary="boundary"',
    `Content-Length: ${Buffer.byteLength(body)}`,
  )
  const message = parsed(Buffer.concat([head, Buffer.from(body)]))
  expect(message.body).toBe(body)
  const session = new MediaSession({
    ...{ address: '192.0.2.1', port: () => 4000, codecs: ['g711_ulaw'], srtp: 'off', sessionId: 1 },
    agreed: () => {},
  })
  expect(session.codecFor(message.body)).toBeNull()
})

test.each([
  ['<sip:ann@192.0.2.9;unknownparam>;unknown="x;y"', 'sip:ann@192.0.2.9;unknownparam'],
  ['sip:ann@192.0.2.9;unknownparam', 'sip:ann@192.0.2.9'],
  ['"Ann; <x>" <sip:ann@192.0.2.9:5099?header=x>;q=0.5', 'sip:ann@192.0.2.9:5099?header=x'],
])(
  'requests of a call go to the URI in the Contact %s, without the parameters of the header',
  (contact, uri) => {
    const timers = new TestTimers()
    const network = new MemoryNetwork(timers)
    const phone = new TestPhone(network, timers, '192.0.2.1')
    const from = { address: '192.0.2.9', port: 5060 }
    phone.onCall = ({ call }) => call.accept()
    const headers = { 'Call-ID': 'contact', From: '<sip:ann@example.com>;tag=a1', Contact: contact }
    phone.agent.receive(text(...inviteLines(headers)), from)
    const tag = /^To:.*;tag=(\w+)/m.exec(network.sent.at(-1) ?? '')?.[1]
    const ack = inviteLines({ ...headers, CSeq: '1 ACK', To: `<sip:bob@example.com>;tag=${tag}` })
    phone.agent.receive(text(...ack.map((line) => line.replace(/^INVITE sip/, 'ACK sip'))), from)
    phone.received[0]?.call.hangUp()
    expect(network.sent.at(-1)?.split('\r\n', 1)[0]).toBe(`BYE ${uri} SIP/2.0`)
  },
)
