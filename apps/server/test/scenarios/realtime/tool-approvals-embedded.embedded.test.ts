import { expect, test } from 'vitest'
import { useRefundService } from '../../support/realtime/refund-service.js'
import { endedSession, patiently } from '../../support/realtime/spoken-turns.js'
import { openSessionOf, takeOutput } from '../../support/realtime/tool-calls.js'
import { callAndWait, customTypes, takeQuestion } from '../../support/realtime/waiting-calls.js'
import { makeTestClock } from '../../support/test-clock.js'
import { makeTestTimers } from '../../support/test-timers.js'

const clock = makeTestClock()
const timers = makeTestTimers()
const approvalTimeoutSeconds = 30

const refunds = useRefundService(() => ({
  ...{ database: 'embedded', clock, timers },
  env: { PARLEY_REALTIME_APPROVAL_TIMEOUT_SECONDS: String(approvalTimeoutSeconds) },
}))

// This database polls rows rarely, so decisions and deadlines must wake the waiting session directly.
test('the embedded database reports a decision over HTTP immediately [APR-2]', async () => {
  const session = await refunds.open()
  await callAndWait(session, 'call_1')
  const called = refunds.tools.expect('POST /refund', { body: 'Paid.' })
  await refunds.decide(session.ticket.conversationId, 'call_1', 'approve')
  await called
  expect(await takeOutput(session.provider)).toEqual({ callId: 'call_1', output: 'Paid.' })
  session.client.socket.close()
})

test('the embedded database lets a call expire at its deadline [3.2-4]', async () => {
  const session = await refunds.open()
  await callAndWait(session, 'call_2')
  clock.advance(approvalTimeoutSeconds * 1000 + 10)
  timers.advance(approvalTimeoutSeconds * 1000 + 10)
  expect((await takeOutput(session.provider)).output).toContain('in time')
  await session.client.inbox.takeType('response.function_invocation.done')
  expect(customTypes(session)).toContain('approval.expired')
  expect(await refunds.approvalsOf(session.ticket.conversationId)).toMatchObject([{ state: 'expired' }])
  session.client.socket.close()
})

test('the embedded database keeps a call after its client has left [APR-3]', async () => {
  const session = await refunds.open()
  const { conversationId } = session.ticket
  await callAndWait(session, 'call_3')
  session.client.socket.close()
  await endedSession(refunds.running.client, conversationId)
  const next = await openSessionOf(refunds.running, session.agentId, { conversationId })
  await takeQuestion(next)
  const called = refunds.tools.expect('POST /refund', { body: 'Paid.' })
  next.client.send({ type: 'approval.approve', callId: 'call_3' })
  await called
  await expect
    .poll(() => refunds.callMessages(conversationId), patiently)
    .toMatchObject([{ status: 1, content: 'Paid.' }])
  next.client.socket.close()
})
