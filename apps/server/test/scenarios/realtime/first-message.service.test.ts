import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createResource } from '../../support/http/resources.js'
import type { FrameInbox } from '../../support/realtime/frame-inbox.js'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'
import { answered, messagesOf, patiently } from '../../support/realtime/spoken-turns.js'

let service: RealtimeTestService

beforeAll(async () => {
  service = await startRealtimeService()
})

afterAll(() => service.close())

async function addAgent(fields: object): Promise<string> {
  const connection = await createResource(service.client, '/api/v1/Connection', {
    name: 'Another',
    kind: 'openai-compatible',
    baseUrl: service.provider.baseUrl,
  })
  const body = { name: 'Another', connectionId: connection.made.id, realtimeModel: null, ...fields }
  return (await createResource(service.client, '/api/v1/Agent', body)).made.id
}

async function expectTypes(inbox: FrameInbox, types: readonly string[]): Promise<void> {
  for (const type of types) expect(await inbox.takeJson()).toMatchObject({ type })
}

describe('the first message of an agent', () => {
  test('is requested as a response when a new conversation begins [RT-50]', async () => {
    const agentId = await addAgent({ firstMessage: 'Welcome to the "Seaview".\nHow can I help?' })
    const { client, provider } = await service.openUnconfigured({}, agentId)
    expect((await provider.inbox.takeJson()).type).toBe('session.update')
    expect(await provider.inbox.takeJson()).toEqual({
      type: 'response.create',
      event_id: expect.stringMatching(/^svc_/),
      response: {
        instructions:
          'Say exactly this, word for word, and nothing else:\nWelcome to the "Seaview".\nHow can I help?',
        tool_choice: 'none',
      },
    })
    client.socket.close()
    await provider.inbox.closed
  })

  test('is not requested if the conversation continues [RT-50]', async () => {
    const agentId = await addAgent({ firstMessage: 'Welcome.' })
    const first = await service.openUnconfigured({}, agentId)
    const { conversationId } = first.ticket
    first.provider.send(answered('item_1', 'Welcome.'))
    await expect
      .poll(async () => (await messagesOf(service.client, conversationId)).length, patiently)
      .toBe(1)
    first.client.socket.close()
    await first.provider.inbox.closed
    const { client, provider } = await service.openUnconfigured({ conversationId }, agentId)
    client.send({ type: 'input_audio_buffer.clear' })
    await expectTypes(provider.inbox, [
      'session.update',
      'conversation.item.create',
      'input_audio_buffer.clear',
    ])
    client.socket.close()
    await provider.inbox.closed
  })

  test('is not requested if the agent has none', async () => {
    const agentId = await addAgent({})
    const { client, provider } = await service.openUnconfigured({}, agentId)
    client.send({ type: 'input_audio_buffer.clear' })
    await expectTypes(provider.inbox, ['session.update', 'input_audio_buffer.clear'])
    client.socket.close()
    await provider.inbox.closed
  })
})
