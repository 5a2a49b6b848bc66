import * as library from '@openai/agents-realtime'
import type { Agent } from '@parley/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readWithAgents } from '../../support/realtime/agents-reader.js'
import { serveQwen } from '../../support/realtime/dialects/serve-qwen.js'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'
import { endedSession, messagesOf, patiently } from '../../support/realtime/spoken-turns.js'

let service: RealtimeTestService
let agentId: string

beforeAll(async () => {
  service = await startRealtimeService({ env: { PARLEY_REALTIME_OUTPUT_FORMATS: 'pcm16,g711_ulaw' } })
  agentId = await createAgent({})
})

afterAll(() => service.close())

async function createAgent(models: object): Promise<string> {
  const host = service.provider.baseUrl.replace(/\/v1$/, '')
  const connection = await service.client.call<{ id: string }>('POST', '/api/v1/Connection', {
    body: { name: 'Qwen', kind: 'qwen', baseUrl: `${host}/compatible-mode/v1`, apiKey: 'secret', models },
  })
  const agent = await service.client.call<Agent>('POST', '/api/v1/Agent', {
    body: {
      name: 'Qwen',
      systemMessage: 'Be brief.',
      connectionId: connection.body.id,
      tools: [
        { kind: 'builtin', name: 'clock', builtin: 'current_time' },
        { kind: 'builtin', name: 'watch', builtin: 'current_time' },
      ],
    },
  })
  return agent.body.id
}

async function openQwen(request: object = {}, id = agentId) {
  const session = await service.openUnconfigured(request, id)
  return { ...session, qwen: serveQwen(session.provider) }
}

const typesOf = (frames: readonly { data: Buffer }[]) =>
  frames.map(({ data }) => (JSON.parse(data.toString()) as { type: string }).type)

test('configures the session as Qwen expects it, with tools under `function` [RT-55]', async () => {
  const { provider, qwen, client } = await openQwen()
  await client.inbox.takeType('session.updated')
  expect(provider.request.url).toBe('/api-ws/v1/realtime?model=qwen3.8-omni-flash-realtime')
  expect(provider.request.headers.authorization).toBe('Bearer secret')
  expect(qwen.session).toEqual({
    modalities: ['text', 'audio'],
    instructions: 'Be brief.',
    voice: 'Tina',
    input_audio_format: 'pcm',
    output_audio_format: 'pcm',
    input_audio_transcription: { model: 'qwen3-asr-flash-realtime' },
    turn_detection: { type: 'semantic_vad', create_response: true, interrupt_response: true },
    tools: ['clock', 'watch'].map((name) => ({
      type: 'function',
      function: { name, description: expect.any(String), parameters: expect.any(Object) },
    })),
  })
  client.socket.close(1000)
})

test('earlier models detect speech in their only way [RT-55]', async () => {
  const id = await createAgent({ realtime: ['qwen3-omni-flash-realtime'] })
  const { qwen, client } = await openQwen({}, id)
  await client.inbox.takeType('session.updated')
  expect(qwen.session.turn_detection).toMatchObject({ type: 'server_vad' })
  client.socket.close(1000)
})

test('audio is sent at 16 kHz, and only after the session is confirmed [RT-58]', async () => {
  const { provider, ticket, client } = await service.openUnconfigured({}, agentId)
  const frame = Buffer.from(new Int16Array(480).fill(1000).buffer).toString('base64')
  for (let count = 0; count < 10; count += 1) client.send({ type: 'input_audio_buffer.append', audio: frame })
  await provider.inbox.takeType('session.update')
  // A frame that the service answers itself comes back after it has read all of the audio.
  client.send({ type: 'approval.approve', callId: 'none' })
  await client.inbox.takeType('error')
  expect(provider.inbox.all).toHaveLength(1)
  const qwen = serveQwen(provider)
  await expect.poll(() => qwen.heard.length, patiently).toBe(3200 - 8)
  expect(qwen.errors).toEqual([])
  client.socket.close(1000)
  await endedSession(service.client, ticket.conversationId)
})

