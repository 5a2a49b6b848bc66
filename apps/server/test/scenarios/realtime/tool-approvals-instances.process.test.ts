import { beforeAll, describe, expect, test } from 'vitest'
import { type ApiClient, makeApiClient } from '../../support/api-client.js'
import { endedSession, patiently } from '../../support/realtime/spoken-turns.js'
import { makeToolAgent, openSessionOf, takeOutput } from '../../support/realtime/tool-calls.js'
import { useTwoInstances } from '../../support/realtime/two-instances.js'
import {
  approvalsOf,
  callAndWait,
  customTypes,
  decide,
  refundTool,
  takeQuestion,
} from '../../support/realtime/waiting-calls.js'

const instances = useTwoInstances()
const { refunds } = instances
let elsewhere: ApiClient

beforeAll(() => {
  elsewhere = makeApiClient(instances.other.url, refunds.running)
})

describe('a decision on another instance', () => {
  test('reaches the session, and the call runs once [APR-2]', async () => {
    const session = await refunds.open()
    const { ticket, client, provider } = session
    await callAndWait(session, 'call_1')
    const called = refunds.tools.expect('POST /refund', { body: 'Paid.' })
    expect((await decide(elsewhere, ticket.conversationId, 'call_1', 'approve')).status).toBe(200)
    await called
    expect(await takeOutput(provider)).toEqual({ callId: 'call_1', output: 'Paid.' })
    await client.inbox.takeType('response.function_invocation.done')
    expect(customTypes(session)).toEqual([
      'response.function_invocation.start',
      'approval.waiting',
      'approval.approved',
      'response.function_invocation.done',
    ])
    expect(await approvalsOf(elsewhere, ticket.conversationId)).toMatchObject([
      { state: 'approved', decidedBy: { type: 'api_key' } },
    ])
    client.socket.close()
  })

  test('reaches the session with its reason if it is a rejection [APR-2]', async () => {
    const session = await refunds.open()
    await callAndWait(session, 'call_2')
    await decide(elsewhere, session.ticket.conversationId, 'call_2', 'reject', 'Not today.')
    expect((await takeOutput(session.provider)).output).toContain('Not today.')
    session.client.socket.close()
  })

  test('counts once among decisions on both instances [APR-1]', async () => {
    const session = await refunds.open()
    const { conversationId } = session.ticket
    await callAndWait(session, 'call_3')
    const called = refunds.tools.expect('POST /refund', { body: 'Paid.' })
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        decide(index % 2 ? refunds.running.client : elsewhere, conversationId, 'call_3', 'approve'),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
    await called
    expect(await takeOutput(session.provider)).toMatchObject({ output: 'Paid.' })
    session.client.socket.close()
  })
})

describe('a call whose client has left', () => {
  test('continues in a session on another instance [APR-3]', async () => {
    const session = await refunds.open()
    const { conversationId } = session.ticket
    await callAndWait(session, 'call_4')
    session.client.socket.close()
    await endedSession(refunds.running.client, conversationId)
    const { client, provider } = await instances.openOn(instances.other, session.agentId, conversationId)
    await takeQuestion({ client })
    const called = refunds.tools.expect('POST /refund', { body: 'Paid.' })
    client.send({ type: 'approval.approve', callId: 'call_4' })
    await called
    await provider.inbox.takeType('conversation.item.create')
    expect(await takeOutput(provider)).toEqual({ callId: 'call_4', output: 'Paid.' })
    client.socket.close()
  })

  test('waits for a session on another instance if its own shuts down [APR-4]', async () => {
    const third = await instances.start({ PARLEY_DRAIN_SECONDS: '0' })
    const agentId = await makeToolAgent(refunds.running, { tools: [refundTool(refunds.tools)] })
    const session = await instances.openOn(third, agentId)
    const { client, ticket } = session
    const { start } = await callAndWait(session, 'call_6')
    await third.close()
    expect(await client.inbox.closed).toMatchObject({ code: 1012 })
    const next = await openSessionOf(refunds.running, agentId, { conversationId: ticket.conversationId })
    const { waiting } = await takeQuestion(next)
    expect(waiting.data).toMatchObject({ callId: 'call_6', messageId: start.data.id })
    next.client.send({ type: 'approval.reject', callId: 'call_6' })
    await next.provider.inbox.takeType('conversation.item.create')
    expect((await takeOutput(next.provider)).output).toContain('This call was rejected.')
    next.client.socket.close()
  })

  test('runs once although every instance looks for abandoned calls [APR-1]', async () => {
    const left: string[] = []
    for (let count = 0; count < 5; count += 1) {
      const session = await refunds.open()
      await callAndWait(session, 'call_5')
      session.client.socket.close()
      left.push(session.ticket.conversationId)
      await endedSession(refunds.running.client, session.ticket.conversationId)
    }
    const called = left.map(() => refunds.tools.expect('POST /refund', { body: 'Paid.' }))
    await Promise.all(
      left.map((conversationId, index) =>
        decide(index % 2 ? refunds.running.client : elsewhere, conversationId, 'call_5', 'approve'),
      ),
    )
    const keys = (await Promise.all(called)).map(({ headers }) => headers['idempotency-key'])
    expect(new Set(keys).size).toBe(left.length)
    for (const conversationId of left)
      await expect
        .poll(() => refunds.callMessages(conversationId), patiently)
        .toMatchObject([{ status: 1, content: 'Paid.' }])
    expect(refunds.tools.requests).toHaveLength(left.length)
  })
})
