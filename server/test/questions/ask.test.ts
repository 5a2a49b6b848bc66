import type { TurnEvent } from '@parley/contract'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { makeTextAgent } from '../realtime/support/text-agents.js'
import { type ScriptedChatServer, startScriptedChatServer } from '../support/scripted-chat-server.js'
import { type RunningService, startService } from '../support/start-service.js'
import { ask, askStreaming } from './support/ask.js'

let service: RunningService
let model: ScriptedChatServer
let agentId: string

beforeAll(async () => {
  service = await startService({ env: { PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' } })
  model = await startScriptedChatServer()
  agentId = await makeTextAgent(service, model, { name: 'Concierge', systemMessage: 'Be brief.' })
})

afterEach(() => model.verify())

afterAll(async () => {
  await service.close()
  await model.close()
})

describe('a question', () => {
  test('is answered, in a new conversation', async () => {
    model.answer({ text: ['Good ', 'morning.'], usage: { inputTokens: 12, outputTokens: 3 } })
    const { status, body } = await ask(service, agentId, { question: 'Hello?' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ answer: 'Good morning.', status: 'completed', toolInvocations: [] })
    expect(body.usage).toMatchObject({ inputTokens: 12, outputTokens: 3 })
    const path = `/api/v1/Conversation/${body.conversationId}/message`
    const { body: page } = await service.client.call<{ items: object[] }>('GET', path)
    expect(page.items).toMatchObject([
      { role: 'user', content: 'Hello?', channel: 'text' },
      {
        id: body.messageId,
        role: 'assistant',
        content: 'Good morning.',
        channel: 'text',
        interrupted: false,
      },
    ])
  })

  test('is answered as events, in order', async () => {
    model.answer({ text: ['Good ', 'morning.'] })
    const stream = await askStreaming(service, agentId, { question: 'Hello?' })
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    await stream.ended
    expect(stream.received.map(({ id }) => id)).toEqual(stream.received.map((_, index) => index + 1))
    const types = stream.received.map(({ event }) => event.type)
    expect(types.slice(0, 2)).toEqual(['turn.started', 'message.created'])
    expect(types.slice(-2)).toEqual(['response.id', 'response.completed'])
    expect(textOf(stream.received)).toBe('Good morning.')
  })
})

function textOf(received: readonly { readonly event: TurnEvent }[]): string {
  return received.map(({ event }) => (event.type === 'response.text.delta' ? event.data.delta : '')).join('')
}
