import type { Agent, Usage } from '@parley/contract'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'
import {
  type ProviderSession,
  type ScriptedProvider,
  startScriptedProvider,
} from '../../support/realtime/scripted-provider.js'
import { expectEnd } from '../../support/realtime/session-ends.js'
import { endedSession, messagesOf, patiently, transcribed } from '../../support/realtime/spoken-turns.js'
import { makeTestTimers, type TestTimers } from '../../support/test-timers.js'

let service: RealtimeTestService
let timers: TestTimers
/** The provider of the fallback. The agent's own provider is `service.provider`. */
let fallback: ScriptedProvider
let fallbackId: string
let agentId: string

beforeAll(async () => {
  timers = makeTestTimers()
  service = await startRealtimeService({ timers })
  fallback = await startScriptedProvider()
  fallbackId = await createConnection('Fallback', fallback.baseUrl)
})

afterAll(async () => {
  await service.close()
  await fallback.close()
})

// A new connection for each test, because the service remembers failures of a connection.
beforeEach(async () => {
  const connectionId = await createConnection('Own', service.provider.baseUrl)
  const { body } = await service.client.call<Agent>('POST', '/api/v1/Agent', {
    body: {
      name: 'Robust',
      connectionId,
      firstMessage: 'Hello.',
      realtimeFallbacks: [{ connectionId: fallbackId, model: 'second-model', voice: 'marin' }],
    },
  })
  agentId = body.id
})

afterEach(() => {
  service.provider.onUpgrade(() => 'accept')
  fallback.onUpgrade(() => 'accept')
})

async function createConnection(name: string, baseUrl: string): Promise<string> {
  const body = { name, kind: 'openai-compatible', baseUrl, apiKey: 'k', models: { realtime: modelsOf[name] } }
  return (await service.client.call<{ id: string }>('POST', '/api/v1/Connection', { body })).body.id
}

const modelsOf: Readonly<Record<string, readonly string[]>> = {
  Own: ['first-model'],
  Fallback: ['second-model'],
}

/** Opens a socket of the agent, and does not wait for a provider. */
async function openClient() {
  const ticket = await service.createTicket({}, agentId)
  return { ticket, client: await service.connect(ticket.webSocketPath) }
}

const changed = {
  type: 'session.provider_changed',
  data: { reason: 'unavailable', providerModelName: 'second-model', isContextRestored: true },
}

