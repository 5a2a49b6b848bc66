import { describe, expect, test } from 'vitest'
import { answerChallenge, Credentials, parseChallenge } from '#telephone/sip/digest.js'
import type { SipResponse } from '#telephone/sip/message.js'

function responseIn(answer: string): string | undefined {
  return /response="([0-9a-f]+)"/.exec(answer)?.[1]
}

function challengeOf(value: string) {
  const challenge = parseChallenge(value)
  if (challenge === null) throw new Error('The challenge was not understood.')
  return challenge
}

const unauthorized = (...values: readonly string[]): SipResponse => ({
  kind: 'response',
  status: 401,
  reason: '',
  headers: values.map((value) => ['www-authenticate', value] as const),
  body: '',
})

describe('answerChallenge', () => {
  test('computes the response of RFC 2617 section 3.5', () => {
    const challenge = challengeOf(
      'Digest realm="testrealm@host.com", qop="auth,auth-int", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc069c403ebaf9f0171e9517f40e41"',
    )
    const answer = answerChallenge(
      challenge,
      { username: 'Mufasa', password: 'Circle Of Life' },
      { method: 'GET', uri: '/dir/index.html', nonceCount: 1, cnonce: '0a4f113b' },
    )
    expect(responseIn(answer)).toBe('6629fae49393a05397450978507c4ef1')
    expect(answer).toContain('nc=00000001')
    expect(answer).toContain('opaque="5ccc069c403ebaf9f0171e9517f40e41"')
  })

  test.each([
    ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
    ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
  ])('computes the response of RFC 7616 section 3.9.1 with %s', (algorithm, expected) => {
    const challenge = challengeOf(
      `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"`,
    )
    const answer = answerChallenge(
      challenge,
      { username: 'Mufasa', password: 'Circle of Life' },
      {
        method: 'GET',
        uri: '/dir/index.html',
        nonceCount: 1,
        cnonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ',
      },
    )
    expect(responseIn(answer)).toBe(expected)
  })

  test('answers a challenge without qop as RFC 2069 does', () => {
    const answer = answerChallenge(
      challengeOf('Digest realm="r", nonce="n"'),
      { username: 'u', password: 'p' },
      { method: 'REGISTER', uri: 'sip:r', nonceCount: 1, cnonce: 'c' },
    )
    expect(answer).not.toContain('cnonce')
    expect(responseIn(answer)).toHaveLength(32)
  })
})

describe('parseChallenge', () => {
  test.each(['Basic realm="r"', 'Digest realm="r"', 'Digest realm="r", nonce="n", algorithm=MD5-sess', ''])(
    'rejects %s',
    (value) => expect(parseChallenge(value)).toBeNull(),
  )
})

describe('Credentials', () => {
  const md5 = 'Digest realm="r", nonce="1", algorithm=MD5, qop="auth"'

  test('prefer SHA-256', () => {
    const credentials = new Credentials({ username: 'u', password: 'p' })
    expect(credentials.learn(unauthorized(md5, md5.replace('MD5', 'SHA-256')), false)).toBe('fresh')
    expect(credentials.headersFor('INVITE', 'sip:x')).toEqual([
      ['authorization', expect.stringContaining('algorithm=SHA-256')],
    ])
  })

  test('count the uses of a nonce', () => {
    const credentials = new Credentials({ username: 'u', password: 'p' })
    credentials.learn(unauthorized(md5), false)
    credentials.headersFor('INVITE', 'sip:x')
    expect(credentials.headersFor('INVITE', 'sip:x')[0]?.[1]).toContain('nc=00000002')
  })

  test('answer no challenge of an unknown realm in a dialog', () => {
    const credentials = new Credentials({ username: 'u', password: 'p' })
    credentials.learn(unauthorized(md5), false)
    expect(credentials.learn(unauthorized(md5.replace('"r"', '"stranger"')), true)).toBeNull()
    expect(credentials.learn(unauthorized(md5.replace('"1"', '"2"')), true)).toBe('fresh')
  })
})
