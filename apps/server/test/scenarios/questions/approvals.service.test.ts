import { describe, expect, test } from 'vitest'
import { ask, askStreaming, follow } from '../../support/questions/ask.js'
import {
  endedTurn,
  eventsIn,
  messagesSentTo,
  turnOf,
  typesIn,
  useQuestionService,
} from '../../support/questions/question-service.js'
import { customEventsIn, endedSession, messagesOf, patiently } from '../../support/realtime/spoken-turns.js'
import { takeOutput } from '../../support/realtime/tool-calls.js'
import {
  approvalsOf,
  callItem,
  customTypes,
  decide,
  refundTool,
  takeQuestion,
} from '../../support/realtime/waiting-calls.js'

const service = useQuestionService()

const makeClerk = () => service.makeAgent({ name: 'Clerk', tools: [refundTool(service.tools)] })
const refund = (id: string, amount = 5) => ({ id, name: 'refund', arguments: `{"amount": ${amount}}` })

/**
 * Asks a question for which the model calls the tool. Returns the response to a caller that does not stream.
 */
async function askForRefund(callId: string, agentId?: string) {
  service.model.answer({ calls: [refund(callId)] })
  const answer = await ask(service.running, agentId ?? (await makeClerk()), { question: 'Money back!' })
  expect(answer.status, answer.text).toBe(202)
  return answer.body
}

async function askStreamingForRefund() {
  service.model.answer({ calls: [refund('call_a')] })
  const stream = await askStreaming(service.running, await makeClerk(), { question: 'Money back!' })
  await stream.waitFor('approval.waiting')
  return stream
}

const decideOn = (conversationId: string, callId: string, decision: 'approve' | 'reject', reason?: string) =>
  decide(service.running.client, conversationId, callId, decision, reason)

