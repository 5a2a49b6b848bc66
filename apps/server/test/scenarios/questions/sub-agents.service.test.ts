import { describe, expect, test } from 'vitest'
import { ask, askStreaming } from '../../support/questions/ask.js'
import {
  endedTurn,
  eventsIn,
  messagesSentTo,
  turnOf,
  typesIn,
  useQuestionService,
} from '../../support/questions/question-service.js'
import { holdAnswer } from '../../support/realtime/held-answer.js'
import { endedSession, messagesOf } from '../../support/realtime/spoken-turns.js'
import { playCalls, takeOutput } from '../../support/realtime/tool-calls.js'
import { approvalsOf, decide, refundTool } from '../../support/realtime/waiting-calls.js'

const service = useQuestionService()

const look = (extra: object = {}) =>
  refundTool(service.tools, { name: 'look', title: 'Look', approvalRequired: false, ...extra })
const lookCall = { id: 'inner', name: 'look', arguments: '{"amount": 1}' }
const askCall = (name: string, question = 'Where is it?') => ({
  id: 'outer',
  name: `ask_${name}`,
  arguments: { question },
})
const usage = (inputTokens: number, outputTokens: number, cachedInputTokens = 0) => ({
  usage: { inputTokens, outputTokens, cachedInputTokens },
})

