import { describe, expect, test } from 'vitest'
import { useRefundService } from '../../support/realtime/refund-service.js'
import { patiently, transcribed } from '../../support/realtime/spoken-turns.js'
import { type ToolSession, takeOutput } from '../../support/realtime/tool-calls.js'
import {
  callAndWait,
  callItem,
  customTypes,
  outputItem,
  pastItems,
  refundTool,
  takeQuestion,
} from '../../support/realtime/waiting-calls.js'
import { withPostgresClient } from '../../support/services/postgres-connection.js'
import { makeTestClock } from '../../support/test-clock.js'

const clock = makeTestClock()
const expiredText = 'The call was not approved in time. It was not run.'

const refunds = useRefundService(() => ({ clock }))

/** Returns a session whose client has left while its call waited. */
async function leaveWaitingCall(callId: string): Promise<ToolSession & { readonly messageId: string }> {
  const session = await refunds.open()
  session.provider.send(transcribed('U', 'Give it back'))
  await session.client.inbox.takeType('message.created')
  const { start } = await callAndWait(session, callId)
  await refunds.leave(session)
  expect(await refunds.approvalsOf(session.ticket.conversationId)).toMatchObject([{ state: 'waiting' }])
  return { ...session, messageId: start.data.id }
}

const saidItem = { type: 'message', role: 'user' }
describe('a call that waits when its client leaves', () => {
  test('is presented again in the next session, which runs it and posts its output [APR-3]', async () => {
    const left = await leaveWaitingCall('call_1')
    clock.advance(100_000)
    const next = await refunds.openNext(left)
    expect(await pastItems(next, 2)).toMatchObject([saidItem, callItem('call_1')])
    const { start, waiting } = await takeQuestion(next)
    const { messageId } = left
    expect(start.data).toMatchObject({ id: messageId, callId: 'call_1', approvalRequired: true })
    expect(waiting).toEqual({
      type: 'approval.waiting',
      data: { callId: 'call_1', messageId, timeoutSeconds: 200 },
    })
    const called = refunds.tools.expect('POST /refund', { body: 'Paid.' })
    next.client.send({ type: 'approval.approve', callId: 'call_1' })
    expect((await called).headers['idempotency-key']).toBe(messageId)
    expect(await takeOutput(next.provider)).toEqual({ callId: 'call_1', output: 'Paid.' })
    await next.provider.inbox.takeType('response.create')
    await next.client.inbox.takeType('response.function_invocation.done')
    expect(customTypes(next)).toEqual([
      'response.function_invocation.start',
      'approval.waiting',
      'approval.approved',
      'response.function_invocation.done',
    ])
    expect(await refunds.callMessages(left.ticket.conversationId)).toMatchObject([
      { id: messageId, status: 1, content: 'Paid.' },
    ])
    await refunds.leave(next)
    const last = await refunds.openNext(left)
    expect(await pastItems(last, 3)).toMatchObject([
      saidItem,
      callItem('call_1'),
      outputItem('call_1', 'Paid.'),
    ])
    await refunds.leave(last)
  })

  test('runs with the stored arguments [APR-1] [APR-3]', async () => {
    const left = await leaveWaitingCall('call_2')
    const { conversationId } = left.ticket
    await withPostgresClient(refunds.running.databaseUrl ?? '', (client) =>
      client.query(`update approval set arguments = '{"amount":7}' where conversation_id = $1`, [
        conversationId,
      ]),
    )
    const called = refunds.tools.expect('POST /refund', { body: 'Paid.' })
    await refunds.decide(conversationId, 'call_2', 'approve')
    expect(JSON.parse((await called).body)).toEqual({ amount: 7 })
  })

  test('can be left again, and each session rejects a client output for it [APR-3]', async () => {
    const left = await leaveWaitingCall('call_3')
    const second = await refunds.openNext(left)
    await takeQuestion(second)
    second.client.send({ type: 'conversation.item.create', item: outputItem('call_3', 'I say so.') })
    expect(await second.client.inbox.takeType('error')).toMatchObject({
      error: { code: 'backend_tool_output_not_allowed' },
    })
    await refunds.leave(second)
    const third = await refunds.openNext(left)
    expect(await pastItems(third, 2)).toMatchObject([saidItem, callItem('call_3')])
    await takeQuestion(third)
    third.client.send({ type: 'approval.reject', callId: 'call_3', reason: 'Enough.' })
    expect((await takeOutput(third.provider)).output).toContain('Enough.')
    await third.provider.inbox.takeType('response.create')
    await refunds.leave(third)
  })
})