/** Ends the handshake of the agent's own provider with this status. */
const refuseWith = (status: number) =>
  service.provider.onUpgrade((_, socket) => {
    socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`)
    return 'handled'
  })

async function rejectConfiguration(): Promise<ProviderSession> {
  const own = await service.provider.accept()
  const { event_id } = await own.inbox.takeType('session.update')
  own.send({ type: 'session.created', session: { model: 'first-model' } })
  own.send({ type: 'error', error: { type: 'invalid_request_error', message: 'Unknown voice.', event_id } })
  return own
}

describe('the fallback answers', () => {
  test.each([401, 404, 429, 500, 503])('if the provider responds with %i [RT-53]', async (status) => {
    refuseWith(status)
    const { client, ticket } = await openClient()
    client.send({ type: 'input_audio_buffer.commit' })
    const provider = await fallback.accept()
    expect(await provider.inbox.takeType('session.update')).toMatchObject({
      session: { model: 'second-model', audio: { output: { voice: 'marin' } } },
    })
    expect(provider.request.url).toContain('model=second-model')
    await provider.inbox.takeType('input_audio_buffer.commit')
    expect(await client.inbox.takeJson()).toEqual(changed)
    provider.send(transcribed('U', 'Hello?'))
    await client.inbox.takeType('message.created')
    client.socket.close(1000)
    await endedSession(service.client, ticket.conversationId)
    expect(await messagesOf(service.client, ticket.conversationId)).toMatchObject([{ content: 'Hello?' }])
  })

  test('if the provider rejects the configuration, and nothing of it reaches the client [RT-53]', async () => {
    const { client } = await openClient()
    client.send({ type: 'input_audio_buffer.commit' })
    const own = await rejectConfiguration()
    const provider = await fallback.accept()
    await provider.inbox.takeType('input_audio_buffer.commit')
    provider.send({ type: 'session.updated', session: {} })
    await client.inbox.takeType('session.updated')
    expect(client.inbox.all.map(({ data }) => JSON.parse(data.toString()).type)).toEqual([
      'session.provider_changed',
      'session.updated',
    ])
    await own.inbox.closed
    expect(own.inbox.all.map(({ data }) => JSON.parse(data.toString()).type)).toEqual(['session.update'])
    client.socket.close(1000)
  })

  test('if the provider closes before it has confirmed the configuration [RT-53]', async () => {
    const { client } = await openClient()
    const own = await service.provider.accept()
    await own.inbox.takeType('session.update')
    own.socket.close(1011, 'overloaded')
    await fallback.accept()
    expect(await client.inbox.takeJson()).toEqual(changed)
    client.socket.close(1000)
  })

  test('if the provider does not confirm the configuration within four seconds [RT-53]', async () => {
    const { client } = await openClient()
    const own = await service.provider.accept()
    await own.inbox.takeType('session.update')
    timers.advance(3999)
    expect(fallback.openCount).toBe(0)
    timers.advance(1)
    await fallback.accept()
    expect(await client.inbox.takeJson()).toEqual(changed)
    await own.inbox.closed
    client.socket.close(1000)
  })

  test('if the connection of the agent is disabled, from the ticket on [RT-53]', async () => {
    const { body: agent } = await service.client.call<Agent>('GET', `/api/v1/Agent/${agentId}`)
    await service.client.call('PATCH', `/api/v1/Connection/${agent.connectionId}`, {
      body: { governanceDisabled: true },
    })
    const ticket = await service.createTicket({}, agentId)
    expect(ticket.providerModelName).toBe('second-model')
    const client = await service.connect(ticket.webSocketPath)
    const provider = await fallback.accept()
    await provider.inbox.takeType('session.update')
    client.socket.close(1000)
  })

  test('with its own first message, and its usage is counted for its connection [RT-53]', async () => {
    await service.client.call('PATCH', `/api/v1/Agent/${agentId}`, {
      body: {
        realtimeFallbacks: [
          { connectionId: fallbackId, firstMessage: 'I cannot reach my usual model. I can take a message.' },
        ],
      },
    })
    refuseWith(503)
    const { client, ticket } = await openClient()
    const provider = await fallback.accept()
    const request = await provider.inbox.takeType('response.create')
    expect(JSON.stringify(request)).toContain('I can take a message.')
    const usage = { total_tokens: 7, input_tokens: 3, output_tokens: 4 }
    provider.send({ type: 'response.done', response: { id: 'R', status: 'completed', output: [], usage } })
    await client.inbox.takeType('response.done')
    client.socket.close(1000)
    await endedSession(service.client, ticket.conversationId)
    const counted = async () => {
      const path = `/api/v1/Usage?AgentId=${agentId}&GroupBy=connection,model`
      const { body } = await service.client.call<Usage>('GET', path)
      return body.items.map(({ group, sessions, responses }) => ({ ...group, sessions, responses }))
    }
    await expect
      .poll(counted, patiently)
      .toEqual([{ connectionId: fallbackId, model: 'second-model', sessions: 1, responses: 1 }])
  })
})

test("an agent's own provider that confirms is relayed unchanged, and no fallback is tried [RT-53]", async () => {
  const { client } = await openClient()
  client.send({ type: 'input_audio_buffer.commit' })
  const own = await service.provider.accept()
  await own.inbox.takeType('session.update')
  own.send({ type: 'session.created' })
  own.send({ type: 'session.updated' })
  await own.inbox.takeType('input_audio_buffer.commit')
  own.send({ type: 'rate_limits.updated' })
  await client.inbox.takeType('rate_limits.updated')
  expect(client.inbox.all.map(({ data }) => JSON.parse(data.toString()).type)).toEqual([
    'session.created',
    'session.updated',
    'rate_limits.updated',
  ])
  expect(fallback.openCount).toBe(0)
  client.socket.close(1000)
})

test('a session ends with the reason of the last provider if all of them fail [RT-53]', async () => {
  refuseWith(500)
  fallback.onUpgrade((_, socket) => {
    socket.end('HTTP/1.1 429 No\r\nContent-Length: 0\r\n\r\n')
    return 'handled'
  })
  await expectEnd(service, await openClient(), 'provider_unavailable', /HTTP 429/)
})

test('a provider that failed three times is skipped for 30 seconds and then tried once [RT-54]', async () => {
  let handshakes = 0
  service.provider.onUpgrade((_, socket) => {
    handshakes += 1
    socket.end('HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n')
    return 'handled'
  })
  const answeredByFallback = async () => {
    const { client } = await openClient()
    await fallback.accept()
    expect(await client.inbox.takeJson()).toEqual(changed)
    client.socket.close(1000)
    await client.inbox.closed
  }
  for (let session = 0; session < 5; session += 1) await answeredByFallback()
  expect(handshakes).toBe(3)
  timers.advance(30_000)
  await answeredByFallback()
  await answeredByFallback()
  expect(handshakes).toBe(4)
})

test.each([
  [[{ connectionId: '018f0000-0000-7000-8000-000000000001' }], 'realtimeFallbacks[0].connectionId'],
  [
    Array.from({ length: 4 }, () => ({ connectionId: '018f0000-0000-7000-8000-000000000001' })),
    'realtimeFallbacks',
  ],
])('rejects fallbacks of an agent that are unknown or too many [RT-53]', async (realtimeFallbacks, path) => {
  const { status, body } = await service.client.call<{ errors: { path: string }[] }>(
    'POST',
    '/api/v1/Agent',
    {
      body: { name: 'Robust', realtimeFallbacks },
    },
  )
  expect([status, body.errors.map((error) => error.path)]).toEqual([400, [path]])
})
