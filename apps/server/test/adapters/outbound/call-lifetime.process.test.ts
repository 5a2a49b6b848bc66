import type { RequestListener } from 'node:http'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { at, failureOf, limits, secureAt, useOutbound } from '../../support/outbound/outbound-fixture.js'
import { allClosed, connectionIsFree } from '../../support/outbound/recording-server.js'
import { scriptResolver } from '../../support/outbound/scripted-resolver.js'

/** Nothing arrives within this time. */
const soon = { ...limits, timeoutMilliseconds: 60 }
/** The head of the response arrives within this time, even on a busy machine. */
const later = { ...limits, timeoutMilliseconds: 1_000 }

const { guarded, serve, serveNothing } = useOutbound()

describe('the time limit of a call', () => {
  const hang: RequestListener = () => undefined

  test('covers a DNS lookup that hangs', async () => {
    const outbound = guarded({ resolver: () => new Promise(() => undefined) })
    expect((await failureOf(outbound.fetch('http://slow.test/', soon))).reason).toBe('timed-out')
  })

  test('covers a connection that hangs', async () => {
    const failure = await failureOf(guarded().fetch(secureAt(await serveNothing()), soon))
    expect(failure).toMatchObject({ reason: 'timed-out', detail: expect.stringContaining('secure.test') })
  })

  test('ends a connection that hangs even if the call has more time', async () => {
    const server = await serveNothing()
    const outbound = guarded({ connectTimeoutMilliseconds: 60 })
    const failure = await failureOf(outbound.fetch(secureAt(server), limits))
    expect(failure).toMatchObject({ reason: 'timed-out', detail: expect.stringContaining('connection') })
    await allClosed(server.sockets)
  })

  test('covers headers that do not arrive', async () => {
    const server = await serve(hang)
    expect((await failureOf(guarded().fetch(at(server), soon))).reason).toBe('timed-out')
    await allClosed(server.sockets)
  })

  test('covers a body that stops', async () => {
    const server = await serve((_request, response) => response.write('half'))
    const response = await guarded().fetch(at(server), later)
    expect((await failureOf(response.text())).reason).toBe('timed-out')
    await allClosed(server.sockets)
  })

  test('covers a compressed body that stops', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).write(gzipSync('hello').subarray(0, 15))
    })
    const response = await guarded().fetch(at(server), later)
    expect((await failureOf(response.text())).reason).toBe('timed-out')
    await allClosed(server.sockets)
  })

  test('covers a body that trickles', async () => {
    const server = await serve((_request, response) => {
      const timer = setInterval(() => response.write('.'), 100)
      response.on('close', () => clearInterval(timer))
    })
    const response = await guarded().fetch(at(server), later)
    expect((await failureOf(response.text())).reason).toBe('timed-out')
  })

  test.each([undefined, 'gzip'])('covers a body that the caller does not read (%s)', async (coding) => {
    const headers = coding === undefined ? {} : { 'content-encoding': coding }
    const server = await serve((_request, response) => response.writeHead(200, headers).write('half'))
    await guarded().fetch(at(server), later)
    await allClosed(server.sockets)
  })

  test('covers all redirects together', async () => {
    const server = await serve((_request, response) => {
      setTimeout(() => response.writeHead(302, { location: '/' }).end(), 25)
    })
    expect((await failureOf(guarded().fetch(at(server), soon))).reason).toBe('timed-out')
    expect(server.hits.length).toBeLessThan(5)
  })

  test('may exceed the longest delay of a timer', async () => {
    const server = await serve()
    const response = await guarded().fetch(at(server), { ...limits, timeoutMilliseconds: 2 ** 40 })
    expect(await response.text()).toBe('hello')
  })
})

describe('the abort signal of a call', () => {
  const reason = new Error('the caller left')

  test('prevents even the DNS lookup if it fired before the call', async () => {
    const { resolver, asked } = scriptResolver({ 'a.test': [['127.0.0.1']] })
    const call = guarded({ resolver }).fetch('http://a.test/', {
      ...limits,
      signal: AbortSignal.abort(reason),
    })
    await expect(call).rejects.toBe(reason)
    expect(asked).toEqual([])
  })

  test('ends the call during the connection', async () => {
    const mute = await serveNothing()
    const controller = new AbortController()
    const call = guarded().fetch(secureAt(mute), { ...limits, signal: controller.signal })
    await expect.poll(() => mute.sockets.length).toBe(1)
    controller.abort(reason)
    await expect(call).rejects.toBe(reason)
  })

  test('ends the call before the headers', async () => {
    const controller = new AbortController()
    const server = await serve(() => controller.abort(reason))
    await expect(guarded().fetch(at(server), { ...limits, signal: controller.signal })).rejects.toBe(reason)
    await allClosed(server.sockets)
  })

  test('ends the call during the body', async () => {
    const controller = new AbortController()
    const server = await serve((_request, response) => response.write('half'))
    const response = await guarded().fetch(at(server), { ...limits, signal: controller.signal })
    const reading = response.text()
    controller.abort(reason)
    await expect(reading).rejects.toBe(reason)
    await allClosed(server.sockets)
  })

  test('can be shared by many concurrent calls', async () => {
    const warnings: Error[] = []
    const listen = (warning: Error) => warnings.push(warning)
    process.on('warning', listen)
    const server = await serve()
    const outbound = guarded()
    const { signal } = new AbortController()
    const call = async () => (await outbound.fetch(at(server), { ...limits, signal })).text()
    const answers = await Promise.all(Array.from({ length: 30 }, call))
    process.off('warning', listen)
    expect(new Set(answers)).toEqual(new Set(['hello']))
    expect(warnings).toEqual([])
  })

  test('has no effect after the end of the call', async () => {
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

const openSockets = () => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length

describe('closing the outbound client', () => {
  test('leaves no socket open, whether idle, connecting, waiting for headers or in a body', async () => {
    // Sockets that other tests of this process have not released yet.
    const before = openSockets()
    // Otherwise an idle connection would end a few seconds later.
    const keptIdle = { connection: 'keep-alive', 'keep-alive': 'timeout=600' }
    const idle = await serve((_request, response) => response.writeHead(200, keptIdle).end('hello'))
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
        detail: expect.stringContaining('shutting down'),
      })
    }
    await allClosed([...idle.sockets, ...mute.sockets, ...waiting.sockets, ...streaming.sockets])
    expect(openSockets()).toBeLessThanOrEqual(before)
  })

  test('can be repeated, and later calls are rejected', async () => {
    const server = await serve()
    const outbound = guarded()
    await Promise.all([outbound.close(), outbound.close()])
    await outbound.close()
    expect((await failureOf(outbound.fetch(at(server), limits))).reason).toBe('connection-failed')
    expect((await failureOf(outbound.resolve('wss://secure.test/'))).reason).toBe('connection-failed')
    expect(server.sockets).toEqual([])
  })
})
