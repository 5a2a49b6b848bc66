import type { ErrorCode, Problem } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectProblem } from '../../support/http/expect-problem.js'
import { exchange } from '../../support/http/raw-socket.js'
import { createResource } from '../../support/http/resources.js'
import { type RawAnswer, send } from '../../support/http/send.js'
import { openSocket, requestHandshake } from '../../support/realtime/open-socket.js'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'
import type { PostgresDatabase } from '../../support/services/postgres-database.js'
import { migratedDatabase, type RunningService, startService } from '../../support/start-service.js'
import { makeTestClock } from '../../support/test-clock.js'

const clock = makeTestClock()

let postgres: PostgresDatabase
let service: RealtimeTestService
let switchedOff: RunningService
let consoleOnly: RunningService

/** Three instances on one database. Two of them accept no realtime sessions of API keys. */
beforeAll(async () => {
  postgres = await migratedDatabase()
  const env = { DATABASE_URL: postgres.url }
  service = await startRealtimeService({ env, clock })
  switchedOff = await startService({ env: { ...env, PARLEY_REALTIME_ENABLED: 'false' }, clock })
  consoleOnly = await startService({ env: { ...env, PARLEY_REALTIME_ACCESS_MODES: 'console' }, clock })
})

afterAll(async () => {
  await switchedOff.close()
  await consoleOnly.close()
  await service.close()
  await postgres.drop()
})

const get = (path: string, there: RunningService = service) => send(there.url, { method: 'GET', path })

/** Creates an agent with its own connection to the provider. */
async function addAgent() {
  const connection = await createResource(service.client, '/api/v1/Connection', {
    name: 'Another',
    kind: 'openai-compatible',
    baseUrl: service.provider.baseUrl,
  })
  const agent = await createResource(service.client, '/api/v1/Agent', {
    name: 'Another',
    connectionId: connection.made.id,
  })
  return { agentId: agent.made.id, agentPath: agent.path, connectionPath: connection.path }
}

/** Returns the fields that are the same in every response to one mistake. */
function stableFieldsOf(answer: RawAnswer, code: ErrorCode): Omit<Problem, 'requestId'> {
  const { requestId, ...stableFields } = expectProblem(answer, code)
  expect(requestId).toMatch(/\S/)
  return stableFields
}

interface Refusal {
  readonly code: ErrorCode
  /** Defaults to 400. */
  readonly status?: number
  /** Matches the detail of the problem. */
  readonly says: RegExp
  readonly path: () => Promise<string> | string
  readonly at?: () => RunningService
}

const refusals: Readonly<Record<string, Refusal>> = {
  'a missing token [7.2-4]': {
    code: 'RealtimeSessionInvalid',
    says: /missing/,
    path: () => `/api/v1/Agent/${service.agentId}/realtime`,
  },
  'an empty token [7.2-4]': {
    code: 'RealtimeSessionInvalid',
    says: /missing/,
    path: () => `/api/v1/Agent/${service.agentId}/realtime?conversationId=${uuid()}&sessionId=`,
  },
  'an unknown token [7.2-4]': {
    code: 'RealtimeSessionInvalid',
    says: /unknown/,
    path: async () => `${(await service.createTicket()).webSocketPath}A`,
  },
  'a session id in place of its token [7.2-4]': {
    code: 'RealtimeSessionInvalid',
    says: /unknown/,
    path: async () => {
      const { conversationId } = await service.createTicket()
      const id = await sessionIdOf(conversationId)
      return `/api/v1/Agent/${service.agentId}/realtime?conversationId=${conversationId}&sessionId=${id}`
    },
  },
  'the token of another agent [7.2-4]': {
    code: 'RealtimeSessionInvalid',
    says: /does not belong/,
    path: async () => (await service.createTicket()).webSocketPath.replace(service.agentId, uuid()),
  },
  'the token of another conversation [7.2-4]': {
    code: 'RealtimeSessionInvalid',
    says: /does not belong/,
    path: async () => {
      const { conversationId, webSocketPath } = await service.createTicket()
      return webSocketPath.replace(conversationId, uuid())
    },
  },
  'the token of a session that was ended before it began [7.2-4]': {
    code: 'RealtimeSessionInvalid',
    says: /ended before it started/,
    path: async () => {
      const { conversationId, webSocketPath } = await service.createTicket()
      await service.client.call('DELETE', `/api/v1/RealtimeSession/${await sessionIdOf(conversationId)}`)
      return webSocketPath
    },
  },
  'a token whose agent was deleted [7.2-4]': {
    code: 'RealtimeSessionInvalid',
    says: /ended before it started/,
    path: async () => {
      const { agentId, agentPath } = await addAgent()
      const { webSocketPath } = await service.createTicket({}, agentId)
      await service.client.call('DELETE', agentPath)
      return webSocketPath
    },
  },
  'a token whose conversation was deleted [7.2-4]': {
    code: 'RealtimeSessionInvalid',
    says: /ended before it started/,
    path: async () => {
      const { conversationId, webSocketPath } = await service.createTicket()
      await service.client.call('DELETE', `/api/v1/Conversation/${conversationId}`)
      return webSocketPath
    },
  },
  'a token whose connection was disabled [7.2-2]': {
    code: 'RealtimeUnsupportedConnection',
    says: /disabled/,
    path: () => pathAfter({ governanceDisabled: true }),
  },
  'a token whose connection no longer has realtime [7.2-2]': {
    code: 'RealtimeUnsupportedConnection',
    says: /not enabled/,
    path: () => pathAfter({ realtimeEnabled: false }),
  },
  'a token whose model was removed from the connection [7.2-3]': {
    code: 'RealtimeUnsupportedModel',
    says: /no longer offers the realtime model gpt-realtime/,
    path: () => pathAfter({ models: { realtime: ['another-model'] } }),
  },
  'a token whose connection has no model left [7.2-3]': {
    code: 'RealtimeUnsupportedModel',
    says: /no longer offers/,
    path: () => pathAfter({ models: { realtime: [] } }),
  },
  'an expired token [3.1-2]': {
    code: 'RealtimeSessionExpired',
    says: /expired/,
    path: async () => {
      const { webSocketPath } = await service.createTicket()
      clock.advance(60_000)
      return webSocketPath
    },
  },
  'a valid token if realtime is disabled [7.2-1]': {
    code: 'RealtimeNotEnabled',
    says: /disabled/,
    path: async () => (await service.createTicket()).webSocketPath,
    at: () => switchedOff,
  },
  'a valid token if the API does not allow realtime [7.2-1]': {
    code: 'RealtimeNotEnabled',
    says: /API key/,
    path: async () => (await service.createTicket()).webSocketPath,
    at: () => consoleOnly,
  },
  'a valid token if the service is shutting down [RT-28]': {
    code: 'Unavailable',
    status: 503,
    says: /shutting down/,
    path: async () => {
      consoleOnly.service.drain()
      return (await service.createTicket()).webSocketPath
    },
    at: () => consoleOnly,
  },
}

