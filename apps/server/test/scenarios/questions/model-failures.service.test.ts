import type { Problem } from '@parley/contract'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ask, askStreaming } from '../../support/questions/ask.js'
import { turnOf } from '../../support/questions/question-service.js'
import { expectCompleteStream, wordsIn } from '../../support/questions/received-events.js'
import { messagesOf, patiently } from '../../support/realtime/spoken-turns.js'
import {
  type ScriptedChatAnswer,
  type ScriptedChatServer,
  startScriptedChatServer,
} from '../../support/scripted-chat-server.js'
import { type RunningService, startService } from '../../support/start-service.js'
import { makeTestTimers } from '../../support/test-timers.js'

const timers = makeTestTimers()
const kinds = ['openai-compatible', 'anthropic'] as const
const stepMilliseconds = 120_000

let service: RunningService
let model: ScriptedChatServer
const agentIds = new Map<string, string>()

beforeAll(async () => {
  service = await startService({ timers, env: { PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' } })
  model = await startScriptedChatServer()
  for (const kind of kinds) {
    const connection = {
      name: kind,
      kind,
      baseUrl: model.baseUrl,
      apiKey: 'sk-scripted',
      models: { chat: 'm' },
    }
    const made = await service.client.call<{ id: string }>('POST', '/api/v1/Connection', { body: connection })
    const agent = { name: `Asked by ${kind}`, connectionId: made.body.id }
    agentIds.set(
      kind,
      (await service.client.call<{ id: string }>('POST', '/api/v1/Agent', { body: agent })).body.id,
    )
  }
})

afterEach(() => model.verify())

afterAll(async () => {
  await service.close()
  await model.close()
})

const question = { question: 'Hello?' }
const overloaded: ScriptedChatAnswer = { status: 500, headers: { 'retry-after': '0' }, body: 'no' }
const limited: ScriptedChatAnswer = { status: 429, headers: { 'retry-after': '0' }, body: 'later' }
const malformed: ScriptedChatAnswer = {
  raw: ['data: {"choices":[{"delta":{"content":"Hal\n\n', 'data: nonsense\n\n'],
}

/** Advances the retry timers until the model has received this many requests. */
async function untilAsked(count: number): Promise<void> {
  const requests = () => {
    timers.advance(100)
    return model.requests.length
  }
  await expect.poll(requests, patiently).toBe(count)
}

interface Failure {
  readonly what: string
  readonly answers: readonly ScriptedChatAnswer[]
  readonly said: string
}

const failures: readonly Failure[] = [
  { what: 'keeps answering 500', answers: [overloaded, overloaded, overloaded], said: '' },
  { what: 'keeps answering 429', answers: [limited, limited, limited], said: '' },
  { what: 'drops every connection', answers: ['drop', 'drop', 'drop'], said: '' },
  { what: 'rejects the key', answers: [{ status: 401, body: {} }], said: '' },
  { what: 'is cut off', answers: [{ text: ['Half ', 'an'], end: 'cut-off' }], said: 'Half an' },
  { what: 'breaks off', answers: [{ text: ['Half ', 'an'], end: 'unfinished' }], said: 'Half an' },
  { what: 'sends nonsense', answers: [malformed], said: '' },
]

describe.each(kinds)('a model (%s)', (kind) => {
  const agentId = () => agentIds.get(kind) ?? ''

  test.each(failures)(
    'leads to an error event and a stored turn if it $what [ASK-8]',
    async ({ answers, said }) => {
      model.answer(...answers)
      const stream = await askStreaming(service, agentId(), question)
      await untilAsked(answers.length)
      await stream.ended
      expectCompleteStream(stream.received, 'error')
      const { data: error } = await stream.waitFor('error')
      expect(error.code).toBe('model_unavailable')
      expect(error.message).not.toBe('')
      expect(wordsIn(stream.received)).toBe(said)
      const { data: turn } = await stream.waitFor('turn.started')
      expect(await turnOf(service, turn)).toMatchObject({
        status: 'failed',
        answer: said,
        failure: error.message,
      })
      expect(await messagesOf(service.client, turn.conversationId)).toMatchObject([
        { role: 'user', content: 'Hello?' },
        { role: 'assistant', content: said, interrupted: true, failure: error.message },
      ])
    },
  )

  test('leads to 503 if it fails without streaming, and the next question is answered [ASK-8]', async () => {
    model.answer({ text: ['Half ', 'an'], end: 'cut-off' })
    const stream = ask(service, agentId(), question)
    const { status, headers, body } = await stream
    expect([status, headers.get('content-type')]).toEqual([503, 'application/problem+json; charset=utf-8'])
    const problem = body as unknown as Problem
    expect(problem).toMatchObject({ status: 503, errorCode: 'Unavailable' })
    expect(problem.detail).not.toContain('sk-scripted')
    const { body: page } = await service.client.call<{ items: { id: string }[] }>(
      'GET',
      `/api/v1/Conversation?AgentId=${agentId()}`,
    )
    const conversationId = page.items[0]?.id ?? ''
    model.answer({ text: 'Here I am.' })
    const next = await ask(service, agentId(), { question: 'Again?', conversationId })
    expect([next.status, next.body.answer]).toEqual([200, 'Here I am.'])
    const sentText = JSON.stringify(model.requests.at(-1)?.body.messages)
    for (const words of ['Hello?', 'Half an', 'Again?']) expect(sentText).toContain(words)
  })

  test.each([
    ['is overloaded for a moment', [overloaded, limited]],
    ['drops a connection', ['drop']],
  ] as const)('is asked again if it %s, and the caller does not notice [ASK-8]', async (_, answers) => {
    model.answer(...answers, { text: 'Here I am.', usage: { inputTokens: 7, outputTokens: 2 } })
    const asked = ask(service, agentId(), question)
    await untilAsked(answers.length + 1)
    const { status, body } = await asked
    expect([status, body.answer, body.failure]).toEqual([200, 'Here I am.', null])
    expect(body.usage).toMatchObject({ inputTokens: 7, outputTokens: 2 })
  })

  test('may be slow [ASK-8]', async () => {
    model.answer({ text: ['Slow ', 'and ', 'steady.'], delayMilliseconds: 30 })
    const { body } = await ask(service, agentId(), question)
    expect(body.answer).toBe('Slow and steady.')
  })

  const hanging: readonly (readonly [string, ScriptedChatAnswer, string])[] = [
    ['says nothing', 'silence', ''],
    ['falls silent', { text: ['Half ', 'an'], end: 'hanging' }, 'Half an'],
  ]
  test.each(hanging)('times out and its request is closed if it %s [ASK-8]', async (_, answer, said) => {
    model.answer(answer)
    const stream = await askStreaming(service, agentId(), question)
    const request = await model.nextRequest()
    await expect.poll(() => wordsIn(stream.received), patiently).toBe(said)
    timers.advance(stepMilliseconds - 1)
    expect(stream.received.at(-1)?.event.type).not.toBe('error')
    timers.advance(1)
    await Promise.all([stream.ended, request.closed])
    expectCompleteStream(stream.received, 'error')
    expect((await stream.waitFor('error')).data).toEqual({
      code: 'model_unavailable',
      message: expect.stringContaining('120 seconds'),
    })
    const { data: turn } = await stream.waitFor('turn.started')
    expect(await turnOf(service, turn)).toMatchObject({ status: 'failed', answer: said })
  })
})
