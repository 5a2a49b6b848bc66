import type { Problem } from '@parley/contract'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { requestHandshake } from '../../support/realtime/open-socket.js'
import { endedSession, messagesOf } from '../../support/realtime/spoken-turns.js'
import { type ScriptedChatServer, startScriptedChatServer } from '../../support/scripted-chat-server.js'
import { type ScriptedHttpServer, startScriptedHttpServer } from '../../support/scripted-http-server.js'
import { frontDeskTools } from '../../support/speech/front-desk.js'
import { wireRate } from '../../support/speech/person.js'
import {
  chatKey,
  chatKinds,
  chatRequestContent,
  makeSpokenAgent,
  TypedSession,
} from '../../support/speech/spoken-model.js'
import { type RunningService, startService } from '../../support/start-service.js'

const timeout = 60_000
const inWriting = { output_modalities: ['text'] }

let running: RunningService
let chat: ScriptedChatServer
let tools: ScriptedHttpServer

beforeAll(async () => {
  chat = await startScriptedChatServer()
  tools = await startScriptedHttpServer()
  running = await startService({ env: { PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' } })
})

afterEach(() => {
  chat.verify()
  tools.verify()
  expect(running.log.join('')).not.toContain(chatKey)
})

afterAll(async () => {
  await running.close()
  await chat.close()
  await tools.close()
})

const openWith = async (kind: (typeof chatKinds)[number], agent: object = {}) => {
  const { agentId } = await makeSpokenAgent(running, chat, kind, { agent })
  return TypedSession.open(running, agentId)
}

/** Asserts that no message to the client contains the key. */
function expectNoKey({ client }: TypedSession): void {
  for (const { data } of client.inbox.all) expect(data.toString()).not.toContain(chatKey)
}

describe.each(chatKinds)('the engine as the voice of a text model: %s', (kind) => {
  test("speaks the model's text while the model is still answering [ENG-6] [ENG-10]", {
    timeout,
  }, async () => {
    let goOn: () => void = () => undefined
    const isHeard = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const usage = { inputTokens: 40, outputTokens: 12, cachedInputTokens: 8 }
    chat.answer({ text: ['The red bus leaves at nine. Please', isHeard, ' bring a warm coat.'], usage })
    const session = await openWith(kind)
    session.ask('When does the bus leave?')
    // The model waits for the first sound. If the service held the words back until the end, the test would
    // hang.
    await session.client.inbox.takeType('response.output_audio.delta')
    goOn()
    const response = await session.done()
    expect(response.status).toBe('completed')
    expect(response.usage).toMatchObject({
      input_token_details: { text_tokens: 40, cached_tokens: 8 },
      output_token_details: { text_tokens: 12 },
    })
    // scenarios/speech checks the content of the sound.
    expect(session.heard().samples.length).toBeGreaterThan(2 * wireRate)
    const told = chatRequestContent(chat.requests[0] ?? (await chat.nextRequest()))
    expect(told).toMatchObject({ key: chatKey, model: 'a-text-model', roles: ['user'] })
    expect(told.system).toContain('You guide visitors.')
    expect(told.talk).toContain('When does the bus leave?')
    expectNoKey(session)
    await session.close()
    await endedSession(running.client, session.conversationId)
    expect(await messagesOf(running.client, session.conversationId)).toMatchObject([
      { role: 'user', content: 'When does the bus leave?' },
      { role: 'assistant', content: 'The red bus leaves at nine. Please bring a warm coat.' },
    ])
  })

  test('calls backend tools and sends their results to the model [ENG-6] [ENG-10]', { timeout }, async () => {
    chat.answer(
      { text: 'One moment.', calls: [{ id: 'call_a', name: 'find_order', arguments: { number: '27' } }] },
      { text: 'It is at the harbor.' },
    )
    void tools.expect('GET /orders/27', { body: { status: 'waiting at the harbor' } })
    const session = await openWith(kind, { tools: frontDeskTools(tools.url) })
    session.ask('Where is order 27?')
    expect((await session.done()).status).toBe('completed')
    const done = await session.client.inbox.takeType('response.function_invocation.done')
    expect(done).toMatchObject({ data: { callId: 'call_a', status: 1 } })
    expect((await session.done()).output).toMatchObject([
      { content: [{ type: 'output_audio', transcript: 'It is at the harbor.' }] },
    ])
    const [first, second] = chat.requests.map(chatRequestContent)
    expect(first?.toolNames).toContain('find_order')
    expect(second?.talk).toContain('One moment.')
    expect(second?.talk).toContain('waiting at the harbor')
    expect(second?.talk.match(/call_a/g)).toHaveLength(2)
    await session.close()
  })

  test('sends the messages that arrived while a tool waited to the model, in order [TOOL-15]', {
    timeout,
  }, async () => {
    chat.answer(
      { calls: [{ id: 'call_w', name: 'cancel_order', arguments: { order_number: '35' } }] },
      { text: 'I am waiting for you.' },
      { text: 'Done.' },
    )
    void tools.expect('DELETE /orders/35', { body: 'The order is gone.' })
    const session = await openWith(kind, { tools: frontDeskTools(tools.url) })
    session.ask('Cancel order 35.', inWriting)
    await session.client.inbox.takeType('approval.waiting')
    session.ask('What are you doing?', inWriting)
    expect((await session.done()).status).toBe('completed')
    session.client.send({ type: 'approval.approve', callId: 'call_w' })
    // Questions and answers are text, also in the response that the service requests itself.
    expect((await session.done()).output).toMatchObject([
      { content: [{ type: 'output_text', text: 'Done.' }] },
    ])
    const [, waiting, after] = chat.requests.map(chatRequestContent)
    expect(waiting?.roles).toEqual(
      kind === 'anthropic' ? ['user', 'assistant', 'user'] : ['user', 'assistant', 'tool', 'user'],
    )
    expect(waiting?.talk).toMatch(/call_w.*has not finished yet.*What are you doing/)
    expect(after?.talk).toMatch(/call_w.*The order is gone.*What are you doing.*I am waiting for you/)
    await session.close()
  })

  test("aborts the model's answer if the client cancels it, and answers the next question [ENG-10]", {
    timeout,
  }, async () => {
    chat.answer({ text: ['One. ', 'Two. '], end: 'hanging' }, { text: 'Three.' })
    const session = await openWith(kind)
    session.ask('Count.', inWriting)
    await session.client.inbox.takeType('response.output_text.delta')
    const request = await chat.nextRequest()
    session.client.send({ type: 'response.cancel' })
    expect(await session.done()).toMatchObject({
      status: 'cancelled',
      status_details: { type: 'cancelled', reason: 'client_cancelled' },
    })
    await request.closed
    session.ask('Go on.', inWriting)
    expect(await session.done()).toMatchObject({
      status: 'completed',
      output: [{ content: [{ type: 'output_text', text: 'Three.' }] }],
    })
    await session.close()
  })

  test("aborts the model's answer if the client disconnects", { timeout }, async () => {
    chat.answer('silence')
    const session = await openWith(kind)
    session.ask('Are you there?', inWriting)
    const request = await chat.nextRequest()
    await session.close()
    await request.closed
  })

  test.each([
    ['rejects the key', { status: 401, body: { error: { message: 'wrong key' } } }, /key/],
    ['breaks off', { text: 'Well, ', end: 'cut-off' }, /ended too early/],
    ['drops the connection', 'drop', /is unreachable|answer/],
  ] as const)(
    'fails the response and keeps the session if the text model %s',
    { timeout },
    async (_, how, words) => {
      const session = await openWith(kind)
      // A dropped connection without an error is retried.
      chat.answer(how, ...(how === 'drop' ? ([how, how] as const) : []), { text: 'Here I am.' })
      session.ask('Hello?', inWriting)
      const error = await session.client.inbox.takeType('error')
      expect(error).toMatchObject({
        error: { type: 'server_error', code: 'text_model_failed', message: expect.stringMatching(words) },
      })
      expect(await session.done()).toMatchObject({
        status: 'failed',
        status_details: { type: 'failed', error: { type: 'server_error', code: 'text_model_failed' } },
      })
      session.ask('And now?', inWriting)
      expect((await session.done()).status).toBe('completed')
      expectNoKey(session)
      await session.close()
    },
  )

  test('passes on the tool choice and the token limit', { timeout }, async () => {
    const session = await openWith(kind, { tools: frontDeskTools(tools.url) })
    chat.answer({ text: 'No.' }, { text: 'A long st', isCutOff: true })
    session.ask('Do not call anything.', { ...inWriting, tool_choice: 'none' })
    expect((await session.done()).status).toBe('completed')
    session.ask('Tell a story.', { ...inWriting, tool_choice: 'required', max_output_tokens: 7 })
    expect(await session.done()).toMatchObject({
      status: 'incomplete',
      status_details: { reason: 'max_output_tokens' },
    })
    const [none, limited] = chat.requests.map(chatRequestContent)
    const wireChoices = {
      'openai-compatible': ['none', 'required'],
      anthropic: [{ type: 'none' }, { type: 'any' }],
    }
    expect([none?.toolChoice, limited?.toolChoice]).toMatchObject(wireChoices[kind])
    expect(limited?.maxTokens).toBe(7)
    await session.close()
  })

  test('begins the conversation if the user has said nothing', { timeout }, async () => {
    const session = await openWith(kind)
    chat.answer({ text: 'Welcome.' }, { text: 'Are you there?' })
    for (const said of ['Welcome.', 'Are you there?']) {
      session.client.send({ type: 'response.create', response: inWriting })
      expect(await session.done()).toMatchObject({ output: [{ content: [{ text: said }] }] })
    }
    expect(chat.requests.map((request) => chatRequestContent(request).roles)).toEqual([
      ['user'],
      ['user', 'assistant', 'user'],
    ])
    await session.close()
  })
})

describe('creation of a realtime session', () => {
  const ask = (agentId: string) =>
    running.client.call<Problem & { webSocketPath: string }>(
      'POST',
      `/api/v1/Agent/${agentId}/realtime-session`,
      { body: {} },
    )

  test.each([
    ['is disabled', { governanceDisabled: true }, 'has disabled the connection Text'],
    ['has no name', { models: {} }, 'has a text model'],
  ])('rejects an engine whose text model %s [7.2-2]', async (_, fields, words) => {
    const { agentId } = await makeSpokenAgent(running, chat, 'anthropic', { chat: fields })
    const refused = await ask(agentId)
    expect(refused).toMatchObject({ status: 400, body: { errorCode: 'RealtimeUnsupportedConnection' } })
    expect(refused.body.detail).toContain(words)
  })

  test("uses the agent's model if the connection names none", { timeout }, async () => {
    const agent = { model: 'the-model-of-the-agent' }
    const { agentId } = await makeSpokenAgent(running, chat, 'anthropic', { agent, chat: { models: {} } })
    const session = await TypedSession.open(running, agentId)
    chat.answer({ text: 'Yes.' })
    session.ask('Is it you?', inWriting)
    await session.done()
    expect(chat.requests.map((request) => request.body.model)).toEqual(['the-model-of-the-agent'])
    await session.close()
  })

  test('rejects the handshake if the connection was disabled after the session was created [7.2-2]', async () => {
    const { agentId, chatConnectionId } = await makeSpokenAgent(running, chat, 'anthropic')
    const ticket = await ask(agentId)
    expect(ticket.status, ticket.text).toBe(201)
    const body = { governanceDisabled: true }
    await running.client.call('PATCH', `/api/v1/Connection/${chatConnectionId}`, { body })
    const refused = await requestHandshake(running.url, ticket.body.webSocketPath)
    expect(refused.status).toBe(400)
    expect(JSON.parse(refused.text)).toMatchObject({ errorCode: 'RealtimeUnsupportedConnection' })
  })

  test("uses the engine's own model for connections that name no other", { timeout }, async () => {
    const agents = await running.client.call<{ items: { id: string; connectionId: string | null }[] }>(
      'GET',
      '/api/v1/Agent?Limit=200',
    )
    const example = agents.body.items.find(({ connectionId }) => connectionId === null)
    const session = await TypedSession.open(running, example?.id ?? '')
    // The example agent speaks first.
    await session.done()
    session.ask('Who are you?', inWriting)
    expect(JSON.stringify((await session.done()).output)).toContain('demo')
    await session.close()
  })
})