describe('a sub-agent of a turn', () => {
  test('is announced, calls tools in its own name, and its answer is the output [ASK-7]', async () => {
    const clerkId = await service.makeAgent({
      ...{ name: 'Clerk', icon: 'box', iconColor: '#aabbcc', systemMessage: 'You look.' },
      tools: [look()],
    })
    const agentId = await service.makeAgent({ subAgentIds: [clerkId] })
    void service.tools.expect('POST /refund', { body: 'Shelf 4' })
    service.model.answer(
      { calls: [askCall('clerk')] },
      { calls: [lookCall] },
      { text: 'On shelf 4.' },
      { text: 'It is on shelf 4.' },
    )
    const stream = await askStreaming(service.running, agentId, { question: 'Where is my parcel?' })
    await stream.ended
    const shownEvents = eventsIn(stream).filter(({ type }) => type !== 'response.text.delta')
    const invocation = { callId: 'inner', chatbotId: clerkId, title: 'Look' }
    expect(shownEvents.slice(2, -2)).toMatchObject([
      {
        type: 'subagent.start',
        data: { id: clerkId, name: 'Clerk', icon: 'box', iconColor: '#aabbcc', callId: 'outer' },
      },
      { type: 'response.function_invocation.start', data: { ...invocation, functionName: 'look' } },
      { type: 'response.function_invocation.done', data: { ...invocation, text: 'Shelf 4', status: 1 } },
      { type: 'subagent.done', data: { chatbotId: clerkId } },
    ])
    const { conversationId } = (await stream.waitFor('turn.started')).data
    expect(await messagesOf(service.running.client, conversationId)).toMatchObject([
      { role: 'user' },
      { role: 'subagent', name: 'ask_clerk', content: 'On shelf 4.', status: 1, channel: 'text' },
      { role: 'tool', name: 'look', content: 'Shelf 4', status: 1, channel: 'text' },
      { role: 'assistant', content: 'It is on shelf 4.' },
    ])
    expect(messagesSentTo(service.model, 1)).toMatchObject([
      { role: 'system', content: 'You look.' },
      { role: 'user', content: 'Where is it?' },
    ])

    // Calls of the sub-agent are not part of the parent agent's history.
    service.model.answer({ text: 'As I said.' })
    await ask(service.running, agentId, { conversationId, question: 'Where?' })
    expect(messagesSentTo(service.model).map(({ role, content }) => [role, content])).toEqual([
      ['user', 'Where is my parcel?'],
      ['assistant', null],
      ['tool', 'On shelf 4.'],
      ['assistant', 'It is on shelf 4.'],
      ['user', 'Where?'],
    ])
  })

  test('adds its usage and that of its own sub-agents to the turn [ASK-11] [ASK-7]', async () => {
    const third = await service.makeAgent({ name: 'Third' })
    const second = await service.makeAgent({ name: 'Second', subAgentIds: [third] })
    const agentId = await service.makeAgent({ subAgentIds: [second] })
    service.model.answer(
      { calls: [askCall('second', 'two?')], ...usage(1, 2) },
      { calls: [askCall('third', 'three?')], ...usage(10, 20, 5) },
      { text: 'Three says.', ...usage(100, 200, 50) },
      { text: 'Two says.', ...usage(1000, 2000) },
      { text: 'One says.', ...usage(10_000, 20_000) },
    )
    const stream = await askStreaming(service.running, agentId, { question: 'one?' })
    await stream.ended
    expect(typesIn(stream).slice(2, -2)).toEqual([
      'subagent.start',
      'subagent.start',
      'subagent.done',
      'subagent.done',
    ])
    expect(await turnOf(service.running, (await stream.waitFor('turn.started')).data)).toMatchObject({
      answer: 'One says.',
      usage: { inputTokens: 11_111, outputTokens: 22_222, cachedInputTokens: 55 },
    })
  })

  test('reports its failure to the model, and the turn continues and counts its usage [ASK-11] [ASK-7]', async () => {
    const brokenId = await service.makeAgent({ name: 'Broken', tools: [look()] })
    const agentId = await service.makeAgent({ subAgentIds: [brokenId] })
    void service.tools.expect('POST /refund', { body: 'Shelf 4' })
    service.model.answer(
      { calls: [askCall('broken')], ...usage(1, 1) },
      { calls: [lookCall], ...usage(10, 10) },
      { status: 400, body: { error: { message: 'No such model.' } } },
      { text: 'Nobody knows.', ...usage(100, 100) },
    )
    const { body } = await ask(service.running, agentId, { question: 'Where is it?' })
    expect(body).toMatchObject({
      answer: 'Nobody knows.',
      status: 'completed',
      usage: { inputTokens: 111, outputTokens: 111 },
    })
    expect(body.toolInvocations[0]).toMatchObject({
      name: 'ask_broken',
      status: 2,
      content: expect.stringContaining('The agent Broken could not answer:'),
    })
  })

  test('waits for approval as its turn does, and continues afterwards [ASK-7]', async () => {
    const clerkId = await service.makeAgent({ name: 'Clerk', tools: [look({ approvalRequired: true })] })
    const agentId = await service.makeAgent({ subAgentIds: [clerkId] })
    service.model.answer({ calls: [askCall('clerk')] }, { calls: [lookCall] })
    const { status, body: waiting } = await ask(service.running, agentId, { question: 'Where is it?' })
    expect(status).toBe(202)
    expect(waiting).toMatchObject({
      status: 'waiting_for_approval',
      approvals: [{ callId: 'inner', tool: 'look', arguments: '{"amount":1}' }],
    })
    void service.tools.expect('POST /refund', { body: 'Shelf 4' })
    service.model.answer({ text: 'On shelf 4.' }, { text: 'It is on shelf 4.' })
    const { client } = service.running
    expect((await decide(client, waiting.conversationId, 'inner', 'approve')).status).toBe(200)
    expect(await endedTurn(service.running, waiting)).toMatchObject({
      status: 'completed',
      answer: 'It is on shelf 4.',
      toolInvocations: [
        { name: 'ask_clerk', status: 1, content: 'On shelf 4.' },
        { name: 'look', status: 1, content: 'Shelf 4' },
      ],
    })
  })

  test('ends if its turn is stopped while it waits for approval, and no tool runs [ASK-5] [ASK-7]', async () => {
    const clerkId = await service.makeAgent({ name: 'Clerk', tools: [look({ approvalRequired: true })] })
    const agentId = await service.makeAgent({ subAgentIds: [clerkId] })
    service.model.answer({ calls: [askCall('clerk')] }, { calls: [lookCall] })
    const { body: waiting } = await ask(service.running, agentId, { question: 'Where is it?' })
    await stop(waiting)
    expect(await endedTurn(service.running, waiting)).toMatchObject({
      status: 'stopped',
      toolInvocations: [
        { name: 'ask_clerk', status: 2 },
        { name: 'look', status: 2 },
      ],
    })
    const { client } = service.running
    expect(await approvalsOf(client, waiting.conversationId)).toMatchObject([{ state: 'expired' }])
    expect((await decide(client, waiting.conversationId, 'inner', 'approve')).status).toBe(409)
  })

  test('ends if its turn is stopped while its model works, and the usage so far counts [ASK-5] [ASK-7]', async () => {
    const clerkId = await service.makeAgent({ name: 'Clerk' })
    const agentId = await service.makeAgent({ subAgentIds: [clerkId] })
    service.model.answer({ text: 'Let me ask.', calls: [askCall('clerk')], ...usage(3, 4) }, 'silence')
    const stream = await askStreaming(service.running, agentId, { question: 'Where is it?' })
    await stream.waitFor('subagent.start')
    await service.model.nextRequest()
    const { closed } = await service.model.nextRequest()
    const turn = (await stream.waitFor('turn.started')).data
    await stop(turn)
    await stream.ended
    await closed
    expect(typesIn(stream).slice(2)).toEqual(['subagent.start', 'subagent.done', 'response.id', 'error'])
    expect(await turnOf(service.running, turn)).toMatchObject({
      status: 'stopped',
      answer: 'Let me ask.',
      toolInvocations: [{ status: 2 }],
      usage: { inputTokens: 3, outputTokens: 4 },
    })
  })

  test('ends if its turn is stopped while its tool runs [ASK-5] [ASK-7]', async () => {
    const clerkId = await service.makeAgent({ name: 'Clerk', tools: [look()] })
    const agentId = await service.makeAgent({ subAgentIds: [clerkId] })
    service.model.answer({ calls: [askCall('clerk')] }, { calls: [lookCall] })
    const held = holdAnswer(service.tools, 'POST /refund')
    const stream = await askStreaming(service.running, agentId, { question: 'Where is it?' })
    await held.called
    const turn = (await stream.waitFor('turn.started')).data
    await stop(turn)
    await stream.ended
    expect(typesIn(stream).at(-1)).toBe('error')
    expect(await turnOf(service.running, turn)).toMatchObject({
      status: 'stopped',
      toolInvocations: [
        { name: 'ask_clerk', status: 2 },
        { name: 'look', status: 2 },
      ],
    })
  })
})

