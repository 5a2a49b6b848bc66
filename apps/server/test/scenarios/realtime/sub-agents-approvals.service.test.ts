import { describe, expect, test } from 'vitest'
import { useRefundService } from '../../support/realtime/refund-service.js'
import { customEventsIn, endedSession, patiently } from '../../support/realtime/spoken-turns.js'
import { makeTextAgent } from '../../support/realtime/text-agents.js'
import { openSessionOf, openToolSession, playCalls, takeOutput } from '../../support/realtime/tool-calls.js'
import { customTypes, refundTool, takeQuestion } from '../../support/realtime/waiting-calls.js'

const withdrawn = 'The call was withdrawn before a decision. It was not run.'

const refunds = useRefundService()

/** Opens a session whose agent can ask a clerk, who can issue a refund after an approval. */
async function openWithClerk(name = 'Clerk') {
  const clerkId = await makeTextAgent(refunds.running, refunds.chat, {
    name,
    tools: [refundTool(refunds.tools)],
  })
  return { ...(await openToolSession(refunds.running, { subAgentIds: [clerkId] })), clerkId }
}

const askClerk = (callId: string) => ({ callId, name: 'ask_clerk', arguments: '{"question":"Refund?"}' })
const refundStep = (id: string, amount = 5) => ({ calls: [{ id, name: 'refund', arguments: { amount } }] })

/** Lets the clerk's model call the refund tool and takes the approval request. */
async function takeInnerRequest(session: Awaited<ReturnType<typeof openWithClerk>>, innerId: string) {
  refunds.chat.answer(refundStep(innerId))
  playCalls(session.provider, 'resp_1', [askClerk('call_1')])
  return takeQuestion(session)
}

describe("a sub-agent's call that needs approval", () => {
  test('is presented to the same client and runs after its approval [SUB-1]', async () => {
    const session = await openWithClerk()
    const { client, provider, ticket, clerkId } = session
    const { start, waiting } = await takeInnerRequest(session, 'inner_1')
    expect(start.data).toMatchObject({ callId: 'inner_1', chatbotId: clerkId, approvalRequired: true })
    expect(waiting.data).toEqual({ callId: 'inner_1', messageId: start.data.id, timeoutSeconds: 300 })
    expect(await refunds.approvalsOf(ticket.conversationId)).toMatchObject([
      { state: 'waiting', agentId: clerkId, tool: 'refund' },
    ])
    expect(refunds.tools.requests).toEqual([])
    const called = refunds.tools.expect('POST /refund', { body: 'Paid.' })
    refunds.chat.answer({ text: 'It is on its way.' })
    client.send({ type: 'approval.approve', callId: 'inner_1' })
    await called
    expect(await takeOutput(provider)).toEqual({ callId: 'call_1', output: 'It is on its way.' })
    await client.inbox.takeType('subagent.done')
    expect(customTypes(session)).toEqual([
      'subagent.start',
      'response.function_invocation.start',
      'approval.waiting',
      'approval.approved',
      'response.function_invocation.done',
      'subagent.done',
    ])
    client.socket.close()
  })

  test('returns the rejection to its model, and the turn continues [APR-6]', async () => {
    const session = await openWithClerk()
    await takeInnerRequest(session, 'inner_2')
    refunds.chat.answer({ text: 'I may not.' })
    await refunds.decide(session.ticket.conversationId, 'inner_2', 'reject', 'Too much.')
    expect(await takeOutput(session.provider)).toEqual({ callId: 'call_1', output: 'I may not.' })
    const sentText = JSON.stringify(refunds.chat.requests.at(-1)?.body.messages)
    expect(sentText).toContain('Too much.')
    await session.client.inbox.takeType('subagent.done')
    expect(await refunds.callMessages(session.ticket.conversationId)).toMatchObject([
      { role: 'subagent', status: 1 },
      { role: 'tool', status: 2 },
    ])
    session.client.socket.close()
  })

  test('is a separate call even if the model uses the same id twice [APR-1]', async () => {
    const session = await openWithClerk()
    const { client, provider } = session
    refunds.chat.answer(refundStep('call_0', 1), refundStep('call_0', 1))
    playCalls(provider, 'resp_1', [askClerk('call_1'), askClerk('call_2')])
    const [one, other] = [await takeQuestion(session), await takeQuestion(session)]
    expect(one.start.data.id).not.toBe(other.start.data.id)
    const called = [
      refunds.tools.expect('POST /refund', { body: 'Paid.' }),
      refunds.tools.expect('POST /refund', { body: 'Paid.' }),
    ]
    refunds.chat.answer({ text: 'Done.' }, { text: 'Done.' })
    client.send({ type: 'approval.approve', callId: 'call_0' })
    await client.inbox.takeType('approval.approved')
    client.send({ type: 'approval.approve', callId: 'call_0' })
    await client.inbox.takeType('approval.approved')
    await Promise.all(called)
    const outputs = [await takeOutput(provider), await takeOutput(provider)]
    expect(outputs.map(({ output }) => output)).toEqual(['Done.', 'Done.'])
    expect(outputs.map(({ callId }) => callId).sort()).toEqual(['call_1', 'call_2'])
    client.socket.close()
  })

  test('stays with its running session if another session starts [APR-3]', async () => {
    const session = await openWithClerk()
    await takeInnerRequest(session, 'inner_5')
    const next = await refunds.openNext(session)
    const called = refunds.tools.expect('POST /refund', { body: 'Paid.' })
    refunds.chat.answer({ text: 'It is on its way.' })
    session.client.send({ type: 'approval.approve', callId: 'inner_5' })
    await called
    expect(await takeOutput(session.provider)).toEqual({ callId: 'call_1', output: 'It is on its way.' })
    await session.client.inbox.takeType('subagent.done')
    await refunds.leave(next)
    expect(customTypes(next)).toEqual([])
    session.client.socket.close()
  })

  test('is withdrawn when the client leaves, and the turn continues without it', async () => {
    const session = await openWithClerk()
    const { conversationId } = session.ticket
    await takeInnerRequest(session, 'inner_3')
    // The model asks again, and no client is connected.
    refunds.chat.answer(refundStep('inner_4'), { text: 'Nobody lets me.' })
    session.client.socket.close()
    await expect
      .poll(() => refunds.callMessages(conversationId), patiently)
      .toMatchObject([
        { role: 'subagent', status: 1, content: 'Nobody lets me.' },
        { role: 'tool', status: 2, content: withdrawn },
        { role: 'tool', status: 2, content: withdrawn },
      ])
    expect(await refunds.approvalsOf(conversationId)).toMatchObject([
      { callId: 'inner_4', state: 'expired' },
      { callId: 'inner_3', state: 'expired' },
    ])
    expect((await refunds.decide(conversationId, 'inner_3', 'approve')).status).toBe(409)
    await endedSession(refunds.running.client, conversationId)
    const next = await openSessionOf(refunds.running, session.agentId, { conversationId })
    const items = [
      (await next.provider.inbox.takeType('conversation.item.create')).item,
      (await next.provider.inbox.takeType('conversation.item.create')).item,
    ]
    expect(items).toMatchObject([
      { type: 'function_call', call_id: 'call_1', name: 'ask_clerk' },
      { type: 'function_call_output', call_id: 'call_1', output: 'Nobody lets me.' },
    ])
    expect(customEventsIn(next.client)).toEqual([])
    next.client.socket.close()
  })
})
