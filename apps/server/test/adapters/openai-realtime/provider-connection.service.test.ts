import { once } from 'node:events'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { ConnectionKind } from '@parley/contract'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { WebSocket } from 'ws'
import { realtimeUrl } from '#server/adapters/openai-realtime/provider-address.js'
import { createResource } from '../../support/http/resources.js'
import { testCertificate } from '../../support/outbound/test-certificate.js'
import { openSocket, type RealtimeClient } from '../../support/realtime/open-socket.js'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'
import type { UpgradeScript } from '../../support/realtime/scripted-provider.js'
import { neverAnswer } from '../../support/realtime/slow-handshakes.js'
import { endReasonOf, patiently } from '../../support/realtime/spoken-turns.js'
import { findFreePort } from '../../support/services/free-port.js'
import type { PostgresDatabase } from '../../support/services/postgres-database.js'
import { migratedDatabase, type RunningService, startService } from '../../support/start-service.js'
import { makeTestTimers } from '../../support/test-timers.js'

const secret = 'sk-scripted-secret'
const timers = makeTestTimers()

let postgres: PostgresDatabase
let service: RealtimeTestService
/** Another service on the same database that allows no private host. */
let cautious: RunningService
/** A server with a self-signed certificate. */
let unsigned: Server

beforeAll(async () => {
  postgres = await migratedDatabase()
  service = await startRealtimeService({ env: { DATABASE_URL: postgres.url }, timers })
  cautious = await startService({ env: { DATABASE_URL: postgres.url }, timers })
  unsigned = createServer(testCertificate).listen(0, '127.0.0.1')
  await once(unsigned, 'listening')
})

afterEach(() => service.provider.onUpgrade(() => 'accept'))

afterAll(async () => {
  unsigned.close()
  await cautious.close()
  await service.close()
  await postgres.drop()
})

async function addAgent(connection: object): Promise<string> {
  const body = { name: 'Another', kind: 'openai-compatible', apiKey: secret, ...connection }
  const { made } = await createResource(service.client, '/api/v1/Connection', body)
  const agent = { name: 'Another', connectionId: made.id }
  return (await createResource(service.client, '/api/v1/Agent', agent)).made.id
}

/** Expects an error message without secrets, the close code, and the stored end reason of the session. */
async function expectEnd(client: RealtimeClient, code: number, reason: string, why: RegExp): Promise<void> {
  const closed = await client.inbox.closed
  const [{ data } = { data: '' }, ...others] = client.inbox.all
  expect(others).toEqual([])
  expect(JSON.parse(data.toString())).toEqual({
    type: 'error',
    event_id: expect.stringMatching(/\S/),
    error: {
      type: 'service_error',
      code: reason,
      message: expect.stringMatching(why),
      param: null,
      event_id: null,
    },
  })
  expect(closed).toEqual({ code, reason })
  expect(data.toString()).not.toContain(secret)
  for (const there of [service, cautious]) expect(there.log.join('')).not.toContain(secret)
}

describe('the connection to a provider [RT-4]', () => {
  const bearer = { authorization: `Bearer ${secret}` }
  const apiKey = { 'api-key': secret }
  const addresses: readonly [ConnectionKind, string, string, object][] = [
    ['openai', '/v1', '/v1/realtime', bearer],
    ['openai-compatible', '/v1', '/v1/realtime', bearer],
    ['openai-compatible', '/some/where//', '/some/where/realtime', bearer],
    ['openai-compatible', '', '/realtime', bearer],
    ['azure-openai', '', '/openai/v1/realtime', apiKey],
    ['azure-openai', '/', '/openai/v1/realtime', apiKey],
    ['azure-openai', '/openai/v1', '/openai/v1/realtime', apiKey],
    ['azure-openai', '/openai/v1/', '/openai/v1/realtime', apiKey],
  ]
  test.each(addresses)(
    'uses kind %s at "%s" with the path %s',
    async (kind, path, expectedPath, keyHeaders) => {
      const baseUrl = `${new URL(service.provider.baseUrl).origin}${path}`
      const models = { realtime: ['a model/1+2&x=y'] }
      const { webSocketPath } = await service.createTicket({}, await addAgent({ kind, baseUrl, models }))
      const client = await service.connect(webSocketPath, [], { headers: { 'x-mine': 'not for them' } })
      const { request } = await service.provider.accept()
      const url = new URL(request.url ?? '', baseUrl)
      expect(url.pathname).toBe(expectedPath)
      expect([...url.searchParams]).toEqual([['model', 'a model/1+2&x=y']])
      const { host, connection, upgrade, 'sec-websocket-key': key, ...headers } = request.headers
      expect(headers).toEqual({ 'sec-websocket-version': '13', ...keyHeaders })
      client.socket.close()
      await client.inbox.closed
    },
  )

  test('sends no key if none is stored', async () => {
    const agentId = await addAgent({ baseUrl: service.provider.baseUrl, apiKey: null })
    const client = await service.connect((await service.createTicket({}, agentId)).webSocketPath)
    const { request } = await service.provider.accept()
    expect(Object.keys(request.headers).join()).not.toMatch(/authorization|api-key/)
    client.socket.close()
    await client.inbox.closed
  })

  const secure: readonly [ConnectionKind, string, string][] = [
    ['openai', 'https://api.openai.com/v1', 'wss://api.openai.com/v1/realtime?model=m'],
    ['azure-openai', 'https://me.openai.azure.com', 'wss://me.openai.azure.com/openai/v1/realtime?model=m'],
    ['openai-compatible', 'https://api.x.ai:444/v1', 'wss://api.x.ai:444/v1/realtime?model=m'],
  ]
  test.each(secure)('uses wss for kind %s at %s', (kind, address, url) => {
    expect(realtimeUrl({ kind, address, apiKey: null, model: 'm' })).toBe(url)
  })
})