describe('a sub-agent of a session', () => {
  test('adds its usage as text tokens to the session, without a response of its own [ASK-11] [RT-25]', async () => {
    const clerkId = await service.makeAgent({ name: 'Clerk' })
    const agentId = await service.makeAgent({ subAgentIds: [clerkId] })
    const { ticket, client, provider } = await service.speakTo(agentId)
    service.model.answer({ text: 'On shelf 4.', ...usage(100, 20, 40) })
    playCalls(provider, 'resp_1', [
      { callId: 'outer', name: 'ask_clerk', arguments: '{"question":"Where is it?"}' },
    ])
    expect(await takeOutput(provider)).toEqual({ callId: 'outer', output: 'On shelf 4.' })
    client.socket.close()
    expect((await endedSession(service.running.client, ticket.conversationId)).usage).toEqual({
      ...{ responses: 1, totalTokens: 120, inputTokens: 100, inputTextTokens: 100, inputAudioTokens: 0 },
      ...{ inputImageTokens: 0, cachedTokens: 40, cachedTextTokens: 40, cachedAudioTokens: 0 },
      ...{ outputTokens: 20, outputTextTokens: 20, outputAudioTokens: 0 },
    })
  })
})

async function stop({ conversationId, turnId }: { conversationId: string; turnId: string }): Promise<void> {
  const path = `/api/v1/Conversation/${conversationId}/turn/${turnId}`
  expect((await service.running.client.call('DELETE', path)).status).toBe(204)
}
