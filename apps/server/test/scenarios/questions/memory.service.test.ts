import { describe, expect, test } from 'vitest'
import { ask } from '../../support/questions/ask.js'
import {
  messagesSentTo,
  type SentMessage,
  useQuestionService,
} from '../../support/questions/question-service.js'
import type { OpenSession } from '../../support/realtime/realtime-service.js'
import {
  answered,
  committed,
  endedSession,
  messagesOf,
  patiently,
  responseCreated,
  responseDone,
  spoke,
  transcribed,
} from '../../support/realtime/spoken-turns.js'
import { playCalls, takeOutput } from '../../support/realtime/tool-calls.js'
import { callAndWait, refundTool } from '../../support/realtime/waiting-calls.js'

const service = useQuestionService()

const look = (extra: object = {}) =>
  refundTool(service.tools, { name: 'look', approvalRequired: false, ...extra })
const makeClerk = (agent: object = {}) => service.makeAgent({ name: 'Clerk', tools: [look()], ...agent })

/** Asks a question with this answer of the model. Returns the conversation id. */
async function talk(agentId: string, question: string, answer: string, conversationId?: string) {
  service.model.answer({ text: answer })
  const { status, body } = await ask(service.running, agentId, {
    question,
    ...(conversationId !== undefined && { conversationId }),
  })
  expect(status).toBe(200)
  return body.conversationId
}

/** Closes the client and waits until its session is stored. */
async function leave({ client, ticket }: OpenSession): Promise<void> {
  client.socket.close()
  await endedSession(service.running.client, ticket.conversationId)
}

const words = (messages: readonly SentMessage[]) => messages.map(({ role, content }) => [role, content])

/**
 * Returns the calls in the messages. Checks that their ids are unique and that each output follows its call.
 */
function callsIn(messages: readonly SentMessage[]) {
  const calls = messages.flatMap((message, index) =>
    (message.tool_calls ?? []).map((call) => ({ call, output: messages[index + 1] })),
  )
  expect(new Set(calls.map(({ call }) => call.id)).size).toBe(calls.length)
  for (const { call, output } of calls) expect(output).toMatchObject({ role: 'tool', tool_call_id: call.id })
  return calls.map(({ call, output }) => [call.function.name, call.function.arguments, output?.content])
}

/** Returns the history that the provider of a new session receives, before any other event. */
async function takeHistory({ client, provider }: OpenSession): Promise<Record<string, unknown>[]> {
  client.send({ type: 'after.history' })
  const items: Record<string, unknown>[] = []
  for (;;) {
    const event = await provider.inbox.takeJson()
    if (event.type === 'after.history') return items
    if (event.type === 'conversation.item.create') items.push(event.item as Record<string, unknown>)
  }
}

