import { afterAll, beforeAll, expect, test } from 'vitest'
import { voiceLiveTurn } from '../../support/realtime/dialect-turns.js'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'
import { patiently } from '../../support/realtime/spoken-turns.js'

let service: RealtimeTestService

beforeAll(async () => {
  service = await startRealtimeService()
})

afterAll(() => service.close())

const betaSession = { id: 'sess', object: 'realtime.session', modalities: ['text', 'audio'], voice: 'alloy' }
const betaCreated = { event_id: 'e', type: 'session.created', session: betaSession }
const currentCreated = {
  event_id: 'e',
  type: 'session.created',
  session: { type: 'realtime', object: 'realtime.session', output_modalities: ['audio'], audio: {} },
}

async function agentOn(path: string): Promise<string> {
  const connection = await service.client.call<{ id: string }>('POST', '/api/v1/Connection', {
    body: { name: path, kind: 'openai-compatible', baseUrl: `${service.provider.baseUrl}/${path}` },
  })
  const agent = await service.client.call<{ id: string }>('POST', '/api/v1/Agent', {
    body: { name: path, systemMessage: 'Be brief.', connectionId: connection.body.id },
  })
  return agent.body.id
}

test('a compatible server with the names of the beta is recognized by its first event [RT-59]', async () => {
  const agentId = await agentOn('beta')
  const { provider: first, client } = await service.openUnconfigured({}, agentId)
  await first.inbox.takeType('session.update')
  const content = [{ type: 'output_text', text: 'Hello.' }]
  client.send({ type: 'conversation.item.create', item: { type: 'message', role: 'assistant', content } })
  await first.inbox.takeType('conversation.item.create')
  first.send(betaCreated)
  expect((await first.inbox.closed).code).toBe(1000)
  const second = await service.provider.accept()
  const { session } = await second.inbox.takeType('session.update')
  expect(session).toEqual({
    modalities: ['text', 'audio'],
    instructions: 'Be brief.',
    voice: 'alloy',
    tools: [],
    tool_choice: 'auto',
    input_audio_format: 'pcm16',
    output_audio_format: 'pcm16',
    input_audio_transcription: { model: expect.any(String) },
    turn_detection: { type: 'server_vad', create_response: true, interrupt_response: true },
  })
  expect(await second.inbox.takeType('conversation.item.create')).toMatchObject({
    item: { content: [{ type: 'text', text: 'Hello.' }] },
  })
  second.send(betaCreated)
  for (const event of voiceLiveTurn.untilCall.slice(0, 4)) second.send(event)
  await client.inbox.takeType('conversation.item.input_audio_transcription.completed')
  expect(client.inbox.types.filter((type) => type !== 'message.created')).toEqual([
    'session.created',
    'input_audio_buffer.speech_started',
    'input_audio_buffer.committed',
    'conversation.item.added',
    'conversation.item.input_audio_transcription.completed',
  ])
  client.socket.close(1000)

  const { provider: third, client: another } = await service.openUnconfigured({}, agentId)
  expect((await third.inbox.takeJson()).session).toMatchObject({ modalities: ['text', 'audio'] })
  another.socket.close(1000)
})

test('a server with the current names gets each frame once, and no second connection [RT-59]', async () => {
  const agentId = await agentOn('current')
  const { provider, client } = await service.openUnconfigured({}, agentId)
  provider.send(currentCreated)
  await client.inbox.takeType('session.created')
  provider.send(betaCreated)
  await client.inbox.takeType('session.created')
  client.send({ type: 'response.create' })
  await provider.inbox.takeType('response.create')
  await expect.poll(() => provider.inbox.types, patiently).toEqual(['session.update', 'response.create'])
  client.socket.close(1000)
})

test('a session ends if the second connection to a server fails [RT-59]', async () => {
  const agentId = await agentOn('gone')
  const { provider, client } = await service.openUnconfigured({}, agentId)
  service.provider.onUpgrade((_request, socket) => {
    socket.end('HTTP/1.1 503 Service Unavailable\r\n\r\n')
    return 'handled'
  })
  provider.send(betaCreated)
  expect((await client.inbox.closed).code).toBe(4003)
  expect(client.inbox.all.at(-1)?.data.toString()).toContain('(HTTP 503)')
  service.provider.onUpgrade(() => 'accept')
})
