import type { RequestListener } from 'node:http'
import { describe, expect, test } from 'vitest'
import { makeGuardedFetch } from '#server/adapters/outbound/guarded-fetch.js'
import { at, failureOf, limits, useOutbound } from '../../support/outbound/outbound-fixture.js'
import { allClosed } from '../../support/outbound/recording-server.js'

const { guarded, serve } = useOutbound()
const guardedFetch = (changes: Partial<typeof limits> = {}) =>
  makeGuardedFetch(guarded(), { ...limits, ...changes })

describe('the request of guardedFetch', () => {
  test.each([
    ['text', 'text', 'text/plain;charset=UTF-8'],
    ['bytes', new TextEncoder().encode('bytes'), undefined],
    ['a=b', new URLSearchParams({ a: 'b' }), 'application/x-www-form-urlencoded;charset=UTF-8'],
  ])('carries the body %s', async (sent, body, type) => {
    const server = await serve()
    const headers = new Headers({ 'X-Key': 'value' })
    const response = await guardedFetch()(new URL(at(server)), { method: 'POST', body, headers })
    expect(await response.text()).toBe('hello')
    expect(server.hits).toMatchObject([{ method: 'POST', body: sent, headers: { 'x-key': 'value' } }])
    expect(server.hits[0]?.headers['content-type']).toBe(type)
  })

  test('can be a Request object', async () => {
    const server = await serve()
    const request = new Request(`${at(server)}path`, { method: 'PUT', body: 'text', headers: { a: 'b' } })
    await (await guardedFetch()(request)).text()
    expect(server.hits).toMatchObject([{ method: 'PUT', url: '/path', body: 'text', headers: { a: 'b' } }])
  })

  test('is never changed from POST to GET, as models and MCP servers rely on it [OUT-7]', async () => {
    const server = await serve((_request, response) => response.writeHead(302, { location: '/other' }).end())
    const call = guardedFetch()(at(server), { method: 'POST', body: '{}' })
    expect((await failureOf(call)).detail).toContain('redirects the POST request')
    expect(server.hits).toHaveLength(1)
  })

  test('is rejected if its method is unknown', async () => {
    const server = await serve()
    await expect(guardedFetch()(at(server), { method: 'OPTIONS' })).rejects.toThrow(TypeError)
    expect(server.sockets).toEqual([])
  })
})

describe('the response of guardedFetch', () => {
  test('has the status, the headers, the address and the body', async () => {
    const server = await serve((_request, response) =>
      response.writeHead(418, { 'x-kind': 'pot' }).end('tea'),
    )
    const response = await guardedFetch()(at(server))
    expect(response).toMatchObject({ status: 418, ok: false, url: at(server) })
    expect(response.headers.get('x-kind')).toBe('pot')
    expect(await response.text()).toBe('tea')
  })

  test('is rejected if a message has more than 50 000 values [BND-18]', async () => {
    const values = (count: number) => `[${'1,'.repeat(count - 1)}1]`
    const bodies = new Map([
      ['/whole', ['application/json', values(60_000)]],
      ['/event', ['text/event-stream', `data: ${values(60_000)}\n\n`]],
      ['/events', ['text/event-stream', `data: ${values(40_000)}\n\n`.repeat(3)]],
    ])
    const server = await serve((request, response) => {
      const [type = '', body = ''] = bodies.get(request.url ?? '') ?? []
      response.writeHead(200, { 'content-type': type }).end(body)
    })
    const read = async (path: string) =>
      (await guardedFetch({ maxResponseBytes: 1e6 })(`${at(server)}${path}`)).text()
    for (const path of ['whole', 'event'])
      expect(await failureOf(read(path))).toMatchObject({
        reason: 'too-large',
        detail: expect.stringContaining('50000 values'),
      })
    expect(await read('events')).toHaveLength(3 * (80_000 + '[1]data: \n\n'.length - 2))
  })

  test.each([204, 205, 304])('has no body for status %i', async (status) => {
    const server = await serve((_request, response) => response.writeHead(status).end())
    const response = await guardedFetch()(at(server))
    expect(response).toMatchObject({ status, body: null })
  })

  test('is rejected if its status does not exist', async () => {
    const server = await serve((_request, response) => response.writeHead(999).end('x'))
    await expect(guardedFetch()(at(server))).rejects.toThrow('999')
  })

  test('delivers events one by one as they arrive', async () => {
    let sendNext: (text: string) => void = () => undefined
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n')
      sendNext = (text) => void response.write(text)
    })
    const { body } = await guardedFetch()(at(server))
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
    expect(await reader?.read()).toMatchObject({ value: 'data: 1\n\n' })
    sendNext('data: 2\n\n')
    expect(await reader?.read()).toMatchObject({ value: 'data: 2\n\n' })
    await reader?.cancel()
    await allClosed(server.sockets)
  })
})

describe('the end of a guardedFetch call', () => {
  const half: RequestListener = (_request, response) => response.writeHead(200).write('half')
  const reason = new Error('the caller left')

  test('rejects with an OutboundFailure if the guard refuses the address', async () => {
    const server = await serve()
    const refused = makeGuardedFetch(guarded({ allowedPrivateHosts: [] }), limits)
    expect((await failureOf(refused(at(server)))).reason).toBe('refused')
    expect(server.sockets).toEqual([])
  })

  test('follows an abort before the call, before the headers and during the body', async () => {
    const server = await serve(half)
    const call = guardedFetch()
    await expect(call(at(server), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    expect(server.sockets).toEqual([])

    const early = new AbortController()
    const mute = await serve(() => early.abort(reason))
    await expect(call(at(mute), { signal: early.signal })).rejects.toBe(reason)
    await allClosed(mute.sockets)

    const late = new AbortController()
    const response = await call(at(server), { signal: late.signal })
    const reading = response.text()
    late.abort(reason)
    await expect(reading).rejects.toBe(reason)
    await allClosed(server.sockets)
  })

  test('releases the connection if the caller cancels a body that it is waiting for', async () => {
    const server = await serve(half)
    const { body } = await guardedFetch()(at(server))
    const reader = body?.getReader()
    await reader?.read()
    const pending = reader?.read()
    await reader?.cancel()
    expect(await pending).toMatchObject({ done: true })
    await allClosed(server.sockets)
  })

  test('applies the time and size limits up to the end of the body', async () => {
    const server = await serve(half)
    const slow = await guardedFetch({ timeoutMilliseconds: 1_000 })(at(server))
    expect((await failureOf(slow.text())).reason).toBe('timed-out')
    const large = await guardedFetch({ maxResponseBytes: 3 })(at(server))
    expect((await failureOf(large.text())).reason).toBe('too-large')
  })
})
