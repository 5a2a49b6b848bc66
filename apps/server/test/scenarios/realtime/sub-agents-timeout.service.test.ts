import { describe, expect, test } from 'vitest'
import { holdAnswer } from '../../support/realtime/held-answer.js'
import { passTime } from '../../support/realtime/pass-time.js'
import type { OpenSession } from '../../support/realtime/realtime-service.js'
import { useRefundService } from '../../support/realtime/refund-service.js'
import { makeTextAgent } from '../../support/realtime/text-agents.js'
import { openToolSession, playCalls, takeOutput } from '../../support/realtime/tool-calls.js'
import { customTypes, refundTool, takeQuestion } from '../../support/realtime/waiting-calls.js'
import { makeTestClock } from '../../support/test-clock.js'
import { makeTestTimers } from '../../support/test-timers.js'

const clock = makeTestClock()
const timers = makeTestTimers()
const tooLate = 'The agent did not finish within 300 seconds.'

// Longer than the sub-agent's own timeout would be if its clock kept running.
const env = { PARLEY_REALTIME_APPROVAL_TIMEOUT_SECONDS: '900' }
const refunds = useRefundService(() => ({ clock, timers, env }))

const pass = (seconds: number, session: OpenSession) => passTime({ clock, timers }, seconds, session)

/** Creates an agent that can look something up without approval and issue a refund with approval. */
function makeClerk(): Promise<string> {
  const look = { name: 'look', approvalRequired: false, timeoutSeconds: 600 }
  const request = { method: 'POST', url: `${refunds.tools.url}/look` }
  const tools = [refundTool(refunds.tools, { timeoutSeconds: 600 })]
  return makeTextAgent(refunds.running, refunds.chat, {
    name: 'Clerk',
    tools: [...tools, refundTool(refunds.tools, { ...look, request })],
  })
}

async function openAndAsk() {
  const session = await openToolSession(refunds.running, { subAgentIds: [await makeClerk()] })
  playCalls(session.provider, 'resp_1', [
    { callId: 'call_1', name: 'ask_clerk', arguments: '{"question":"Refund?"}' },
  ])
  return session
}

test('a sub-agent whose model does not answer times out, and its request is closed [SUB-2]', async () => {
  refunds.chat.answer('silence')
  const session = await openAndAsk()
  const request = await refunds.chat.nextRequest()
  await session.client.inbox.takeType('subagent.start')
  await pass(119, session)
  expect(customTypes(session)).toEqual(['subagent.start'])
  await pass(1, session)
  const content =
    'The agent Clerk could not answer: The provider did not complete its answer within 120 seconds.'
  expect(await takeOutput(session.provider)).toEqual({ callId: 'call_1', output: content })
  await request.closed
  await session.client.inbox.takeType('subagent.done')
  expect(await refunds.callMessages(session.ticket.conversationId)).toMatchObject([
    { role: 'subagent', status: 2, content },
  ])
  session.client.socket.close()
})

describe('the clock of a sub-agent', () => {
  const innerCall = { calls: [{ id: 'inner', name: 'refund', arguments: { amount: 5 } }] }

  /** Uses up 100 seconds of the sub-agent's time before its call waits for approval. */
  async function waitAfterAWhile() {
    const slow = holdAnswer(refunds.tools, 'POST /look')
    refunds.chat.answer({ calls: [{ id: 'look', name: 'look', arguments: { amount: 1 } }] }, innerCall)
    const session = await openAndAsk()
    await slow.called
    await pass(100, session)
    await slow.give('Found.')
    // The sub-agent continues while the outcome of its lookup is stored, so the approval request may come
    // first.
    const waiting = await session.client.inbox.takeType('approval.waiting')
    expect(waiting.data).toMatchObject({ callId: 'inner', timeoutSeconds: 900 })
    return session
  }

  test('stops while a call waits for approval, so the person has all the announced time [SUB-2]', async () => {
    const session = await waitAfterAWhile()
    await pass(890, session)
    const called = refunds.tools.expect('POST /refund', { body: 'Paid.' })
    refunds.chat.answer({ text: 'It is on its way.' })
    session.client.send({ type: 'approval.approve', callId: 'inner' })
    await called
    expect(await takeOutput(session.provider)).toEqual({ callId: 'call_1', output: 'It is on its way.' })
    session.client.socket.close()
  })

  test('stops until the approval expires, and then the agent continues [SUB-2]', async () => {
    const session = await waitAfterAWhile()
    refunds.chat.answer({ text: 'Nobody lets me.' })
    await pass(901, session)
    expect(await takeOutput(session.provider)).toEqual({ callId: 'call_1', output: 'Nobody lets me.' })
    expect(customTypes(session)).toContain('approval.expired')
    expect(await refunds.approvalsOf(session.ticket.conversationId)).toMatchObject([{ state: 'expired' }])
    session.client.socket.close()
  })

  test.each([
    ['approved', 'approve', 'approval.approved'],
    ['rejected', 'reject', 'response.function_invocation.done'],
  ])('resumes with the remaining time when the call is %s [SUB-2]', async (_, decision, event) => {
    const session = await waitAfterAWhile()
    const { client, provider, ticket } = session
    await pass(500, session)
    const held = holdAnswer(refunds.tools, decision === 'approve' ? 'POST /refund' : 'POST /look')
    if (decision === 'reject')
      refunds.chat.answer({ calls: [{ id: 'again', name: 'look', arguments: { amount: 1 } }] })
    client.send({ type: `approval.${decision}`, callId: 'inner' })
    await client.inbox.takeType(event)
    await held.called
    await pass(199, session)
    expect(customTypes(session)).not.toContain('subagent.done')
    await pass(1, session)
    // The sub-agent had called its lookup by then, which may have had an effect.
    const { output: toolOutput } = await takeOutput(provider)
    expect(toolOutput).toMatch(new RegExp(`^${tooLate} .*outcome is unknown`))
    await client.inbox.takeType('subagent.done')
    expect((await refunds.callMessages(ticket.conversationId))[0]).toMatchObject({
      ...{ role: 'subagent', status: 2, content: toolOutput },
    })
    client.socket.close()
  })

  test('stops for the parent agent as well [SUB-2]', async () => {
    const below = await makeClerk()
    const above = await makeTextAgent(refunds.running, refunds.chat, { name: 'Boss', subAgentIds: [below] })
    const session = await openToolSession(refunds.running, { subAgentIds: [above] })
    const question = { question: 'Refund?' }
    refunds.chat.answer({ calls: [{ id: 'middle', name: 'ask_clerk', arguments: question }] }, innerCall)
    playCalls(session.provider, 'resp_1', [
      { callId: 'call_1', name: 'ask_boss', arguments: JSON.stringify(question) },
    ])
    await takeQuestion(session)
    await pass(890, session)
    refunds.chat.answer({ text: 'I may not.' }, { text: 'The clerk may not.' })
    session.client.send({ type: 'approval.reject', callId: 'inner' })
    expect(await takeOutput(session.provider)).toEqual({ callId: 'call_1', output: 'The clerk may not.' })
    session.client.socket.close()
  })
})