describe('a question', () => {
  test('includes earlier typed turns in order, after the instructions [MEM-1]', async () => {
    const agentId = await makeClerk({ systemMessage: 'Be brief.' })
    const conversationId = await talk(agentId, 'I am Ada.', 'Hello Ada.')
    await talk(agentId, 'I like tea.', 'Noted.', conversationId)
    service.model.answer({ text: 'You are Ada.' })
    await ask(service.running, agentId, {
      ...{ conversationId, question: 'Who am I?', additionalInstructions: 'Speak French.' },
    })
    expect(words(messagesSentTo(service.model))).toEqual([
      ['system', 'Be brief.\n\nSpeak French.'],
      ['user', 'I am Ada.'],
      ['assistant', 'Hello Ada.'],
      ['user', 'I like tea.'],
      ['assistant', 'Noted.'],
      ['user', 'Who am I?'],
    ])
  })

  test('includes spoken turns and interrupted answers, without failed transcriptions [MEM-1]', async () => {
    const agentId = await makeClerk()
    const conversationId = await talk(agentId, 'I am Ada.', 'Hello Ada.')
    const session = await service.speakTo(agentId, { conversationId })
    const { provider } = session
    provider.send(committed('U1'))
    provider.send(transcribed('U1', 'I like tea.'))
    provider.send(answered('A1', 'Tea is good.'))
    provider.send(committed('U2'))
    provider.send({
      type: 'conversation.item.input_audio_transcription.failed',
      ...{ item_id: 'U2', content_index: 0, error: { message: 'Too loud.' } },
    })
    provider.send(responseCreated('response of A2'))
    provider.send(spoke('A2', 'I did not quite '))
    provider.send(responseDone('response of A2', { status: 'cancelled', output: [] }))
    await leave(session)
    expect(await messagesOf(service.running.client, conversationId)).toMatchObject([
      { channel: 'text' },
      { channel: 'text' },
      { channel: 'realtime', content: 'I like tea.' },
      { channel: 'realtime', content: 'Tea is good.' },
      { channel: 'realtime', content: '', failure: 'Too loud.' },
      { channel: 'realtime', content: 'I did not quite ', interrupted: true },
    ])
    await talk(agentId, 'What do I like?', 'Tea.', conversationId)
    expect(words(messagesSentTo(service.model))).toEqual([
      ['user', 'I am Ada.'],
      ['assistant', 'Hello Ada.'],
      ['user', 'I like tea.'],
      ['assistant', 'Tea is good.'],
      ['assistant', 'I did not quite '],
      ['user', 'What do I like?'],
    ])
  })

  test('includes the turns of a running session so far [MEM-1]', async () => {
    const agentId = await makeClerk()
    const session = await service.speakTo(agentId)
    const { conversationId } = session.ticket
    session.provider.send(transcribed('U1', 'I like tea.'))
    await session.client.inbox.takeType('message.created')
    await talk(agentId, 'What do I like?', 'Tea.', conversationId)
    expect(words(messagesSentTo(service.model))).toEqual([
      ['user', 'I like tea.'],
      ['user', 'What do I like?'],
    ])
    await leave(session)
  })

  test('includes the tool calls of both channels, even if they share an id [MEM-1]', async () => {
    const agentId = await makeClerk()
    void service.tools.expect('POST /refund', { body: 'Shelf 1' })
    service.model.answer(
      { calls: [{ id: 'call_0', name: 'look', arguments: '{"amount":1}' }] },
      { text: 'One.' },
    )
    const { conversationId } = (await ask(service.running, agentId, { question: 'First?' })).body

    const session = await service.speakTo(agentId, { conversationId })
    void service.tools.expect('POST /refund', { body: 'Shelf 2' })
    await takeHistory(session)
    playCalls(session.provider, 'resp_1', [{ callId: 'call_0', name: 'look', arguments: '{"amount":2}' }])
    expect((await takeOutput(session.provider)).output).toBe('Shelf 2')
    await leave(session)

    void service.tools.expect('POST /refund', { body: 'Shelf 3' })
    service.model.answer(
      { calls: [{ id: 'call_0', name: 'look', arguments: '{"amount":3}' }] },
      { text: 'Three.' },
    )
    await ask(service.running, agentId, { conversationId, question: 'Third?' })
    await talk(agentId, 'All?', 'One, two, three.', conversationId)
    expect(callsIn(messagesSentTo(service.model))).toEqual([
      ['look', '{"amount":1}', 'Shelf 1'],
      ['look', '{"amount":2}', 'Shelf 2'],
      ['look', '{"amount":3}', 'Shelf 3'],
    ])

    const next = await service.speakTo(agentId, { conversationId })
    const items = await takeHistory(next)
    const calls = items.filter(({ type }) => type === 'function_call')
    const outputs = items.filter(({ type }) => type === 'function_call_output')
    expect(outputs.map(({ output }) => output)).toEqual(['Shelf 1', 'Shelf 2', 'Shelf 3'])
    const ids = calls.map(({ call_id: id }) => id)
    expect(outputs.map(({ call_id: id }) => id)).toEqual(ids)
    expect(new Set(ids).size).toBe(3)
    await leave(next)
  })

  test('shows a waiting call with an unknown outcome [MEM-1]', async () => {
    const agentId = await makeClerk({ tools: [look({ name: 'refund', approvalRequired: true })] })
    const session = await service.speakTo(agentId)
    await callAndWait(session, 'call_a')
    await leave(session)
    const { conversationId } = session.ticket
    await talk(agentId, 'Is it paid?', 'Not yet.', conversationId)
    expect(callsIn(messagesSentTo(service.model))).toEqual([
      ['refund', '{"amount":5}', 'The outcome of the call is not known yet.'],
    ])
  })

  test('sends the same history to a model of the other API format [MEM-1]', async () => {
    const agentId = await makeClerk()
    const session = await service.speakTo(agentId)
    // In voice, the agent may speak first.
    session.provider.send(answered('A1', 'Welcome, Ada.'))
    await session.client.inbox.takeType('response.completed')
    await leave(session)
    const connection = await service.running.client.call<{ id: string }>('POST', '/api/v1/Connection', {
      body: {
        ...{ name: 'Other', kind: 'anthropic', baseUrl: service.model.baseUrl, apiKey: 'sk-other' },
        models: { chat: 'another-model' },
      },
    })
    const path = `/api/v1/Agent/${agentId}`
    await service.running.client.call('PATCH', path, { body: { connectionId: connection.body.id } })
    const { conversationId } = session.ticket
    void service.tools.expect('POST /refund', { body: 'Shelf 1' })
    service.model.answer(
      { calls: [{ id: 'call_0', name: 'look', arguments: '{"amount":1}' }] },
      { text: 'One.' },
    )
    await ask(service.running, agentId, { conversationId, question: 'First?' })
    await talk(agentId, 'Who am I?', 'Ada.', conversationId)
    const sent = messagesSentTo(service.model) as readonly SentMessage[]
    expect(sent[0]?.role).toBe('user')
    expect(JSON.stringify(sent)).toMatch(/Welcome, Ada\..*First\?.*tool_use.*Shelf 1.*One\..*Who am I\?/)
  })
})

