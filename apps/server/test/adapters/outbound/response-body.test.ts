import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { at, failureOf, limits, useOutbound } from '../../support/outbound/outbound-fixture.js'
import { allClosed } from '../../support/outbound/recording-server.js'

const mebibyte = 2 ** 20

const { guarded, serve } = useOutbound()

describe('response bodies', () => {
  test('can be read once, as they arrive', async () => {
    const server = await serve((_request, response) => {
      response.write('one')
      response.flushHeaders()
      setImmediate(() => response.end('two'))
    })
    const response = await guarded().fetch(at(server), limits)
    let text = ''
    for await (const chunk of response.body) text += Buffer.from(chunk).toString()
    expect(text).toBe('onetwo')
    await expect(response.text()).rejects.toThrow('already read')
  })

  test('deliver each event before the next one is sent', async () => {
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
  ])('are decoded if their coding is %s', async (coding, compress) => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': coding }).end(compress('hello'))
    })
    const response = await guarded().fetch(at(server), limits)
    expect(await response.text()).toBe('hello')
    expect(response.headers.get('content-encoding')).toBe(coding === 'identity' ? coding : undefined)
  })

  test.each(['zstd', 'gzip, gzip, gzip'])('are not decoded if their coding is %s', async (coding) => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': coding }).write('half')
    })
    expect((await failureOf(guarded().fetch(at(server), limits))).reason).toBe('connection-failed')
    await allClosed(server.sockets)
  })

  test.each([
    ['nonsense', Buffer.from('hello')],
    ['cut off', gzipSync('hello').subarray(0, -4)],
  ])('fail if the gzip data is %s', async (_what, data) => {
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
  ] as const)('may have a coding and no body after %s with status %i', async (method, status) => {
    const server = await serve((_request, response) => {
      response
        .writeHead(status, { 'content-encoding': 'gzip', ...(method === 'GET' && { 'content-length': 0 }) })
        .end()
    })
    const response = await guarded().fetch(at(server), { ...limits, method })
    expect(await response.text()).toBe('')
  })

  test.each(['text', 'bytes'] as const)(
    'pass at the size limit and fail one byte above it: %s',
    async (read) => {
      const server = await serve((request, response) =>
        response.end('x'.repeat(Number(request.url?.slice(1)))),
      )
      const { fetch } = guarded()
      expect(await (await fetch(`${at(server)}1000`, limits))[read]()).toHaveLength(1000)
      const response = await fetch(`${at(server)}1001`, limits)
      expect(await failureOf(response[read]())).toMatchObject({
        reason: 'too-large',
        detail: expect.stringContaining('1000 bytes'),
      })
    },
  )

  test('are cut off at the size limit if they never end', async () => {
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
  ])('are cut off at the limit of decompressed bytes if they are a %s bomb', async (coding, compress) => {
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

  test('fail if they break off', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': 10 }).write('half', () => response.destroy())
    })
    const response = await guarded().fetch(at(server), limits)
    expect((await failureOf(response.text())).reason).toBe('connection-failed')
  })

  test('release the connection when they are discarded', async () => {
    const server = await serve((_request, response) => response.write('and so on'))
    const response = await guarded().fetch(at(server), limits)
    response.discard()
    await allClosed(server.sockets)
  })
})
