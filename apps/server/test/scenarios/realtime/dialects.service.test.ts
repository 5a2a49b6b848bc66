import * as library from '@openai/agents-realtime'
import type { Usage } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readWithAgents } from '../../support/realtime/agents-reader.js'
import { createDialectAgent } from '../../support/realtime/dialect-agent.js'
import { grokTurn, playTurn, voiceLiveTurn } from '../../support/realtime/dialect-turns.js'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'
import { endedSession, messagesOf, patiently } from '../../support/realtime/spoken-turns.js'

let service: RealtimeTestService

beforeAll(async () => {
  service = await startRealtimeService()
})

afterAll(() => service.close())

const turnDetection = { type: 'server_vad', create_response: true, interrupt_response: true }
const clock = {
  type: 'function',
  name: 'clock',
  description: expect.any(String),
  parameters: expect.any(Object),
}

const dialects = {
  xai: {
    turn: grokTurn,
    address: '/v1/realtime?model=grok-voice-latest',
    key: { authorization: 'Bearer secret' },
    session: {
      instructions: 'Be brief.',
      voice: 'ara',
      tools: [clock],
      tool_choice: 'auto',
      turn_detection: turnDetection,
      audio: {
        input: { format: { type: 'audio/pcm', rate: 24000 }, transcription: { model: 'grok-transcribe' } },
        output: { format: { type: 'audio/pcm', rate: 24000 } },
      },
    },
  },
  'azure-voice-live': {
    turn: voiceLiveTurn,
    address: '/v1/voice-live/realtime?api-version=2026-07-15&model=gpt-realtime',
    key: { 'api-key': 'secret' },
    session: {
      instructions: 'Be brief.',
      modalities: ['text', 'audio'],
      voice: { type: 'openai', name: 'alloy' },
      tools: [clock],
      tool_choice: 'auto',
      turn_detection: turnDetection,
      input_audio_format: 'pcm16',
      output_audio_format: 'pcm16',
      input_audio_sampling_rate: 24000,
      input_audio_transcription: { model: 'whisper-1' },
    },
  },
} as const

type Kind = keyof typeof dialects
const kinds = Object.keys(dialects) as Kind[]

const createAgent = (kind: Kind) => createDialectAgent(service, kind)

const providersEvents = (frames: readonly { data: Buffer }[]) =>
  frames
    .map(({ data }) => data.toString())
    .filter(
      (text) => !/"(?:message\.created|response\.id|response\.completed|response\.function_inv)/.test(text),
    )

