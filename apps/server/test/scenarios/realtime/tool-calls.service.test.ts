import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'
import { messagesOf } from '../../support/realtime/spoken-turns.js'
import { openToolSession, playCalls, takeOutput } from '../../support/realtime/tool-calls.js'
import { type ScriptedHttpServer, startScriptedHttpServer } from '../../support/scripted-http-server.js'

let running: RealtimeTestService
let tools: ScriptedHttpServer

beforeAll(async () => {
  running = await startRealtimeService()
  tools = await startScriptedHttpServer()
})

afterAll(async () => {
  await running.close()
  await tools.close()
})

function weatherTool(extra: object = {}) {
  return {
    kind: 'http',
    name: 'weather',
    title: 'Weather',
    description: 'Tells the weather in a city.',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    request: { method: 'GET', url: `${tools.url}/weather/{city}`, headers: { 'x-key': 'top-secret' } },
    button: { label: 'Map', link: 'https://example.com/map' },
    imageUrl: 'https://example.com/sun.png',
    ...extra,
  }
}

describe('a backend tool', () => {
  test('runs once, is answered once, is announced and is stored [1.5-1] [6.3-3] [TOOL-5]', async () => {
    const { ticket, client, provider, agentId } = await openToolSession(running, { tools: [weatherTool()] })
    const called = tools.expect('GET /weather/Paris', { body: { sky: 'blue' } })
    playCalls(provider, 'resp_1', [{ callId: 'call_1', name: 'weather', arguments: '{"city":"Paris"}' }])
    expect(await takeOutput(provider)).toEqual({ callId: 'call_1', output: '{"sky":"blue"}' })
    expect(await provider.inbox.takeType('response.create')).toBeTruthy()
    const request = await called
    expect(request.headers['x-key']).toBe('top-secret')
    const start = await client.inbox.takeType('response.function_invocation.start')
    const done = await client.inbox.takeType('response.function_invocation.done')
    const [message] = await messagesOf(running.client, ticket.conversationId)
    expect(start).toEqual({
      type: 'response.function_invocation.start',
      data: {
        id: message?.id,
        callId: 'call_1',
        title: 'Weather',
        imageUrl: 'https://example.com/sun.png',
        chatbotId: agentId,
        arguments: '{"city":"Paris"}',
        approvalRequired: false,
        functionName: 'weather',
      },
    })
    expect(done).toEqual({
      type: 'response.function_invocation.done',
      data: {
        id: message?.id,
        callId: 'call_1',
        text: '{"sky":"blue"}',
        title: 'Weather',
        imageUrl: 'https://example.com/sun.png',
        button: true,
        buttonLabel: 'Map',
        buttonLink: 'https://example.com/map',
        chatbotId: agentId,
        status: 1,
        executionTimeSeconds: expect.any(Number),
      },
    })
    expect(message).toMatchObject({
      role: 'tool',
      name: 'weather',
      callId: 'call_1',
      arguments: '{"city":"Paris"}',
      content: '{"sky":"blue"}',
      status: 1,
    })
    expect(request.headers['idempotency-key']).toBe(message?.id)
    tools.verify()
    client.socket.close()
  })
})
