import { describe, expect, test } from 'vitest'
import type { Codec } from '#telephone/leg.js'
import { MediaSession, type SrtpPolicy } from '#telephone/media/media-session.js'
import type { Agreement } from '#telephone/media/rtp-stream.js'

const key = `inline:${Buffer.alloc(30, 7).toString('base64')}`
const suite = 'AES_CM_128_HMAC_SHA1_80'

function sdp(...lines: readonly string[]): string {
  const head = ['v=0', 'o=- 1 1 IN IP4 192.0.2.9', 's=-', 'c=IN IP4 192.0.2.9', 't=0 0']
  return `${[...head, ...lines].join('\r\n')}\r\n`
}

function makeSession(srtp: SrtpPolicy = 'off', codecs: readonly Codec[] = ['g711_ulaw', 'g711_alaw']) {
  const agreements: Agreement[] = []
  const session = new MediaSession({
    address: '192.0.2.1',
    port: () => 4000,
    codecs,
    srtp,
    sessionId: 1,
    agreed: (agreement) => agreements.push(agreement),
  })
  return { session, agreements }
}

describe('answers to offers', () => {
  const rows: readonly (readonly [
    string,
    readonly string[],
    Partial<Agreement> | null,
    readonly string[],
  ])[] = [
    [
      'static payload types without rtpmap',
      ['m=audio 5000 RTP/AVP 8 0'],
      { codec: 'g711_alaw', payloadType: 8 },
      ['m=audio 4000 RTP/AVP 8'],
    ],
    [
      'a codec under another number',
      ['m=audio 5000 RTP/AVP 96', 'a=rtpmap:96 PCMU/8000'],
      { codec: 'g711_ulaw', payloadType: 96 },
      ['m=audio 4000 RTP/AVP 96'],
    ],
    [
      'a static number that is used for another codec',
      ['m=audio 5000 RTP/AVP 0', 'a=rtpmap:0 G722/8000'],
      null,
      [],
    ],
    ['only unknown codecs', ['m=audio 5000 RTP/AVP 9 18'], null, []],
    ['a disabled section', ['m=audio 0 RTP/AVP 0'], null, []],
    ['no audio', ['m=video 5000 RTP/AVP 31'], null, []],
    [
      'the address of the section before that of the session',
      ['m=audio 5000 RTP/AVP 0', 'c=IN IP4 192.0.2.77'],
      { remote: { address: '192.0.2.77', port: 5000 } },
      [],
    ],
    ['a host name as address', ['m=audio 5000 RTP/AVP 0', 'c=IN IP4 pc.example.com'], { remote: null }, []],
    [
      'hold by sendonly',
      ['m=audio 5000 RTP/AVP 0', 'a=sendonly'],
      { canSend: false, canReceive: true },
      ['a=recvonly'],
    ],
    [
      'hold by the address 0.0.0.0',
      ['m=audio 5000 RTP/AVP 0', 'c=IN IP4 0.0.0.0'],
      { canSend: false, canReceive: false },
      ['a=inactive'],
    ],
    [
      'the direction of the session',
      ['a=recvonly', 'm=audio 5000 RTP/AVP 0'],
      { canSend: true, canReceive: false },
      ['a=sendonly'],
    ],
    [
      'telephone events',
      ['m=audio 5000 RTP/AVP 0 97', 'a=rtpmap:97 telephone-event/8000'],
      { telephoneEvent: 97 },
      ['a=rtpmap:97 telephone-event/8000'],
    ],
    [
      'telephone events of another rate',
      ['m=audio 5000 RTP/AVP 0 97', 'a=rtpmap:97 telephone-event/48000'],
      { telephoneEvent: null },
      [],
    ],
    [
      'a video section, which the answer rejects',
      ['m=audio 5000 RTP/AVP 0', 'm=video 5002 RTP/AVP 31'],
      { codec: 'g711_ulaw' },
      ['m=video 0 RTP/AVP 31'],
    ],
    [
      'a second audio section',
      ['m=audio 5000 RTP/AVP 9', 'm=audio 5002 RTP/AVP 0'],
      { payloadType: 0 },
      ['m=audio 0 RTP/AVP 9', 'm=audio 4000 RTP/AVP 0'],
    ],
  ]

  test.each(rows)('understand %s', (_title, lines, expected, answerLines) => {
    const { session, agreements } = makeSession()
    const answer = session.answerOffer(sdp(...lines))
    if (expected === null) expect(answer).toBeNull()
    else expect(agreements[0]).toMatchObject(expected)
    for (const line of answerLines) expect(answer?.split('\r\n')).toContain(line)
  })

  const encryption: readonly (readonly [SrtpPolicy, string, boolean, boolean | null])[] = [
    ['off', 'RTP/AVP', true, false],
    ['off', 'RTP/SAVP', true, null],
    ['offered', 'RTP/AVP', false, false],
    ['offered', 'RTP/AVP', true, true],
    ['offered', 'RTP/SAVP', true, true],
    ['required', 'RTP/AVP', false, null],
    ['required', 'RTP/SAVP', true, true],
    ['required', 'RTP/SAVP', false, null],
  ]

  test.each(encryption)('with SRTP %s to %s, with a key: %s', (policy, profile, hasKey, isEncrypted) => {
    const { session, agreements } = makeSession(policy)
    const lines = [`m=audio 5000 ${profile} 0`, ...(hasKey ? [`a=crypto:3 ${suite} ${key}`] : [])]
    const answer = session.answerOffer(sdp(...lines))
    expect(answer === null).toBe(isEncrypted === null)
    if (isEncrypted === null) return
    expect(agreements[0]?.keys !== null).toBe(isEncrypted)
    expect(answer?.includes(`a=crypto:3 ${suite}`)).toBe(isEncrypted)
  })

  test.each([
    ['another suite', 'a=crypto:1 AES_CM_128_HMAC_SHA1_32 '],
    ['a short key', `a=crypto:1 ${suite} inline:AAAA`],
    ['a key index', `a=crypto:1 ${suite} ${key}|2^20|1:4`],
    ['an unencrypted stream', `a=crypto:1 ${suite} ${key} UNENCRYPTED_SRTP`],
  ])('reject %s', (_title, line) => {
    const text = line.endsWith(' ') ? `${line}${key}` : line
    expect(makeSession('required').session.answerOffer(sdp('m=audio 5000 RTP/SAVP 0', text))).toBeNull()
  })

  test.each([
    '',
    'v=0',
    'x',
    sdp('m=audio x RTP/AVP 0'),
    sdp('m=audio 99999 RTP/AVP 0'),
    'm=audio 1 RTP/AVP 0',
  ])('reject malformed text: %j', (text) => expect(makeSession().session.answerOffer(text)).toBeNull())

  test('reject descriptions with too many lines or sections', () => {
    const many = (line: string, count: number) => Array.from({ length: count }, () => line)
    expect(makeSession().session.answerOffer(sdp('m=audio 5000 RTP/AVP 0', ...many('a=x', 1000)))).toBeNull()
    expect(makeSession().session.answerOffer(sdp(...many('m=audio 5000 RTP/AVP 0', 40)))).toBeNull()
  })
})