describe.each(kinds)('a connection of kind %s', (kind) => {
  const { turn, address, key, session } = dialects[kind]

  test('configures the session in the words of its provider [RT-55]', async () => {
    const agentId = await createAgent(kind)
    const { provider, client } = await service.openUnconfigured({}, agentId)
    const update = await provider.inbox.takeType('session.update')
    expect(update).toEqual({ type: 'session.update', event_id: expect.any(String), session })
    expect(provider.request.url).toBe(address)
    expect(provider.request.headers).toMatchObject(key)
    client.socket.close(1000)
  })

  test('stores the words, calls and usage of a spoken turn [RT-55]', async () => {
    const agentId = await createAgent(kind)
    const { provider, client, ticket } = await service.openUnconfigured({}, agentId)
    await playTurn(provider, turn)
    await expect
      .poll(
        () => client.inbox.all.some(({ data }) => data.includes('"R2"') && data.includes('response.done')),
        patiently,
      )
      .toBe(true)
    client.socket.close(1000)
    const { usage } = await endedSession(service.client, ticket.conversationId)
    expect(usage).toMatchObject({ responses: 2, inputTokens: 30, outputTokens: 12, totalTokens: 42 })
    const messages = await messagesOf(service.client, ticket.conversationId)
    expect(
      messages.map(({ role, content, name }) => (role === 'tool' ? { role, name } : { role, content })),
    ).toEqual([
      { role: 'user', content: 'Hello, what time is it?' },
      { role: 'tool', name: 'clock' },
      { role: 'assistant', content: 'It is noon.' },
    ])
  })

  test('reaches the client with the current names, the type first, and no placeholders [RT-55]', async () => {
    const agentId = await createAgent(kind)
    const { provider, client } = await service.openUnconfigured({}, agentId)
    await playTurn(provider, turn)
    await client.inbox.takeType('response.output_audio.delta')
    await expect
      .poll(() => client.inbox.all.filter(({ data }) => data.includes('"response.done"')).length, patiently)
      .toBe(2)
    const texts = providersEvents(client.inbox.all)
    expect(texts.filter((text) => !text.startsWith('{"type":"'))).toEqual([])
    const types = texts.map((text) => (JSON.parse(text) as { type: string }).type)
    expect(types.filter((type) => /^response\.(?:audio|text)|item\.created|ping|viseme/.test(type))).toEqual(
      [],
    )
    expect(texts.join()).not.toContain('unimplemented')
    const completed = types.filter((type) => type.endsWith('transcription.completed'))
    expect(completed).toHaveLength(1)
    client.socket.close(1000)
  })

  test('is read by @openai/agents-realtime without an error [RT-55]', async () => {
    const ticket = await service.createTicket({}, await createAgent(kind))
    const url = `${service.url.replace('http', 'ws')}${ticket.webSocketPath}`
    const reader = readWithAgents({ library, url })
    const provider = await service.provider.accept()
    await provider.inbox.takeType('session.update')
    await reader.connected
    await playTurn(provider, turn)
    await expect.poll(reader.words, patiently).toEqual(['Hello, what time is it?', 'It is noon.'])
    expect(reader.unexpectedErrors()).toEqual([])
  })
})

test('xAI reports a truncated answer itself, and rejects a request for text only [RT-55]', async () => {
  const { provider, client } = await service.openUnconfigured({}, await createAgent('xai'))
  await provider.inbox.takeType('session.update')
  const truncate = { item_id: 'A', content_index: 0, audio_end_ms: 300 }
  client.send({ type: 'conversation.item.truncate', ...truncate })
  expect(await client.inbox.takeJson()).toMatchObject({ type: 'conversation.item.truncated', ...truncate })
  client.send({ type: 'response.create', event_id: 'e', response: { output_modalities: ['text'] } })
  expect(await client.inbox.takeJson()).toMatchObject({
    type: 'error',
    error: { code: 'unsupported_by_provider', event_id: 'e' },
  })
  client.send({ type: 'response.cancel' })
  expect((await provider.inbox.takeJson()).type).toBe('response.cancel')
  client.socket.close(1000)
})

test('a connection of kind azure-voice-live has no text models, and says so [RT-55]', async () => {
  const agentId = await createAgent('azure-voice-live')
  const { status, text } = await service.client.call('POST', `/api/v1/Agent/${agentId}/question`, {
    body: { question: 'Hello?' },
  })
  expect([status, text]).toEqual([409, expect.stringContaining('which has no text models')])
})

test('a session that xAI charges by time is ended by a budget in dollars [BUD-4] [USE-6]', async () => {
  const agentId = await createAgent('xai')
  const limit = { amount: 0.01 }
  const budget = { name: 'Cents', agentId, period: 'day', limit, onExceeded: 'end' }
  expect((await service.client.call('POST', '/api/v1/Budget', { body: budget })).status).toBe(201)
  const { provider, client } = await service.openUnconfigured({}, agentId)
  provider.send({
    type: 'response.done',
    response: { id: 'R', status: 'completed', output: [], usage: {} },
    usage: { input_tokens: 200, output_tokens: 100, total_tokens: 300, billable_audio_seconds: 30 },
  })
  const ended = await client.inbox.closed
  expect(ended).toMatchObject({ code: 4006, reason: 'budget_exceeded' })
  const { body } = await service.client.call<Usage>('GET', `/api/v1/Usage?AgentId=${agentId}`)
  expect(body.totals).toMatchObject({ audioSeconds: 30, cost: { amount: 0.04, unpricedTokens: 0 } })
})
