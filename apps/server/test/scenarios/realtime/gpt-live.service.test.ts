import * as library from '@openai/agents-realtime'
import type { Agent, Usage } from '@parley/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readWithAgents } from '../../support/realtime/agents-reader.js'
import { serveLive } from '../../support/realtime/dialects/live-server.js'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'
import { endedSession, endReasonOf, messagesOf, patiently } from '../../support/realtime/spoken-turns.js'

let service: RealtimeTestService
let agentId: string

beforeAll(async () => {
  service = await startRealtimeService({ env: { PARLEY_REALTIME_OUTPUT_FORMATS: 'pcm16,g711_ulaw' } })
  agentId = await createAgent()
})

afterAll(() => service.close())

async function createAgent(connection: object = {}, agent: object = {}): Promise<string> {
  const { body } = await service.client.call<{ id: string }>('POST', '/api/v1/Connection', {
    body: {
      ...{ name: 'Live', kind: 'openai', baseUrl: service.provider.baseUrl, apiKey: 'secret' },
      models: { chat: 'gpt-5-mini', realtime: ['gpt-live-1'] },
      ...connection,
    },
  })
  const made = await service.client.call<Agent>('POST', '/api/v1/Agent', {
    body: {
      ...{ name: 'Live', systemMessage: 'Be brief.', connectionId: body.id },
      tools: [{ kind: 'builtin', name: 'clock', builtin: 'current_time' }],
      ...agent,
    },
  })
  return made.body.id
}

async function openLive(request: object = {}, id = agentId) {
  const session = await service.openUnconfigured(request, id)
  const live = serveLive(session.provider)
  await session.client.inbox.takeType('session.updated')
  return { ...session, live }
}

const textsOf = async (conversationId: string) =>
  (await messagesOf(service.client, conversationId)).map(({ role, content, name }) =>
    role === 'tool' ? [role, name] : [role, content],
  )

test('a spoken question, its tool call and the answer are stored with their usage [RT-67]', async () => {
  const { live, client, provider, ticket } = await openLive()
  expect(provider.request.url).toBe('/v1/live/sessions')
  expect(provider.request.headers.authorization).toBe('Bearer secret')
  expect(live.session).toMatchObject({
    model: 'gpt-live-1',
    delegation: { responses: { model: 'gpt-5-mini', tools: [{ name: 'clock' }] } },
  })
  live.hearWords('What time is it?')
  live.speak(3)
  live.sayWords('Let me see.')
  live.beQuiet(10)
  live.delegate({ id: 'call-1', name: 'clock' })
  live.finishDelegation()
  await expect.poll(() => live.requested, patiently).toBe(1)
  expect(live.items).toMatchObject([{ type: 'function_call_output', call_id: 'call-1' }])
  live.speak(3)
  live.sayWords('It is noon.')
  live.beQuiet(10)
  live.send('session.usage.updated', { usage: { seconds: 42 } })
  const done = () => client.inbox.types.filter((type) => type === 'response.done').length
  await expect.poll(done, patiently).toBe(2)
  client.socket.close(1000)
  const { usage } = await endedSession(service.client, ticket.conversationId)
  expect(usage).toMatchObject({ inputTokens: 50, outputTokens: 10, cachedTokens: 20 })
  expect(await textsOf(ticket.conversationId)).toEqual([
    ['user', 'What time is it?'],
    ['assistant', 'Let me see.'],
    ['tool', 'clock'],
    ['assistant', 'It is noon.'],
  ])
  expect(live.errors).toEqual([])
  await expect.poll(() => live.isClosed, patiently).toBe(true)
})

test('tokens count for the text model, and seconds for the voice [RT-67]', async () => {
  const id = await createAgent({ name: 'Counted' })
  const { live, client, ticket } = await openLive({}, id)
  live.delegate()
  live.finishDelegation()
  live.speak(2)
  live.beQuiet(10)
  live.send('session.usage.updated', { usage: { seconds: 42 } })
  await client.inbox.takeType('session.usage.updated')
  await client.inbox.takeType('response.done')
  client.socket.close(1000)
  await endedSession(service.client, ticket.conversationId)
  const usage = async () => {
    const path = `/api/v1/Usage?GroupBy=model&AgentId=${id}`
    const { body } = await service.client.call<Usage>('GET', path)
    return Object.fromEntries(body.items.map((item) => [item.group.model, item] as const))
  }
  await expect
    .poll(async () => Object.keys(await usage()).sort(), patiently)
    .toEqual(['gpt-5-mini', 'gpt-live-1'])
  const found = await usage()
  expect(found['gpt-5-mini']).toMatchObject({ tokens: { textInput: 50, textOutput: 10 } })
  expect(found['gpt-live-1']?.audioSeconds).toBeGreaterThanOrEqual(42)
  expect(found['gpt-live-1']?.cost).toMatchObject({ unpricedSeconds: 0 })
  expect(found['gpt-live-1']?.cost.amount).toBeGreaterThanOrEqual((42 * 3) / 3600)
})

