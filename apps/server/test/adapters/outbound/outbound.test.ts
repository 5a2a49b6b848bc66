import { describe, expect, test } from 'vitest'
import { at, failureOf, limits, secureAt, useOutbound } from '../../support/outbound/outbound-fixture.js'
import { startRecordingServer } from '../../support/outbound/recording-server.js'

const { guarded, serve, serveSecurely } = useOutbound()

describe('outbound requests', () => {
  test('deliver the method, the headers and the body', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(201, { 'X-Twice': ['one', 'two'] }).end('h\u00e9llo')
    })
    const response = await guarded().fetch(at(server), {
      ...limits,
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json', 'User-Agent': 'mine' },
      body: '{"a":1}',
    })
    expect(response.status).toBe(201)
    expect(response.headers.get('x-twice')).toBe('one, two')
    expect(await response.text()).toBe('h\u00e9llo')
    expect(server.hits).toMatchObject([
      {
        method: 'PATCH',
        body: '{"a":1}',
        headers: { 'content-type': 'application/json', 'user-agent': 'mine' },
      },
    ])
  })

  test('can send and read bytes', async () => {
    const server = await serve((_request, response) => response.end(Buffer.from([0, 255])))
    const response = await guarded().fetch(at(server), {
      ...limits,
      method: 'POST',
      body: new Uint8Array([104, 105]),
    })
    expect([...(await response.bytes())]).toEqual([0, 255])
    expect(server.hits[0]?.body).toBe('hi')
  })

  test.each(['Host', 'Connection', 'Content-Length', 'Transfer-Encoding', 'Upgrade', 'Expect', 'TE'])(
    'reject a caller that sets the header %s',
    async (name) => {
      const server = await serve()
      const failure = await failureOf(guarded().fetch(at(server), { ...limits, headers: { [name]: '1' } }))
      expect(failure).toMatchObject({
        reason: 'refused',
        detail: expect.stringContaining(name.toLowerCase()),
      })
      expect(server.sockets).toEqual([])
    },
  )

  test.each([{ 'X-A': 'one\r\nX-B: two' }, { 'X A': 'one' }])(
    'reject a malformed header %j',
    async (headers) => {
      const server = await serve()
      const failure = await failureOf(guarded().fetch(at(server), { ...limits, headers }))
      expect(failure.reason).toBe('refused')
      expect(failure.detail).not.toContain('two')
      expect(server.hits).toEqual([])
    },
  )
})

describe('outbound TLS connections', () => {
  test('check the certificate against the host name', async () => {
    const server = await serveSecurely()
    const outbound = guarded()
    const response = await outbound.fetch(secureAt(server), limits)
    expect(await response.text()).toBe('hello')
    await (await outbound.fetch(`https://secure.test.:${server.port}/`, limits).catch(() => null))?.text()
    const failure = await failureOf(outbound.fetch(`https://other.test:${server.port}/`, limits))
    expect(failure).toMatchObject({
      reason: 'connection-failed',
      detail: expect.stringContaining('is for another name'),
    })
    const literal = await failureOf(outbound.fetch(`https://127.0.0.1:${server.port}/`, limits))
    expect(literal.detail).toContain('is for another name')
    expect(server.hits.every(({ headers }) => headers.host?.startsWith('secure.test'))).toBe(true)
  })

  test('reject an authority that is not trusted', async () => {
    const server = await serveSecurely()
    const outbound = guarded({ certificateAuthorities: undefined })
    const failure = await failureOf(outbound.fetch(secureAt(server), limits))
    expect(failure.reason).toBe('connection-failed')
    expect(server.hits).toEqual([])
  })
})

test('fail if nothing listens at the address', async () => {
  const server = await startRecordingServer()
  await server.close()
  expect(await failureOf(guarded().fetch(at(server), limits))).toMatchObject({
    reason: 'connection-failed',
    detail: expect.stringContaining('Nothing listens at'),
  })
})

test('do not turn other errors into an OutboundFailure', () => {
  expect(guarded().isFailure(new Error('no'))).toBe(false)
  expect(guarded().isFailure(null)).toBe(false)
})
