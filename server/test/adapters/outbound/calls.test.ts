import type { RequestListener } from 'node:http'
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { makeOutbound, type OutboundOptions } from '#server/adapters/outbound/outbound.js'
import type { Outbound } from '#server/ports/outbound.js'
import { failureOf } from './failures.js'
import {
  allClosed,
  connectionIsFree,
  type MuteServer,
  type RecordingServer,
  startMuteServer,
  startRecordingServer,
} from './recording-server.js'
import { scriptResolver } from './scripted-resolver.js'
import { testCertificate } from './test-certificate.js'

const limits = { timeoutMilliseconds: 2_000, maxResponseBytes: 1_000 }
const soon = { ...limits, timeoutMilliseconds: 60 }
const mebibyte = 2 ** 20

describe('calls', () => {
  const servers: MuteServer[] = []
  const outbounds: Outbound[] = []

  afterEach(async () => {
    await Promise.all(outbounds.splice(0).map((outbound) => outbound.close()))
    await Promise.all(servers.splice(0).map((server) => server.close()))
  })

  async function serve(answer?: RequestListener, secure = false): Promise<RecordingServer> {
    const server = await startRecordingServer(answer, { secure })
    servers.push(server)
    return server
  }

  function guarded(options: Partial<OutboundOptions> = {}): Outbound {
    const { resolver } = scriptResolver({ 'secure.test': [['127.0.0.1']], 'other.test': [['127.0.0.1']] })
    const allowedPrivateHosts = ['127.0.0.1', 'secure.test', 'other.test']
    const outbound = makeOutbound({
      allowedPrivateHosts,
      resolver,
      certificateAuthorities: testCertificate.cert,
      ...options,
    })
    outbounds.push(outbound)
    return outbound
  }

  async function serveNothing(): Promise<MuteServer> {
    const server = await startMuteServer()
    servers.push(server)
    return server
  }

  const secureAt = ({ port }: MuteServer) => `https://secure.test:${port}/`
  const at = ({ port }: RecordingServer) => `http://127.0.0.1:${port}/`

  describe('requests', () => {
    test('method, headers and body arrive', async () => {
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

    test('bytes can be sent and read', async () => {
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
      'the header %s is not the caller\u2019s to set',
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
      'a malformed header %j is refused',
      async (headers) => {
        const server = await serve()
        const failure = await failureOf(guarded().fetch(at(server), { ...limits, headers }))
        expect(failure.reason).toBe('refused')
        expect(failure.detail).not.toContain('two')
        expect(server.hits).toEqual([])
      },
    )
  })

  describe('bodies', () => {
    test('the body can be read as it arrives, once', async () => {
      const server = await serve((_request, response) => {
        response.write('one')
        response.flushHeaders()
        setImmediate(() => response.end('two'))
      })
      const response = await guarded().fetch(at(server), limits)
      let text = ''
      for await (const chunk of response.body) text += Buffer.from(chunk).toString()
      expect(text).toBe('onetwo')
      await expect(response.text()).rejects.toThrow('read already')
    })

    test('an event reaches the reader before the next one is sent', async () => {
      let release = () => {}
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      const server = await serve((_request, response) => {
        response.write('data: 1\n\n')
        released.then(() => response.end('data: 2\n\n'))
      })
      const response = await guarded().fetch(at(server), limits)
      const seen: string[] = []
      for await (const chunk of response.body) {
        seen.push(Buffer.from(chunk).toString())
        release()
      }
      expect(seen).toEqual(['data: 1\n\n', 'data: 2\n\n'])
    })

    test.each([
      ['gzip', gzipSync],
      ['x-gzip', gzipSync],
      ['deflate', deflateSync],
      ['br', brotliCompressSync],
      ['gzip, br', (data: string) => brotliCompressSync(gzipSync(data))],
      ['identity', (data: string) => Buffer.from(data)],
    ])('%s is decoded', async (coding, compress) => {
      const server = await serve((_request, response) => {
        response.writeHead(200, { 'content-encoding': coding }).end(compress('hello'))
      })
      const response = await guarded().fetch(at(server), limits)
      expect(await response.text()).toBe('hello')
      expect(response.headers.get('content-encoding')).toBe(coding === 'identity' ? coding : undefined)
    })

    test.each(['zstd', 'gzip, gzip, gzip'])('%s is not decoded', async (coding) => {
      const server = await serve((_request, response) => {
        response.writeHead(200, { 'content-encoding': coding }).write('half')
      })
      expect((await failureOf(guarded().fetch(at(server), limits))).reason).toBe('connection-failed')
      await allClosed(server.sockets)
    })

    test.each([
      ['nonsense', Buffer.from('hello')],
      ['cut off', gzipSync('hello').subarray(0, -4)],
    ])('a gzip body that is %s fails', async (_what, data) => {
      const server = await serve((_request, response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(data)
      })
      const response = await guarded().fetch(at(server), limits)
      expect((await failureOf(response.text())).reason).toBe('connection-failed')
    })

    test.each([
      ['HEAD', 200],
      ['GET', 204],
      ['GET', 200],
    ] as const)('an answer to %s with status %i may have a coding and no body', async (method, status) => {
      const server = await serve((_request, response) => {
        response
          .writeHead(status, { 'content-encoding': 'gzip', ...(method === 'GET' && { 'content-length': 0 }) })
          .end()
      })
      const response = await guarded().fetch(at(server), { ...limits, method })
      expect(await response.text()).toBe('')
    })

    test.each(['text', 'bytes'] as const)('%s at the cap passes, one byte more does not', async (read) => {
      const server = await serve((request, response) =>
        response.end('x'.repeat(Number(request.url?.slice(1)))),
      )
      const { fetch } = guarded()
      expect(await (await fetch(`${at(server)}1000`, limits))[read]()).toHaveLength(1000)
      const response = await fetch(`${at(server)}1001`, limits)
      expect(await failureOf(response[read]())).toMatchObject({
        reason: 'too-large',
        detail: 'The answer is larger than 1000 bytes.',
      })
    })

    test('an endless body is cut at the cap', async () => {
      const server = await serve((_request, response) => {
        const pour = () => {
          while (!response.destroyed && response.write(Buffer.alloc(65_536)));
        }
        response.on('drain', pour)
        pour()
      })
      const response = await guarded().fetch(at(server), { ...limits, maxResponseBytes: mebibyte })
      expect((await failureOf(response.bytes())).reason).toBe('too-large')
      await allClosed(server.sockets)
    })

    test.each([
      ['gzip', gzipSync],
      ['br', (data: Buffer) => brotliCompressSync(data, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
      ['gzip, gzip', (data: Buffer) => gzipSync(gzipSync(data))],
    ])('a %s bomb is cut at the cap, counted after decompression', async (coding, compress) => {
      const bomb = compress(Buffer.alloc(32 * mebibyte))
      expect(bomb.byteLength).toBeLessThan(mebibyte / 8)
      const server = await serve((_request, response) => {
        response.writeHead(200, { 'content-encoding': coding }).end(bomb)
      })
      const response = await guarded().fetch(at(server), { ...limits, maxResponseBytes: mebibyte })
      let read = 0
      const reading = (async () => {
        for await (const chunk of response.body) read += chunk.byteLength
      })()
      expect((await failureOf(reading)).reason).toBe('too-large')
      expect(read).toBeLessThanOrEqual(mebibyte)
    })

    test('a body that breaks off fails', async () => {
      const server = await serve((_request, response) => {
        response.writeHead(200, { 'content-length': 10 }).write('half', () => response.destroy())
      })
      const response = await guarded().fetch(at(server), limits)
      expect((await failureOf(response.text())).reason).toBe('connection-failed')
    })

    test('discarding a body lets its connection go', async () => {
      const server = await serve((_request, response) => response.write('and so on'))
      const response = await guarded().fetch(at(server), limits)
      response.discard()
      await allClosed(server.sockets)
    })
  })

  describe('time', () => {
    const hang: RequestListener = () => undefined

    test('covers a lookup that hangs', async () => {
      const outbound = guarded({ resolver: () => new Promise(() => undefined) })
      expect((await failureOf(outbound.fetch('http://slow.test/', soon))).reason).toBe('timed-out')
    })

    test('covers a connection that hangs', async () => {
      const failure = await failureOf(guarded().fetch(secureAt(await serveNothing()), soon))
      expect(failure).toMatchObject({ reason: 'timed-out', detail: expect.stringContaining('secure.test') })
    })

    test('ends a connection that hangs, though the call has more time', async () => {
      const server = await serveNothing()
      const outbound = guarded({ connectTimeoutMilliseconds: 60 })
      const failure = await failureOf(outbound.fetch(secureAt(server), limits))
      expect(failure).toMatchObject({ reason: 'timed-out', detail: expect.stringContaining('connection') })
      await allClosed(server.sockets)
    })

    test('covers headers that do not come', async () => {
      const server = await serve(hang)
      expect((await failureOf(guarded().fetch(at(server), soon))).reason).toBe('timed-out')
      await allClosed(server.sockets)
    })

    test('covers a body that stops', async () => {
      const server = await serve((_request, response) => response.write('half'))
      const response = await guarded().fetch(at(server), soon)
      expect((await failureOf(response.text())).reason).toBe('timed-out')
      await allClosed(server.sockets)
    })

    test('covers a compressed body that stops', async () => {
      const server = await serve((_request, response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' }).write(gzipSync('hello').subarray(0, 15))
      })
      const response = await guarded().fetch(at(server), soon)
      expect((await failureOf(response.text())).reason).toBe('timed-out')
      await allClosed(server.sockets)
    })

    test('covers a body that trickles', async () => {
      const server = await serve((_request, response) => {
        const timer = setInterval(() => response.write('.'), 10)
        response.on('close', () => clearInterval(timer))
      })
      const response = await guarded().fetch(at(server), soon)
      expect((await failureOf(response.text())).reason).toBe('timed-out')
    })

    test('covers a body that nobody reads', async () => {
      const server = await serve((_request, response) => response.write('half'))
      await guarded().fetch(at(server), soon)
      await allClosed(server.sockets)
    })

    test('covers all redirects together', async () => {
      const server = await serve((_request, response) => {
        setTimeout(() => response.writeHead(302, { location: '/' }).end(), 25)
      })
      expect((await failureOf(guarded().fetch(at(server), soon))).reason).toBe('timed-out')
      expect(server.hits.length).toBeLessThan(5)
    })

    test('may be longer than a timer can be', async () => {
      const server = await serve()
      const response = await guarded().fetch(at(server), { ...limits, timeoutMilliseconds: 2 ** 40 })
      expect(await response.text()).toBe('hello')
    })
  })

  describe('signals', () => {
    const reason = new Error('the caller left')

    test('one that fired before: nothing is sent', async () => {
      const server = await serve()
      await expect(
        guarded().fetch(at(server), { ...limits, signal: AbortSignal.abort(reason) }),
      ).rejects.toBe(reason)
      expect(server.hits).toEqual([])
    })

    test('one that fires during the connection', async () => {
      const mute = await serveNothing()
      const controller = new AbortController()
      const call = guarded().fetch(secureAt(mute), { ...limits, signal: controller.signal })
      await expect.poll(() => mute.sockets.length).toBe(1)
      controller.abort(reason)
      await expect(call).rejects.toBe(reason)
    })

    test('one that fires before the headers', async () => {
      const controller = new AbortController()
      const server = await serve(() => controller.abort(reason))
      await expect(guarded().fetch(at(server), { ...limits, signal: controller.signal })).rejects.toBe(reason)
      await allClosed(server.sockets)
    })

    test('one that fires during the body', async () => {
      const controller = new AbortController()
      const server = await serve((_request, response) => response.write('half'))
      const response = await guarded().fetch(at(server), { ...limits, signal: controller.signal })
      const reading = response.text()
      controller.abort(reason)
      await expect(reading).rejects.toBe(reason)
      await allClosed(server.sockets)
    })

    test('one that fires after the end changes nothing', async () => {
      const server = await serve()
      const controller = new AbortController()
      const outbound = guarded()
      const response = await outbound.fetch(at(server), { ...limits, signal: controller.signal })
      await response.text()
      await connectionIsFree()
      controller.abort(reason)
      await (await outbound.fetch(at(server), limits)).text()
      expect(server.sockets).toHaveLength(1)
    })
  })

  describe('TLS', () => {
    test('the certificate is checked against the name', async () => {
      const server = await serve(undefined, true)
      const outbound = guarded()
      const response = await outbound.fetch(`https://secure.test:${server.port}/`, limits)
      expect(await response.text()).toBe('hello')
      await (await outbound.fetch(`https://secure.test.:${server.port}/`, limits).catch(() => null))?.text()
      const failure = await failureOf(outbound.fetch(`https://other.test:${server.port}/`, limits))
      expect(failure).toMatchObject({
        reason: 'connection-failed',
        detail: expect.stringContaining('ALTNAME'),
      })
      const literal = await failureOf(outbound.fetch(`https://127.0.0.1:${server.port}/`, limits))
      expect(literal.detail).toContain('ALTNAME')
      expect(server.hits.every(({ headers }) => headers.host?.startsWith('secure.test'))).toBe(true)
    })

    test('an authority that is not trusted is refused', async () => {
      const server = await serve(undefined, true)
      const outbound = guarded({ certificateAuthorities: undefined })
      const failure = await failureOf(outbound.fetch(`https://secure.test:${server.port}/`, limits))
      expect(failure.reason).toBe('connection-failed')
      expect(server.hits).toEqual([])
    })
  })

  describe('closing', () => {
    test('leaves no socket: kept, connecting, waiting for headers or in a body', async () => {
      const idle = await serve()
      const mute = await serveNothing()
      const waiting = await serve(() => undefined)
      const streaming = await serve((_request, response) => response.write('half'))
      const outbound = guarded()
      await (await outbound.fetch(at(idle), limits)).text()
      const stream = await outbound.fetch(at(streaming), limits)
      const failures = [
        failureOf(outbound.fetch(secureAt(mute), limits)),
        failureOf(outbound.fetch(at(waiting), limits)),
        failureOf(stream.text()),
      ]
      await expect.poll(() => [mute.sockets.length, waiting.hits.length]).toEqual([1, 1])

      await outbound.close()
      for (const failure of await Promise.all(failures)) {
        expect(failure).toMatchObject({
          reason: 'connection-failed',
          detail: 'The service is shutting down.',
        })
      }
      await allClosed([...idle.sockets, ...mute.sockets, ...waiting.sockets, ...streaming.sockets])
      expect(process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap')).toEqual([])
    })

    test('can be done twice, and nothing is called after it', async () => {
      const server = await serve()
      const outbound = guarded()
      await Promise.all([outbound.close(), outbound.close()])
      await outbound.close()
      expect((await failureOf(outbound.fetch(at(server), limits))).reason).toBe('connection-failed')
      expect((await failureOf(outbound.resolve('wss://secure.test/'))).reason).toBe('connection-failed')
      expect(server.sockets).toEqual([])
    })
  })

  test('a server that is not there fails', async () => {
    const server = await startRecordingServer()
    await server.close()
    expect(await failureOf(guarded().fetch(at(server), limits))).toMatchObject({
      reason: 'connection-failed',
      detail: expect.stringContaining('ECONNREFUSED'),
    })
  })

  test('other errors are no failures', () => {
    expect(guarded().isFailure(new Error('no'))).toBe(false)
    expect(guarded().isFailure(null)).toBe(false)
  })
})
