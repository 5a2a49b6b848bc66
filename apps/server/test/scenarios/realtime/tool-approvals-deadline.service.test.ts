import { describe, expect, test } from 'vitest'
import { passTime } from '../../support/realtime/pass-time.js'
import type { OpenSession } from '../../support/realtime/realtime-service.js'
import { useRefundService } from '../../support/realtime/refund-service.js'
import { expectEnd } from '../../support/realtime/session-ends.js'
import { endedSession, patiently } from '../../support/realtime/spoken-turns.js'
import { openSessionOf, takeOutput } from '../../support/realtime/tool-calls.js'
import { callAndWait, customTypes, takeQuestion } from '../../support/realtime/waiting-calls.js'
import { makeTestClock } from '../../support/test-clock.js'
import { makeTestTimers } from '../../support/test-timers.js'

const clock = makeTestClock()
const timers = makeTestTimers()
const approvalTimeoutSeconds = 200
const maxSessionSeconds = 280
const expiredText = 'The call was not approved in time. It was not run.'

const refunds = useRefundService(() => ({
  clock,
  timers,
  env: {
    PARLEY_REALTIME_APPROVAL_TIMEOUT_SECONDS: String(approvalTimeoutSeconds),
    PARLEY_REALTIME_MAX_SESSION_SECONDS: String(maxSessionSeconds),
  },
}))

const pass = (seconds: number, session: OpenSession) => passTime({ clock, timers }, seconds, session)

describe('a call without a decision', () => {
  test('expires at its deadline, and the model receives an output [3.2-4]', async () => {
    const session = await refunds.open()
    const { ticket, client, provider } = session
    const { conversationId } = ticket
    const { start, waiting } = await callAndWait(session, 'call_1')
    expect(waiting.data.timeoutSeconds).toBe(approvalTimeoutSeconds)
    await pass(approvalTimeoutSeconds - 1, session)
    expect(await refunds.approvalsOf(conversationId)).toMatchObject([{ state: 'waiting' }])
    await pass(2, session)
    expect(await takeOutput(provider)).toEqual({ callId: 'call_1', output: expiredText })
    await provider.inbox.takeType('response.create')
    const data = { callId: 'call_1', messageId: start.data.id }
    expect(await client.inbox.takeType('approval.expired')).toEqual({ type: 'approval.expired', data })
    expect(await client.inbox.takeType('response.function_invocation.done')).toMatchObject({
      data: { id: start.data.id, callId: 'call_1', status: 2, text: expiredText, executionTimeSeconds: 0 },
    })
    expect(await refunds.approvalsOf(conversationId)).toMatchObject([{ state: 'expired', decidedBy: null }])
    expect(await refunds.callMessages(conversationId)).toMatchObject([{ status: 2, content: expiredText }])
    client.send({ type: 'approval.approve', callId: 'call_1' })
    expect(await client.inbox.takeType('error')).toMatchObject({ error: { code: 'approval_not_pending' } })
    expect(await refunds.decide(conversationId, 'call_1', 'approve')).toMatchObject({
      status: 409,
      body: { errorCode: 'Conflict', detail: expect.stringContaining('expired') },
    })
    client.socket.close()
  })

  test('cannot be approved at the deadline, even before the timer fires [APR-1]', async () => {
    const session = await refunds.open()
    const { ticket, client, provider } = session
    await callAndWait(session, 'call_2')
    // Only the clock advances, so the timer has not fired yet.
    clock.advance(approvalTimeoutSeconds * 1000)
    client.send({ type: 'approval.approve', callId: 'call_2' })
    expect(await client.inbox.takeType('error')).toMatchObject({ error: { code: 'approval_not_pending' } })
    expect((await refunds.decide(ticket.conversationId, 'call_2', 'approve')).status).toBe(409)
    expect(await takeOutput(provider)).toEqual({ callId: 'call_2', output: expiredText })
    client.socket.close()
  })

  test('runs if it is approved one millisecond before the deadline [APR-1]', async () => {
    const session = await refunds.open()
    const { client, provider } = session
    await callAndWait(session, 'call_3')
    const called = refunds.tools.expect('POST /refund', { body: 'Paid.' })
    clock.advance(approvalTimeoutSeconds * 1000 - 1)
    client.send({ type: 'approval.approve', callId: 'call_3' })
    await called
    expect(await takeOutput(provider)).toEqual({ callId: 'call_3', output: 'Paid.' })
    client.socket.close()
  })
})

describe('waiting for an approval', () => {
  test('pauses the idle timeout, which starts again afterwards [RT-15]', async () => {
    const session = await refunds.open()
    await callAndWait(session, 'call_4')
    await pass(approvalTimeoutSeconds - 1, session)
    expect(customTypes(session)).toEqual(['response.function_invocation.start', 'approval.waiting'])
    session.client.send({ type: 'approval.reject', callId: 'call_4' })
    await takeOutput(session.provider)
    await session.provider.inbox.takeType('response.create')
    session.provider.send({ type: 'response.created', response: { id: 'resp_2' } })
    session.provider.send({ type: 'response.done', response: { id: 'resp_2', status: 'completed' } })
    await session.client.inbox.takeType('response.created')
    await session.client.inbox.takeType('response.done')
    await pass(61, session)
    await expectEnd(refunds.running, session, 'idle_timeout', /was idle/)
  })

  test('does not extend the session, and the call waits for the next session [APR-3]', async () => {
    const session = await refunds.open()
    const { ticket, agentId } = session
    // A running response keeps the session from becoming idle before the call is made.
    session.provider.send({ type: 'response.created', response: { id: 'long' } })
    await session.client.inbox.takeType('response.created')
    await pass(maxSessionSeconds - 100, session)
    await callAndWait(session, 'call_5')
    await pass(101, session)
    await expectEnd(refunds.running, session, 'max_duration', /maximum duration/)
    await endedSession(refunds.running.client, ticket.conversationId)
    expect(await refunds.approvalsOf(ticket.conversationId)).toMatchObject([{ state: 'waiting' }])

    const next = await openSessionOf(refunds.running, agentId, { conversationId: ticket.conversationId })
    const { waiting } = await takeQuestion(next)
    expect(waiting.data).toMatchObject({ callId: 'call_5', timeoutSeconds: approvalTimeoutSeconds - 101 })
    await pass(approvalTimeoutSeconds - 100, next)
    await next.client.inbox.takeType('approval.expired')
    await expect
      .poll(() => customTypes(next), patiently)
      .toEqual([
        'response.function_invocation.start',
        'approval.waiting',
        'approval.expired',
        'response.function_invocation.done',
      ])
    next.client.socket.close()
  })
})