describe('a session', () => {
  test('receives typed turns and their calls in order [MEM-1]', async () => {
    const agentId = await makeClerk()
    void service.tools.expect('POST /refund', { body: 'Shelf 1' })
    service.model.answer(
      { calls: [{ id: 'call_a', name: 'look', arguments: '{"amount":1}' }] },
      { text: 'On shelf 1.' },
    )
    const { conversationId } = (await ask(service.running, agentId, { question: 'Where is it?' })).body
    const session = await service.speakTo(agentId, { conversationId })
    expect(await takeHistory(session)).toMatchObject([
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Where is it?' }] },
      { type: 'function_call', name: 'look', arguments: '{"amount":1}' },
      { type: 'function_call_output', output: 'Shelf 1' },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'On shelf 1.' }] },
    ])
    await leave(session)
  })

  test('receives the partial answer of a turn that failed or was stopped [MEM-1]', async () => {
    const agentId = await makeClerk()
    service.model.answer({ text: 'It is on ', end: 'cut-off' })
    const { status } = await ask(service.running, agentId, { question: 'Where is it?' })
    expect(status).toBe(503)
    const { body } = await service.running.client.call<{ items: { id: string }[] }>(
      'GET',
      `/api/v1/Conversation?AgentId=${agentId}`,
    )
    const conversationId = body.items[0]?.id ?? ''
    await expect
      .poll(async () => (await messagesOf(service.running.client, conversationId)).length, patiently)
      .toBe(2)
    const session = await service.speakTo(agentId, { conversationId })
    expect(await takeHistory(session)).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: [{ text: 'It is on ' }] },
    ])
    await leave(session)
  })
})
