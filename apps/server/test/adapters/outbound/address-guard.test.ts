import { beforeEach, describe, expect, test } from 'vitest'
import { requireLocalName } from '../../support/http/local-name.js'
import { failureOf, limits, useOutbound } from '../../support/outbound/outbound-fixture.js'
import { allClosed, connectionIsFree, type RecordingServer } from '../../support/outbound/recording-server.js'
import { scriptResolver } from '../../support/outbound/scripted-resolver.js'

/**
 * The rules treat these addresses as global, but they are unassigned, so tests send no packet to a real
 * host.
 */
const nowhere = '3000::1'

describe('name resolution [OUT-2]', () => {
  const { guarded, serve } = useOutbound()
  let server: RecordingServer

  beforeEach(async () => {
    server = await serve()
  })

  test('resolves a name once per connection and connects to the checked address', async () => {
    const { resolver, asked } = scriptResolver({ 'rebinding.test': [[nowhere], ['127.0.0.1']] })
    const { fetch } = guarded({ resolver, allowedPrivateHosts: [] })
    const url = `http://rebinding.test:${server.port}/`

    const first = await failureOf(fetch(url, { ...limits, timeoutMilliseconds: 500 }))
    expect(first.reason).not.toBe('refused')
    expect(asked).toEqual(['rebinding.test'])

    expect((await failureOf(fetch(url, limits))).reason).toBe('refused')
    expect(asked).toEqual(['rebinding.test', 'rebinding.test'])
    expect(server.sockets).toEqual([])
  })

  test('ignores an answer that changes after the check', async () => {
    const { resolver, asked } = scriptResolver({ 'rebinding.test': [['127.0.0.1'], [nowhere]] })
    const { fetch } = guarded({ resolver, allowedPrivateHosts: ['rebinding.test'] })
    const response = await fetch(`http://rebinding.test:${server.port}/`, limits)
    expect(await response.text()).toBe('hello')
    expect(asked).toEqual(['rebinding.test'])
  })

  test.each([
    ['first', [nowhere, '127.0.0.1']],
    ['last', ['127.0.0.1', nowhere]],
  ])('rejects a name with one private address if the public address is %s', async (_place, addresses) => {
    const { resolver } = scriptResolver({ 'mixed.test': [addresses] })
    const { fetch, resolve } = guarded({ resolver, allowedPrivateHosts: [] })
    expect((await failureOf(fetch(`http://mixed.test:${server.port}/`, limits))).reason).toBe('refused')
    expect((await failureOf(resolve(`ws://mixed.test:${server.port}/`))).reason).toBe('refused')
    expect(server.sockets).toEqual([])
  })

  test('accepts private addresses of an allowed name and sends the name in the request', async () => {
    const { resolver } = scriptResolver({ 'internal.test': [['127.0.0.1']] })
    const { fetch } = guarded({ resolver, allowedPrivateHosts: [`internal.test:${server.port}`] })
    const response = await fetch(`http://Internal.test:${server.port}/path?query=1#fragment`, limits)
    expect(await response.text()).toBe('hello')
    expect(response).toMatchObject({
      status: 200,
      url: `http://internal.test:${server.port}/path?query=1#fragment`,
    })
    expect(server.hits).toMatchObject([
      { method: 'GET', url: '/path?query=1', headers: { host: `internal.test:${server.port}` } },
    ])
  })

  test('tries the next address if one cannot be reached', async () => {
    const { resolver } = scriptResolver({ 'internal.test': [[nowhere, '127.0.0.1']] })
    const { fetch } = guarded({ resolver, allowedPrivateHosts: ['internal.test'] })
    const response = await fetch(`http://internal.test:${server.port}/`, limits)
    expect(await response.text()).toBe('hello')
  })

  test('reuses an open connection for its own origin only', async () => {
    const { resolver, asked } = scriptResolver({ 'a.test': [['127.0.0.1']], 'b.test': [['127.0.0.1']] })
    const { fetch } = guarded({ resolver, allowedPrivateHosts: ['a.test'] })
    const call = async (name: string) => (await fetch(`http://${name}:${server.port}/`, limits)).text()
    await call('a.test')
    await connectionIsFree()
    await call('a.test')
    expect(server.sockets).toHaveLength(1)
    expect((await failureOf(call('b.test'))).reason).toBe('refused')
    expect(asked).toEqual(['a.test', 'b.test'])
  })

  test('checks the name again before it replaces a lost connection', async () => {
    const { resolver, asked } = scriptResolver({ 'a.test': [['127.0.0.1'], [nowhere]] })
    const { fetch } = guarded({ resolver, allowedPrivateHosts: ['a.test'] })
    await (await fetch(`http://a.test:${server.port}/`, limits)).text()
    for (const socket of server.sockets) socket.destroy()
    await allClosed(server.sockets)
    await failureOf(fetch(`http://a.test:${server.port}/`, { ...limits, timeoutMilliseconds: 500 }))
    expect(asked).toEqual(['a.test', 'a.test'])
    expect(server.sockets).toHaveLength(1)
  })

  test.each([[[]], [undefined]])('reports a name without addresses (%j) as not found', async (addresses) => {
    const { resolver } = scriptResolver(addresses === undefined ? {} : { 'empty.test': [addresses] })
    const { fetch } = guarded({ resolver, allowedPrivateHosts: [] })
    expect(await failureOf(fetch('http://empty.test/', limits))).toMatchObject({
      reason: 'connection-failed',
      detail: expect.stringContaining('empty.test'),
    })
  })

  test('uses the operating system if no resolver is given', async () => {
    await requireLocalName()
    const { fetch } = guarded({ allowedPrivateHosts: ['localhost'], resolver: undefined })
    const other = guarded({ allowedPrivateHosts: [], resolver: undefined })
    expect((await fetch(`http://localhost:${server.port}/`, limits)).status).toBe(200)
    expect((await failureOf(other.fetch(`http://localhost:${server.port}/`, limits))).reason).toBe('refused')
    expect(server.hits).toHaveLength(1)
  })

  test('returns the checked addresses of a name or a literal to sockets', async () => {
    const { resolver } = scriptResolver({ 'voice.test': [['1.1.1.1', '2606:4700::1']] })
    const { resolve } = guarded({ resolver, allowedPrivateHosts: ['127.0.0.1:9000'] })
    expect(await resolve('wss://voice.test/v1/realtime')).toEqual([
      { address: '1.1.1.1', family: 4 },
      { address: '2606:4700::1', family: 6 },
    ])
    expect(await resolve('ws://127.0.0.1:9000/')).toEqual([{ address: '127.0.0.1', family: 4 }])
    expect(await resolve('wss://[2606:4700::1]/')).toEqual([{ address: '2606:4700::1', family: 6 }])
    expect((await failureOf(resolve('ws://127.0.0.1:9001/'))).reason).toBe('refused')
    expect((await failureOf(resolve('https://voice.test/'))).reason).toBe('refused')
  })

  test('ends a lookup for a socket if its signal aborts, its time is up or the service closes', async () => {
    const { resolve, close } = guarded({
      resolver: () => new Promise(() => undefined),
      connectTimeoutMilliseconds: 50,
    })
    const reason = new Error('enough')
    await expect(resolve('ws://slow.test/', AbortSignal.abort(reason))).rejects.toBe(reason)
    expect((await failureOf(resolve('ws://slow.test/'))).reason).toBe('timed-out')
    const pending = failureOf(resolve('ws://slow.test/'))
    await close()
    expect((await pending).detail).toContain('shutting down')
  })
})