describe('a call that is decided while no client is connected', () => {
  test('runs when it is approved, and the next session replays the call and its output [APR-3]', async () => {
    const left = await leaveWaitingCall('call_5')
    const { conversationId } = left.ticket
    const called = refunds.tools.expect('POST /refund', { body: 'Paid.' })
    expect((await refunds.decide(conversationId, 'call_5', 'approve')).status).toBe(200)
    expect((await called).headers['idempotency-key']).toBe(left.messageId)
    await expect
      .poll(() => refunds.callMessages(conversationId), patiently)
      .toMatchObject([{ id: left.messageId, status: 1, content: 'Paid.' }])
    const next = await refunds.openNext(left)
    expect(await pastItems(next, 3)).toMatchObject([
      saidItem,
      callItem('call_5'),
      outputItem('call_5', 'Paid.'),
    ])
    await refunds.leave(next)
    expect(customTypes(next)).toEqual([])
  })

  test('is closed when it is rejected [APR-3]', async () => {
    const left = await leaveWaitingCall('call_6')
    const { conversationId } = left.ticket
    await refunds.decide(conversationId, 'call_6', 'reject', 'Gone.')
    const output = 'This call was rejected. It was not run. Reason: Gone.'
    await expect
      .poll(() => refunds.callMessages(conversationId), patiently)
      .toMatchObject([{ status: 2, content: output }])
    const next = await refunds.openNext(left)
    expect(await pastItems(next, 3)).toMatchObject([
      saidItem,
      callItem('call_6'),
      outputItem('call_6', output),
    ])
    await refunds.leave(next)
  })

  test('is closed when its deadline passes [APR-3]', async () => {
    const left = await leaveWaitingCall('call_7')
    const { conversationId } = left.ticket
    clock.advance(300_000)
    await expect
      .poll(() => refunds.callMessages(conversationId), patiently)
      .toMatchObject([{ status: 2, content: expiredText }])
    expect(await refunds.approvalsOf(conversationId)).toMatchObject([{ state: 'expired' }])
    expect((await refunds.decide(conversationId, 'call_7', 'approve')).status).toBe(409)
    const next = await refunds.openNext(left)
    expect(await pastItems(next, 3)).toMatchObject([
      saidItem,
      callItem('call_7'),
      outputItem('call_7', expiredText),
    ])
    await refunds.leave(next)
  })

  test('does not run if the agent has lost the tool or its URL has changed [APR-3]', async () => {
    const left = await leaveWaitingCall('call_8')
    const moved = refundTool({ url: 'https://elsewhere.example.com' })
    await refunds.running.client.call('PATCH', `/api/v1/Agent/${left.agentId}`, { body: { tools: [moved] } })
    await refunds.decide(left.ticket.conversationId, 'call_8', 'approve')
    await expect
      .poll(() => refunds.callMessages(left.ticket.conversationId), patiently)
      .toMatchObject([{ status: 2, content: expect.stringContaining('changed or removed') }])
  })
})

test('a call that runs when its client leaves finishes, and the next session receives its output [TOOL-12]', async () => {
  const session = await refunds.open()
  await callAndWait(session, 'call_9')
  let finish: () => void = () => undefined
  const called = refunds.tools.expect('POST /refund', (response) => {
    finish = () => void response.end('Paid.')
  })
  session.client.send({ type: 'approval.approve', callId: 'call_9' })
  await called
  await refunds.leave(session)
  const next = await refunds.openNext(session)
  expect(await pastItems(next, 1)).toMatchObject([callItem('call_9')])
  finish()
  expect(await takeOutput(next.provider)).toEqual({ callId: 'call_9', output: 'Paid.' })
  await next.provider.inbox.takeType('response.create')
  await next.client.inbox.takeType('response.function_invocation.done')
  // An approved call is not presented for approval again.
  expect(customTypes(next)).toEqual([
    'response.function_invocation.start',
    'approval.approved',
    'response.function_invocation.done',
  ])
  expect(await refunds.callMessages(session.ticket.conversationId)).toMatchObject([
    { status: 1, content: 'Paid.' },
  ])
  await refunds.leave(next)
})