test('a typed question is answered by the text model, and the first message is spoken [RT-66]', async () => {
  const id = await createAgent({}, { firstMessage: 'Welcome!' })
  const { live, client } = await openLive({}, id)
  await expect.poll(() => live.commentary, patiently).toEqual(['Welcome!'])
  const content = [{ type: 'input_text', text: 'Hello?' }]
  client.send({ type: 'conversation.item.create', item: { type: 'message', role: 'user', content } })
  client.send({ type: 'response.create' })
  await expect.poll(() => live.requested, patiently).toBe(1)
  expect(live.items).toMatchObject([{ role: 'user', content }])
  client.send({ type: 'input_audio_buffer.commit', event_id: 'c' })
  expect(await client.inbox.takeType('error')).toMatchObject({
    error: { code: 'unsupported_by_provider', event_id: 'c' },
  })
  expect(live.errors).toEqual([])
  client.socket.close(1000)
})

test('an interrupted answer is stored as interrupted [RT-66]', async () => {
  const { live, client, ticket } = await openLive()
  live.speak(5)
  live.sayWords('The weather is')
  live.hearWords('Stop.')
  live.beQuiet(5)
  await client.inbox.takeType('response.done')
  live.beQuiet(1)
  await client.inbox.takeType('conversation.item.input_audio_transcription.completed')
  client.socket.close(1000)
  await endedSession(service.client, ticket.conversationId)
  expect(await textsOf(ticket.conversationId)).toEqual([
    ['assistant', 'The weather is'],
    ['user', 'Stop.'],
  ])
})

test('a voice that the provider rejects ends the session with the reason [RT-16]', async () => {
  const { client, provider, ticket } = await service.openUnconfigured({ voice: 'unknown' }, agentId)
  serveLive(provider)
  expect((await client.inbox.closed).code).toBe(4002)
  expect(client.inbox.all.at(-1)?.data.toString()).toContain('No voice unknown.')
  const reason = () => endReasonOf(service.client, ticket.conversationId)
  await expect.poll(reason, patiently).toBe('provider_unavailable')
})

test('a session that the provider ends is closed with the reason [RT-12]', async () => {
  const { live, client, ticket } = await openLive()
  live.close('expired')
  expect((await client.inbox.closed).code).toBe(4003)
  const reason = () => endReasonOf(service.client, ticket.conversationId)
  await expect.poll(reason, patiently).toBe('provider_closed')
})

test('different formats for input and output are converted [RT-66]', async () => {
  const { live, client } = await openLive({ outputAudioFormat: 'g711_ulaw' })
  expect(live.session).toMatchObject({ audio: { format: { type: 'audio/pcm', rate: 24_000 } } })
  live.speak(1)
  const { delta } = await client.inbox.takeType('response.output_audio.delta')
  expect(Buffer.from(String(delta), 'base64').length).toBeGreaterThan(780)
  expect(Buffer.from(String(delta), 'base64').length).toBeLessThanOrEqual(800)
  client.socket.close(1000)
})

test('a voice without a text model cannot be used, and the error says what to set [RT-66]', async () => {
  const id = await createAgent({ models: { realtime: ['gpt-live-1'] } })
  const path = `/api/v1/Agent/${id}/realtime-session`
  const { status, text } = await service.client.call('POST', path, { body: {} })
  expect([status, text]).toEqual([400, expect.stringContaining('Set models.chat of the connection')])
})

test('the connection names the protocol if the model’s name does not show it [RT-66]', async () => {
  const id = await createAgent({
    realtimeProtocol: 'live',
    models: { chat: 'gpt-5-mini', realtime: ['my-proxy-voice'] },
  })
  const { provider, client } = await service.openUnconfigured({}, id)
  expect(provider.request.url).toBe('/v1/live/sessions')
  client.socket.close(1000)
  const body = { name: 'x', kind: 'xai', apiKey: 'k', realtimeProtocol: 'live' }
  const { status, text } = await service.client.call('POST', '/api/v1/Connection', { body })
  expect([status, text]).toEqual([400, expect.stringContaining('must be null unless kind is openai')])
})

test('GPT-Live’s answers are read by @openai/agents-realtime without an error [RT-66]', async () => {
  const ticket = await service.createTicket({}, agentId)
  const url = `${service.url.replace('http', 'ws')}${ticket.webSocketPath}`
  const reader = readWithAgents({ library, url })
  const provider = await service.provider.accept()
  const live = serveLive(provider)
  await reader.connected
  live.hearWords('What time is it?')
  live.speak(3)
  live.sayWords('It is noon.')
  live.beQuiet(10)
  await expect.poll(reader.words, patiently).toEqual(['What time is it?', 'It is noon.'])
  expect(reader.unexpectedErrors()).toEqual([])
})