describe('a call that waits for approval', () => {
  test('leads to 202 with the waiting call, and after its approval it runs once and the turn continues [ASK-7]', async () => {
    const begin = Date.now()
    const waiting = await askForRefund('call_a')
    expect(waiting).toMatchObject({
      status: 'waiting_for_approval',
      messageId: null,
      answer: null,
      failure: null,
      toolInvocations: [{ callId: 'call_a', name: 'refund', content: '', status: 3 }],
      approvals: [
        {
          callId: 'call_a',
          messageId: waiting.toolInvocations[0]?.id,
          tool: 'refund',
          arguments: '{"amount":5}',
        },
      ],
    })
    const left = Date.parse(waiting.approvals[0]?.deadline ?? '') - begin
    expect(left).toBeGreaterThanOrEqual(300_000)
    expect(left).toBeLessThan(330_000)
    expect(await turnOf(service.running, waiting)).toEqual(waiting)

    const called = service.tools.expect('POST /refund', { body: 'Paid.' })
    service.model.answer({ text: 'Your money is on its way.' })
    expect((await decideOn(waiting.conversationId, 'call_a', 'approve')).status).toBe(200)
    expect((await called).headers['idempotency-key']).toBe(waiting.toolInvocations[0]?.id)
    const ended = await endedTurn(service.running, waiting)
    expect(ended).toMatchObject({
      status: 'completed',
      answer: 'Your money is on its way.',
      toolInvocations: [{ callId: 'call_a', content: 'Paid.', status: 1 }],
      approvals: [],
    })
    expect(messagesSentTo(service.model).at(-1)).toMatchObject({
      role: 'tool',
      tool_call_id: 'call_a',
      content: 'Paid.',
    })
    expect(await messagesOf(service.running.client, waiting.conversationId)).toMatchObject([
      { role: 'user', content: 'Money back!' },
      { role: 'tool', content: 'Paid.', status: 1 },
      { id: ended.messageId, role: 'assistant', content: 'Your money is on its way.' },
    ])
    expect(service.tools.requests).toHaveLength(1)
  })

  test('never runs if it is rejected, and the model receives the reason [ASK-7]', async () => {
    const waiting = await askForRefund('call_a')
    service.model.answer({ text: 'No money today.' })
    await decideOn(waiting.conversationId, 'call_a', 'reject', 'The shop is closed.')
    const ended = await endedTurn(service.running, waiting)
    expect(ended).toMatchObject({
      status: 'completed',
      answer: 'No money today.',
      toolInvocations: [{ status: 2, executionTimeSeconds: 0 }],
    })
    expect(messagesSentTo(service.model).at(-1)?.content).toMatch(/call was rejected.*The shop is closed\./)
    expect(service.tools.requests).toEqual([])
  })

  test('is streamed in order with every field [ASK-7]', async () => {
    const agentId = await makeClerk()
    service.model.answer({ text: 'Let me ask.', calls: [refund('call_a')] })
    const stream = await askStreaming(service.running, agentId, { question: 'Money back!' })
    const { data: waiting } = await stream.waitFor('approval.waiting')
    const { conversationId, turnId } = (await stream.waitFor('turn.started')).data
    expect((await turnOf(service.running, { conversationId, turnId })).status).toBe('waiting_for_approval')
    void service.tools.expect('POST /refund', { body: 'Paid.' })
    service.model.answer({ text: 'Done.' })
    await decideOn(conversationId, 'call_a', 'approve')
    await stream.ended
    expect(typesIn(stream)).toEqual([
      'turn.started',
      'message.created',
      'response.function_invocation.start',
      'approval.waiting',
      'approval.approved',
      'response.function_invocation.done',
      'response.id',
      'response.completed',
    ])
    const { messageId } = waiting
    expect(waiting).toEqual({ callId: 'call_a', messageId, timeoutSeconds: 300 })
    const [start, , approved, done] = eventsIn(stream).filter(
      ({ type }) => type.startsWith('approval.') || type.startsWith('response.function'),
    )
    expect(start?.data).toMatchObject({ id: messageId, approvalRequired: true, chatbotId: agentId })
    expect(approved?.data).toEqual({ callId: 'call_a', messageId })
    expect(done?.data).toMatchObject({ id: messageId, text: 'Paid.', status: 1, chatbotId: agentId })
    const words = eventsIn(stream).map((event) =>
      event.type === 'response.text.delta' ? event.data.delta : '',
    )
    expect(words.join('')).toBe('Let me ask.\n\nDone.')
  })

  test('is streamed as done with status 2 if it is rejected [ASK-7]', async () => {
    const stream = await askStreamingForRefund()
    service.model.answer({ text: 'Sorry.' })
    const { conversationId } = (await stream.waitFor('turn.started')).data
    await decideOn(conversationId, 'call_a', 'reject')
    await stream.ended
    expect(typesIn(stream).slice(3, -2)).toEqual(['approval.waiting', 'response.function_invocation.done'])
    expect((await stream.waitFor('response.function_invocation.done')).data.status).toBe(2)
  })

  test('continues after a decision while no client follows, and a later follower receives every event [ASK-7]', async () => {
    const stream = await askStreamingForRefund()
    const turn = (await stream.waitFor('turn.started')).data
    stream.cut()
    await stream.ended
    void service.tools.expect('POST /refund', { body: 'Paid.' })
    service.model.answer({ text: 'Done.' })
    await decideOn(turn.conversationId, 'call_a', 'approve')
    expect(await endedTurn(service.running, turn)).toMatchObject({ status: 'completed', answer: 'Done.' })
    const later = await follow(service.running, turn, stream.received.at(-1)?.id)
    await later.ended
    expect(typesIn(later)).toEqual([
      'approval.approved',
      'response.function_invocation.done',
      'response.id',
      'response.completed',
    ])
  })

  test('has its own decision beside another one, and the model is asked when both are settled [ASK-7]', async () => {
    service.model.answer({ calls: [refund('call_a', 1), refund('call_b', 2)] })
    const stream = await askStreaming(service.running, await makeClerk(), { question: 'Money back!' })
    const turn = (await stream.waitFor('turn.started')).data
    const waiting = async () => (await turnOf(service.running, turn)).approvals.map(({ callId }) => callId)
    await expect.poll(waiting, patiently).toEqual(['call_a', 'call_b'])
    const called = service.tools.expect('POST /refund', { body: 'Paid 2.' })
    await decideOn(turn.conversationId, 'call_b', 'approve')
    expect(JSON.parse((await called).body)).toEqual({ amount: 2 })
    await stream.waitFor('response.function_invocation.done')
    expect(await turnOf(service.running, turn)).toMatchObject({
      status: 'waiting_for_approval',
      approvals: [{ callId: 'call_a', arguments: '{"amount":1}' }],
    })
    service.model.answer({ text: 'One of two.' })
    await decideOn(turn.conversationId, 'call_a', 'reject')
    await stream.ended
    expect(await turnOf(service.running, turn)).toMatchObject({
      answer: 'One of two.',
      toolInvocations: [
        { callId: 'call_a', status: 2 },
        { callId: 'call_b', status: 1, content: 'Paid 2.' },
      ],
    })
    expect(messagesSentTo(service.model).slice(-2)).toMatchObject([
      { tool_call_id: 'call_a', content: expect.stringContaining('rejected') },
      { tool_call_id: 'call_b', content: 'Paid 2.' },
    ])
  })

  test('is withdrawn when the turn is stopped, and never runs [ASK-5] [ASK-7]', async () => {
    const waiting = await askForRefund('call_a')
    const path = `/api/v1/Conversation/${waiting.conversationId}/turn/${waiting.turnId}`
    expect((await service.running.client.call('DELETE', path)).status).toBe(204)
    expect(await endedTurn(service.running, waiting)).toMatchObject({
      status: 'stopped',
      approvals: [],
      toolInvocations: [{ status: 2, content: expect.stringContaining('withdrawn') }],
    })
    expect(await approvalsOf(service.running.client, waiting.conversationId)).toMatchObject([
      { state: 'expired' },
    ])
    expect((await decideOn(waiting.conversationId, 'call_a', 'approve')).status).toBe(409)
    const stream = await follow(service.running, waiting)
    await stream.ended
    expect(typesIn(stream).slice(3)).toEqual([
      'approval.waiting',
      'approval.expired',
      'response.function_invocation.done',
      'response.id',
      'error',
    ])
    expect(service.tools.requests).toEqual([])
  })
})