test('stores the words, calls and usage of a spoken turn with three calls [RT-55]', async () => {
  const { qwen, client, ticket } = await openQwen()
  await client.inbox.takeType('session.updated')
  qwen.hear('What time is it?')
  qwen.call({ id: 'call-1', name: 'clock' }, { id: 'call-2', name: 'watch' }, { id: 'call-3', name: 'clock' })
  await expect.poll(() => qwen.requested, patiently).toBe(1)
  expect(qwen.items.map(({ call_id }) => call_id).sort()).toEqual(['call-1', 'call-2', 'call-3'])
  qwen.answer('It is noon.')
  const done = () => typesOf(client.inbox.all).filter((type) => type === 'response.done')
  await expect.poll(() => done().length, patiently).toBe(2)
  const types = typesOf(client.inbox.all)
  expect(types.filter((type) => /^response\.(?:audio|text)|item\.created/.test(type))).toEqual([])
  client.socket.close(1000)
  const { usage } = await endedSession(service.client, ticket.conversationId)
  expect(usage).toMatchObject({ responses: 2, inputTokens: 60, inputAudioTokens: 20, outputAudioTokens: 12 })
  const messages = await messagesOf(service.client, ticket.conversationId)
  expect(messages.filter(({ role }) => role === 'tool')).toHaveLength(3)
  expect(messages.filter(({ role }) => role !== 'tool').map(({ content }) => content)).toEqual([
    'What time is it?',
    'It is noon.',
  ])
  expect(qwen.errors).toEqual([])
})

test('a typed question is answered, and an interrupted answer is stored [RT-55] [RT-68]', async () => {
  const { qwen, client, ticket } = await openQwen()
  await client.inbox.takeType('session.updated')
  const content = [{ type: 'input_text', text: 'Hello?' }]
  client.send({ type: 'conversation.item.create', item: { type: 'message', role: 'user', content } })
  for (const response of [{ tool_choice: 'none' }, { tools: [] }, { conversation: 'none' }]) {
    const [setting] = Object.keys(response)
    client.send({ type: 'response.create', event_id: 'r', response })
    expect(await client.inbox.takeType('error')).toMatchObject({
      error: {
        code: 'unsupported_by_provider',
        event_id: 'r',
        message: expect.stringContaining(`${setting}`),
      },
    })
  }
  client.send({ type: 'response.create', response: { instructions: 'Greet.', tool_choice: 'auto' } })
  await expect.poll(() => qwen.requested, patiently).toBe(1)
  expect(qwen.items).toMatchObject([{ role: 'user', content }])
  qwen.interrupted('Good morning to')
  await client.inbox.takeType('response.done')
  client.send({ type: 'conversation.item.truncate', item_id: 'item_2', content_index: 0, audio_end_ms: 100 })
  await client.inbox.takeType('conversation.item.truncated')
  client.send({ type: 'conversation.item.retrieve', item_id: 'item_2' })
  expect(await client.inbox.takeType('conversation.item.retrieved')).toMatchObject({
    item: { role: 'assistant', content: [{ transcript: 'Good morning to' }] },
  })
  client.send({ type: 'conversation.item.delete', event_id: 'd', item_id: 'item_1' })
  expect(await client.inbox.takeType('error')).toMatchObject({
    error: { code: 'unsupported_by_provider', event_id: 'd' },
  })
  client.socket.close(1000)
  await endedSession(service.client, ticket.conversationId)
  const messages = await messagesOf(service.client, ticket.conversationId)
  expect(messages.map(({ content: words }) => words)).toEqual(['Hello?', 'Good morning to'])
  expect(qwen.errors).toEqual([])
})

test('a client that wants G.711 gets it [RT-58]', async () => {
  const { qwen, client } = await openQwen({ outputAudioFormat: 'g711_ulaw' })
  await client.inbox.takeType('session.updated')
  expect(qwen.session.output_audio_format).toBe('pcm')
  const speech = Buffer.from(new Int16Array(2400).buffer).toString('base64')
  qwen.answer('Hello.', speech)
  const { delta } = await client.inbox.takeType('response.output_audio.delta')
  const codes = Buffer.from(String(delta), 'base64')
  expect(codes.length).toBeGreaterThan(790)
  expect([...new Set(codes)]).toEqual([0xff])
  client.socket.close(1000)
})

test('Qwen’s answers are read by @openai/agents-realtime without an error [RT-55]', async () => {
  const ticket = await service.createTicket({}, agentId)
  const reader = readWithAgents({
    library,
    url: `${service.url.replace('http', 'ws')}${ticket.webSocketPath}`,
  })
  const provider = await service.provider.accept()
  const qwen = serveQwen(provider)
  await reader.connected
  qwen.hear('What time is it?')
  qwen.answer('It is noon.')
  await expect.poll(reader.words, patiently).toEqual(['What time is it?', 'It is noon.'])
  expect(reader.unexpectedErrors()).toEqual([])
})