async function sessionIdOf(conversationId: string): Promise<string> {
  const path = `/api/v1/RealtimeSession?ConversationId=${conversationId}`
  const { body } = await service.client.call<{ items: { id: string }[] }>('GET', path)
  return body.items[0]?.id ?? ''
}

/** Returns the socket path of a ticket whose connection is changed after its creation. */
async function pathAfter(patch: object): Promise<string> {
  const { agentId, connectionPath } = await addAgent()
  const { webSocketPath } = await service.createTicket({}, agentId)
  await service.client.call('PATCH', connectionPath, { body: patch })
  return webSocketPath
}

describe('a rejected handshake', () => {
  test.each(Object.entries(refusals))(
    'is answered over HTTP exactly like a plain GET of its path: %s [RT-2] [2.4-1]',
    async (_, { code, status = 400, says, path, at = () => service }) => {
      const target = await path()
      const plain = await get(target, at())
      const stableFields = stableFieldsOf(plain, code)
      expect(stableFields.status).toBe(status)
      expect(stableFields.detail).toMatch(says)
      expect(plain.headers.get('access-control-allow-origin')).toBe('*')
      expect(plain.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
      // A check changes nothing: a second GET and the handshake get the same response.
      expect(stableFieldsOf(await get(target, at()), code)).toEqual(stableFields)
      expect(stableFieldsOf(await requestHandshake(at().url, target), code)).toEqual(stableFields)
    },
  )

  test('answers a plain GET of a valid path with 426 and does not consume the token [RT-2] [2.4-1]', async () => {
    const { webSocketPath } = await service.createTicket()
    for (let time = 0; time < 3; time += 1) {
      const answer = await get(webSocketPath)
      expect(stableFieldsOf(answer, 'UpgradeRequired').status).toBe(426)
      expect(answer.headers.get('upgrade')).toBe('websocket')
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    }
    const client = await service.connect(webSocketPath)
    await service.provider.accept()
    expectProblem(await get(webSocketPath), 'RealtimeSessionAlreadyUsed')
    client.socket.terminate()
  })

  test.each(['x-forwarded-for', 'x-forwarded-proto', 'forwarded', 'via'])(
    'sends no Upgrade header if %s reveals a proxy [RT-2] [2.4-1]',
    async (name) => {
      const { webSocketPath: path } = await service.createTicket()
      const answer = await send(service.url, { method: 'GET', path, headers: { [name]: 'proxy' } })
      expect([answer.status, answer.headers.has('upgrade')]).toEqual([426, false])
    },
  )

  test("uses the caller's request id in the response and in the log [RT-2] [2.4-1]", async () => {
    const path = `/api/v1/Agent/${service.agentId}/realtime`
    const headers = { 'x-request-id': 'my-handshake' }
    const problem = expectProblem(
      await requestHandshake(service.url, path, [], { headers }),
      'RealtimeSessionInvalid',
    )
    expect(problem.requestId).toBe('my-handshake')
    const lines = service.log.filter((line) => line.includes('"requestId":"my-handshake"'))
    expect(lines).toEqual([expect.stringContaining('RealtimeSessionInvalid')])
  })

  const elsewhere = [
    '/',
    '/api/v1/Agent',
    '/api/v1/Agent/AGENT',
    '/api/v1/Agent//realtime',
    '/api/v1/Agent/AGENT/realtime/',
    '/api/v1/Agent/AGENT/realtime-session',
    '/api/v1/agent/AGENT/realtime',
    '/api/v1/RealtimeSession',
    '/v1/realtime',
    '//[bad',
  ]
  test.each(elsewhere)('offers no socket at %s [RT-2] [2.4-1]', async (path) => {
    const { conversationId, sessionId, webSocketPath } = await service.createTicket()
    const query = `?conversationId=${conversationId}&sessionId=${sessionId}`
    const target = `${path.replace('AGENT', service.agentId)}${query}`
    const { head, body } = await exchange(service.url, handshake(target))
    expect(head).toContain('404 Not Found')
    expect(JSON.parse(body)).toMatchObject({ status: 404, errorCode: 'NotFound' })
    expect((await get(webSocketPath)).status).toBe(426)
  })

  const improper: readonly [string, (path: string) => string][] = [
    ['another method', (path) => handshake(path).replace('GET', 'POST')],
    ['no key', (path) => handshake(path, { 'Sec-WebSocket-Key': null })],
    ['an invalid key', (path) => handshake(path, { 'Sec-WebSocket-Key': 'none' })],
    ['no version', (path) => handshake(path, { 'Sec-WebSocket-Version': null })],
    ['another version', (path) => handshake(path, { 'Sec-WebSocket-Version': '12' })],
    ['an invalid subprotocol', (path) => handshake(path, { 'Sec-WebSocket-Protocol': 'realtime,,' })],
  ]
  test.each(improper)(
    'answers a handshake with %s with InvalidRequest and does not consume the token [RT-2] [2.4-1]',
    async (_, bytes) => {
      const { webSocketPath } = await service.createTicket()
      const { head, body } = await exchange(service.url, bytes(webSocketPath))
      expect(head).toContain('400 Bad Request')
      expect(JSON.parse(body)).toMatchObject({ status: 400, errorCode: 'InvalidRequest' })
      expect((await get(webSocketPath)).status).toBe(426)
    },
  )
})

/** Returns a handshake request as text. A header with the value null is omitted. */
function handshake(path: string, changed: Readonly<Record<string, string | null>> = {}): string {
  const headers = {
    Host: 'service',
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': Buffer.alloc(16, 7).toString('base64'),
    ...changed,
  }
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    value === null ? [] : [`${name}: ${value}`],
  )
  return `${[`GET ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`
}

describe('the socket at webSocketPath', () => {
  const ways: Readonly<Record<string, [(path: string) => string, Record<string, string>]>> = {
    'without an API key': [(path) => path, {}],
    'with any API key and organization': [
      (path) => path,
      { 'x-api-key': 'prl_wrong', 'x-org-id': uuid(), authorization: 'Bearer sk-x', 'api-key': 'x' },
    ],
    'with headers of other clients': [
      (path) => path,
      { 'openai-beta': 'realtime=v1', origin: 'https://a.example' },
    ],
    'with query parameters of other clients': [(path) => `${path}&model=gpt-x&_=1&sessionID=no`, {}],
    'with its query parameters in another order': [
      (path) => path.replace(/\?(.*)&(.*)$/, (_, one: string, other: string) => `?${other}&${one}`),
      {},
    ],
    'with its ids in upper case': [
      (path) => path.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => id.toUpperCase()),
      {},
    ],
  }
  test.each(Object.entries(ways))('opens %s [4.4-1]', async (_, [change, headers]) => {
    const { webSocketPath } = await service.createTicket()
    const client = await openSocket(service.url, change(webSocketPath), [], { headers })
    expect(client.socket.protocol).toBe('')
    expect(client.socket.extensions).toBe('')
    const provider = await service.provider.accept()
    client.send({ type: 'input_audio_buffer.clear' })
    await provider.inbox.takeType('input_audio_buffer.clear')
    expect(JSON.stringify(provider.request.headers)).not.toMatch(/prl_wrong|sk-x|realtime=v1/)
    client.socket.close()
    await client.inbox.closed
  })
})