describe('our offers', () => {
  test('raise their version only if something has changed', () => {
    const { session } = makeSession()
    const first = session.makeOffer()
    expect(session.makeOffer()).toBe(first)
    session.setHeld(true)
    const held = session.makeOffer()
    expect([first, held].map((text) => /^o=- 1 (\d+)/m.exec(text)?.[1])).toEqual(['1', '2'])
    expect(held).toContain('a=sendonly')
  })

  test('are complete with an answer', () => {
    const { session, agreements } = makeSession()
    session.makeOffer()
    expect(session.acceptAnswer(sdp('m=audio 5000 RTP/AVP 8 101', 'a=rtpmap:101 telephone-event/8000'))).toBe(
      true,
    )
    expect(agreements[0]).toMatchObject({
      codec: 'g711_alaw',
      telephoneEvent: 101,
      canSend: true,
      keys: null,
    })
  })

  test('keep the agreed numbers in later offers', () => {
    const { session } = makeSession()
    session.answerOffer(
      sdp('m=audio 5000 RTP/AVP 96 97', 'a=rtpmap:96 PCMA/8000', 'a=rtpmap:97 telephone-event/8000'),
    )
    expect(session.makeOffer()).toContain('m=audio 4000 RTP/AVP 96 97')
  })

  test('require a key in the answer if encryption is required', () => {
    const { session, agreements } = makeSession('required')
    expect(session.makeOffer()).toContain('RTP/SAVP')
    expect(session.acceptAnswer(sdp('m=audio 5000 RTP/SAVP 0'))).toBe(false)
    expect(session.acceptAnswer(sdp('m=audio 5000 RTP/SAVP 0', `a=crypto:2 ${suite} ${key}`))).toBe(false)
    expect(agreements).toEqual([])
    expect(session.acceptAnswer(sdp('m=audio 5000 RTP/SAVP 0', `a=crypto:1 ${suite} ${key}|2^31`))).toBe(true)
    expect(agreements[0]?.keys?.peer).toEqual(Buffer.alloc(30, 7))
  })

  test('go on without encryption if it was only offered', () => {
    const { session, agreements } = makeSession('offered')
    expect(session.makeOffer()).toContain(`a=crypto:1 ${suite}`)
    expect(session.acceptAnswer(sdp('m=audio 5000 RTP/AVP 0'))).toBe(true)
    expect(agreements[0]?.keys).toBeNull()
  })

  test.each([['m=audio 0 RTP/AVP 0'], ['m=audio 5000 RTP/AVP 9'], ['m=video 5000 RTP/AVP 0']])(
    'are refused by the answer %s',
    (line) => {
      const { session } = makeSession()
      session.makeOffer()
      expect(session.acceptAnswer(sdp(line))).toBe(false)
    },
  )
})