describe('a conversation that is deleted while a turn waits', () => {
  test('loses the call: no tool runs and the model is not asked again [ASK-12]', async () => {
    const stream = await askStreamingForRefund()
    const { conversationId } = (await stream.waitFor('turn.started')).data
    const path = `/api/v1/Conversation/${conversationId}`
    expect((await service.running.client.call('DELETE', path)).status).toBe(204)
    await stream.ended
    expect(await approvalsOf(service.running.client, conversationId)).toMatchObject([
      { state: 'expired', arguments: '{}' },
    ])
    expect(service.tools.requests).toEqual([])
    expect(service.model.requests).toHaveLength(1)
  })
})

describe('a session that starts while a turn waits', () => {
  test('leaves the waiting call of a sub-agent to the turn [ASK-7]', async () => {
    const clerkId = await makeClerk()
    const agentId = await service.makeAgent({ subAgentIds: [clerkId] })
    service.model.answer({ calls: [{ id: 'outer', name: 'ask_clerk', arguments: { question: 'Pay?' } }] })
    const waiting = await askForRefund('call_a', agentId)
    const session = await service.speakTo(agentId, { conversationId: waiting.conversationId })
    session.client.send({ type: 'after.history' })
    await session.provider.inbox.takeType('after.history')
    expect(customTypes(session)).toEqual([])
    void service.tools.expect('POST /refund', { body: 'Paid.' })
    service.model.answer({ text: 'I paid.' }, { text: 'The clerk paid.' })
    await decideOn(waiting.conversationId, 'call_a', 'approve')
    expect(await endedTurn(service.running, waiting)).toMatchObject({
      answer: 'The clerk paid.',
      toolInvocations: [{ content: 'I paid.' }, { content: 'Paid.', status: 1 }],
    })
    expect(customTypes(session)).toEqual([])
    session.client.socket.close()
  })

  test('presents the call, the tool runs once, and session and turn both receive the outcome [ASK-7]', async () => {
    const agentId = await makeClerk()
    const waiting = await askForRefund('call_a', agentId)
    const { conversationId } = waiting
    const session = await service.speakTo(agentId, { conversationId })
    const past = [
      await session.provider.inbox.takeType('conversation.item.create'),
      await session.provider.inbox.takeType('conversation.item.create'),
    ]
    expect(past).toMatchObject([
      { item: { role: 'user', content: [{ type: 'input_text', text: 'Money back!' }] } },
      { item: callItem('call_a') },
    ])
    const { start } = await takeQuestion(session)
    expect(start.data.id).toBe(waiting.toolInvocations[0]?.id)
    const called = service.tools.expect('POST /refund', { body: 'Paid.' })
    service.model.answer({ text: 'It is paid.' })
    session.client.send({ type: 'approval.approve', callId: 'call_a' })
    await called
    expect(await takeOutput(session.provider)).toEqual({ callId: 'call_a', output: 'Paid.' })
    await session.client.inbox.takeType('response.function_invocation.done')
    expect(customTypes(session)).toEqual([
      'response.function_invocation.start',
      'approval.waiting',
      'approval.approved',
      'response.function_invocation.done',
    ])
    expect(await endedTurn(service.running, waiting)).toMatchObject({
      status: 'completed',
      answer: 'It is paid.',
      toolInvocations: [{ callId: 'call_a', content: 'Paid.', status: 1 }],
    })
    const done = customEventsIn(session.client).find(
      ({ type }) => type === 'response.function_invocation.done',
    )
    const [invocation] = (await turnOf(service.running, waiting)).toolInvocations
    expect(done?.data).toMatchObject({ executionTimeSeconds: invocation?.executionTimeSeconds })
    const stream = await follow(service.running, waiting)
    await stream.ended
    expect(typesIn(stream).slice(2)).toEqual([
      'response.function_invocation.start',
      'approval.waiting',
      'approval.approved',
      'response.function_invocation.done',
      'response.id',
      'response.completed',
    ])
    expect(service.tools.requests).toHaveLength(1)
    session.client.socket.close()
  })

  test('leaves the call to the turn if the session ends first [ASK-7]', async () => {
    const agentId = await makeClerk()
    const waiting = await askForRefund('call_a', agentId)
    const { conversationId } = waiting
    const session = await service.speakTo(agentId, { conversationId })
    await takeQuestion(session)
    session.client.socket.close()
    await endedSession(service.running.client, conversationId)
    void service.tools.expect('POST /refund', { body: 'Paid.' })
    service.model.answer({ text: 'It is paid.' })
    expect((await decideOn(conversationId, 'call_a', 'approve')).status).toBe(200)
    expect(await endedTurn(service.running, waiting)).toMatchObject({
      status: 'completed',
      answer: 'It is paid.',
      toolInvocations: [{ content: 'Paid.', status: 1 }],
    })
    expect(service.tools.requests).toHaveLength(1)
  })
})