/** Rejects the handshake with this status. The body contains the key, as with some providers. */
function answer(status: number, headers = ''): UpgradeScript {
  return (request, socket) => {
    const body = `No: ${request.headers.authorization}`
    socket.end(
      `HTTP/1.1 ${status} No\r\n${headers}content-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
    )
    return 'handled'
  }
}

const acceptIncorrectly = (_: unknown, socket: Duplex) => {
  socket.end(
    'HTTP/1.1 101 Yes\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: yes\r\n\r\n',
  )
  return 'handled' as const
}

const drop = (_: unknown, socket: Duplex) => {
  socket.destroy()
  return 'handled' as const
}

describe('a failing provider [RT-17]', () => {
  const refusals: readonly [string, UpgradeScript, RegExp][] = [
    ['rejects the key', answer(401), /refused the connection's key .*401/],
    ['forbids the access', answer(403), /refused the connection's key .*403/],
    ['does not know the model', answer(404), /no realtime endpoint or model .*404/],
    ['reports a rate limit', answer(429), /rate limit or quota .*429/],
    ['fails', answer(500), /refused the connection .*500/],
    ['redirects the service', answer(302, 'location: http://127.0.0.1:1/v1\r\n'), /refused .*302/],
    ['does not upgrade to WebSocket', answer(200), /refused the connection .*200/],
    ['drops the connection', drop, /did not answer properly: it closed/],
    ['accepts with a wrong handshake', acceptIncorrectly, /did not answer properly/],
  ]
  test.each(refusals)('ends the session with 4002 if it %s', async (_, script, why) => {
    service.provider.onUpgrade(script)
    const { conversationId, webSocketPath } = await service.createTicket()
    const client = await service.connect(webSocketPath)
    await expectEnd(client, 4002, 'provider_unavailable', why)
    await expect
      .poll(() => endReasonOf(service.client, conversationId), patiently)
      .toBe('provider_unavailable')
  })

  test('ends the session with 4002 if nothing listens at its address', async () => {
    const baseUrl = `http://127.0.0.1:${await findFreePort()}/v1`
    const { webSocketPath } = await service.createTicket({}, await addAgent({ baseUrl }))
    const client = await service.connect(webSocketPath)
    await expectEnd(client, 4002, 'provider_unavailable', /Nothing listens at 127/)
  })

  test('ends the session with 4002 if no trusted authority has signed its certificate [RT-4]', async () => {
    const baseUrl = `https://127.0.0.1:${(unsigned.address() as AddressInfo).port}/v1`
    const { webSocketPath } = await service.createTicket({}, await addAgent({ baseUrl }))
    const client = await service.connect(webSocketPath)
    await expectEnd(
      client,
      4002,
      'provider_unavailable',
      /signed by an authority that the service does not trust/,
    )
  })

  test('ends the session with 4002 if its private network is not allowed [OUT-4]', async () => {
    const { webSocketPath } = await service.createTicket()
    const client = await openSocket(cautious.url, webSocketPath)
    const why = /127\.0\.0\.1 is not a public address.*PARLEY_ALLOWED_PRIVATE_HOSTS/
    await expectEnd(client, 4002, 'provider_unavailable', why)
  })

  test('ends the session with 4002 if it does not answer within 15 seconds, and is disconnected', async () => {
    const { reached, left } = neverAnswer(service.provider)
    const { webSocketPath } = await service.createTicket()
    const client = await service.connect(webSocketPath)
    await reached
    timers.advance(15_000)
    await expectEnd(client, 4002, 'provider_unavailable', /did not respond within 15 seconds/)
    await left
  })

  const closes: readonly [string, (socket: WebSocket) => void, RegExp][] = [
    ['closes with a reason', (socket) => socket.close(1013, `busy, ${secret}`), /\(1013: busy, \[secret\]\)/],
    ['closes without a reason', (socket) => socket.close(), /\(1005\)/],
    ['drops the connection', (socket) => socket.terminate(), /\(1006\)/],
  ]
  test.each(closes)(
    'ends the session with 4003 if it accepts the connection and then %s [RT-14]',
    async (_, end, why) => {
      const { webSocketPath } = await service.createTicket()
      const accepted = service.provider.accept().then(({ socket }) => end(socket))
      const client = await service.connect(webSocketPath)
      await accepted
      await expectEnd(client, 4003, 'provider_closed', why)
    },
  )
})
