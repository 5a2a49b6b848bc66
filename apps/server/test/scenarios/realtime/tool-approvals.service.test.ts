import { describe, expect, test } from 'vitest'
import { readRecords } from '../../support/audit/audit-fixture.js'
import { addApiKey, addOrganization } from '../../support/organizations.js'
import { useRefundService } from '../../support/realtime/refund-service.js'
import { customEventsIn, sessionsOf } from '../../support/realtime/spoken-turns.js'
import { openToolSession, playCalls, takeOutput } from '../../support/realtime/tool-calls.js'
import {
  approvalsOf,
  callAndWait,
  customTypes,
  decide,
  refundCall,
  refundTool,
} from '../../support/realtime/waiting-calls.js'

const refunds = useRefundService()

describe('a call that needs approval', () => {
  test.each([
    ['callId', 'call_a'],
    ['call_id', 'call_b'],
  ])(
    'is announced, waits, and runs after its approval with %s [3.2-1] [3.2-2] [6.3-3] [APR-2]',
    async (spelling, callId) => {
      const session = await refunds.open()
      const { ticket, client, provider, agentId } = session
      const { conversationId } = ticket
      const { start, waiting } = await callAndWait(session, callId)
      const messageId = start.data.id
      expect(start).toEqual({
        type: 'response.function_invocation.start',
        data: {
          id: messageId,
          callId,
          title: 'Refund',
          imageUrl: null,
          chatbotId: agentId,
          arguments: '{"amount":5}',
          approvalRequired: true,
          functionName: 'refund',
        },
      })
      expect(waiting).toEqual({ type: 'approval.waiting', data: { callId, messageId, timeoutSeconds: 300 } })
      expect(await refunds.callMessages(conversationId)).toMatchObject([{ id: messageId, status: 3 }])
      const [row] = await refunds.approvalsOf(conversationId)
      expect(row).toMatchObject({
        ...{ state: 'waiting', callId, messageId, agentId, tool: 'refund', arguments: '{"amount":5}' },
        ...{ decidedBy: null, reason: null },
      })
      expect(refunds.tools.requests).toEqual([])

      let finish: () => void = () => undefined
      const called = refunds.tools.expect('POST /refund', (response) => {
        finish = () => void response.end('Paid.')
      })
      client.send({ type: 'approval.approve', [spelling]: callId })
      expect(await client.inbox.takeType('approval.approved')).toEqual({
        type: 'approval.approved',
        data: { callId, messageId },
      })
      const request = await called
      expect(JSON.parse(request.body)).toEqual({ amount: 5 })
      expect(request.headers['idempotency-key']).toBe(messageId)
      expect(await refunds.callMessages(conversationId)).toMatchObject([{ id: messageId, status: 0 }])
      finish()
      expect(await takeOutput(provider)).toEqual({ callId, output: 'Paid.' })
      expect(await client.inbox.takeType('response.function_invocation.done')).toMatchObject({
        data: { id: messageId, callId, text: 'Paid.', status: 1, chatbotId: agentId },
      })
      await provider.inbox.takeType('response.create')
      expect(await refunds.callMessages(conversationId)).toMatchObject([
        { id: messageId, status: 1, content: 'Paid.' },
      ])
      const [sessionRow] = await sessionsOf(refunds.running.client, conversationId)
      expect(await refunds.approvalsOf(conversationId)).toMatchObject([
        { state: 'approved', decidedBy: { type: 'client', id: sessionRow?.id, name: null } },
      ])
      client.socket.close()
    },
  )

  test.each([
    ['callId', { callId: null, call_id: 'call_n' }],
    ['call_id', { callId: 'call_n', call_id: null }],
    ['reason', { callId: 'call_n', reason: null }],
  ])('accepts a decision whose %s is null [4.4-4]', async (_, fields) => {
    const session = await refunds.open()
    await callAndWait(session, 'call_n')
    session.client.send({ type: 'approval.reject', ...fields })
    const output = 'This call was rejected. It was not run.'
    expect(await takeOutput(session.provider)).toEqual({ callId: 'call_n', output })
    session.client.socket.close()
  })

  test.each([
    ['with a trailing space', { callId: 'call_s ' }, 'approval_not_pending'],
    ['with a leading space, in the other spelling', { call_id: ' call_s' }, 'approval_not_pending'],
    ['as an array', { callId: ['call_s'] }, 'invalid_message'],
    ['as an array, in the other spelling', { call_id: ['call_s'] }, 'invalid_message'],
    ['as an array beside the call id', { callId: 'call_s', call_id: ['call_s'] }, 'invalid_message'],
  ])('rejects a decision that names it %s [RT-7]', async (_, fields, code) => {
    const session = await refunds.open()
    await callAndWait(session, 'call_s')
    session.client.send({ type: 'approval.approve', ...fields })
    expect(await session.client.inbox.takeType('error')).toMatchObject({ error: { code } })
    expect(await refunds.approvalsOf(session.ticket.conversationId)).toMatchObject([{ state: 'waiting' }])
    session.client.socket.close()
  })

  test('rejects a decision without a call id [4.4-4]', async () => {
    const session = await refunds.open()
    await callAndWait(session, 'call_n')
    session.client.send({ type: 'approval.reject', callId: null, call_id: null })
    expect(await session.client.inbox.takeType('error')).toMatchObject({ error: { code: 'invalid_message' } })
    session.client.socket.close()
  })

  test.each([
    ['without a reason', undefined, 'This call was rejected. It was not run.'],
    ['with a reason', 'Too much.', 'This call was rejected. It was not run. Reason: Too much.'],
  ])('is answered and not run if it is rejected %s [3.2-3] [APR-6]', async (_, reason, output) => {
    const session = await refunds.open()
    const { ticket, client, provider } = session
    const { start } = await callAndWait(session, 'call_r')
    client.send({ type: 'approval.reject', call_id: 'call_r', reason })
    expect(await takeOutput(provider)).toEqual({ callId: 'call_r', output })
    await provider.inbox.takeType('response.create')
    expect(await client.inbox.takeType('response.function_invocation.done')).toMatchObject({
      data: { id: start.data.id, callId: 'call_r', status: 2, text: output, executionTimeSeconds: 0 },
    })
    expect(customTypes(session)).toEqual([
      'response.function_invocation.start',
      'approval.waiting',
      'response.function_invocation.done',
    ])
    expect(await refunds.approvalsOf(ticket.conversationId)).toMatchObject([
      { state: 'rejected', reason: reason ?? null },
    ])
    expect(await refunds.callMessages(ticket.conversationId)).toMatchObject([{ status: 2, content: output }])
    client.socket.close()
  })

  test.each(['approve', 'reject'] as const)(
    'is audited once when a client sends %s, and a decision without effect is not audited [AUD-1]',
    async (decision) => {
      const session = await refunds.open()
      const { client, ticket } = session
      const { conversationId } = ticket
      await callAndWait(session, 'call_u')
      if (decision === 'approve') void refunds.tools.expect('POST /refund', { body: 'Paid.' })
      client.send({ type: `approval.${decision}`, callId: 'call_u' })
      await client.inbox.takeType('response.function_invocation.done')
      client.send({ type: `approval.${decision}`, callId: 'call_u' })
      await client.inbox.takeType('error')
      const [row] = await refunds.approvalsOf(conversationId)
      const [{ id } = { id: '' }] = await sessionsOf(refunds.running.client, conversationId)
      expect(await readRecords(refunds.running.client, `&ActorId=${id}`)).toMatchObject([
        {
          ...{
            actor: { type: 'session', id, name: null },
            action: `approval.${decision}`,
            outcome: 'success',
          },
          ...{ resourceType: 'Approval', resourceId: row?.id, ipAddress: null, requestId: null },
          details: { conversationId, callId: 'call_u', tool: 'refund' },
        },
      ])
      client.socket.close()
    },
  )

  test('is answered immediately without approval if its arguments do not match the schema [TOOL-4]', async () => {
    const session = await refunds.open()
    playCalls(session.provider, 'resp_1', [{ ...refundCall('call_s'), arguments: '{"amount":"all"}' }])
    expect((await takeOutput(session.provider)).output).toContain('amount must be number')
    await session.client.inbox.takeType('response.function_invocation.done')
    expect(await refunds.approvalsOf(session.ticket.conversationId)).toEqual([])
    session.client.socket.close()
  })

  test('does not delay other calls of its response, and the next response is requested after the last one [TOOL-3]', async () => {
    const free = { ...refundTool(refunds.tools), name: 'look', approvalRequired: false }
    const session = await openToolSession(refunds.running, { tools: [refundTool(refunds.tools), free] })
    const { client, provider } = session
    const lookup = refunds.tools.expect('POST /refund', { body: 'Looked.' })
    playCalls(provider, 'resp_1', [refundCall('call_1'), { ...refundCall('call_2'), name: 'look' }])
    await lookup
    expect(await takeOutput(provider)).toEqual({ callId: 'call_2', output: 'Looked.' })
    await client.inbox.takeType('approval.waiting')
    client.send({ type: 'approval.reject', callId: 'call_1' })
    expect(await takeOutput(provider)).toMatchObject({ callId: 'call_1' })
    await provider.inbox.takeType('response.create')
    expect(provider.inbox.types.filter((type) => type === 'response.create')).toHaveLength(1)
    client.socket.close()
  })
})

describe('a decision', () => {
  test('counts once: only the first of 20 concurrent decisions over socket and HTTP succeeds [APR-1]', async () => {
    const session = await refunds.open()
    const { ticket, client, provider } = session
    const { conversationId } = ticket
    await callAndWait(session, 'call_m')
    const called = refunds.tools.expect('POST /refund', { body: 'Paid.' })
    const frame = { type: 'approval.approve', callId: 'call_m' }
    for (let count = 0; count < 10; count += 1) client.send({ ...frame, event_id: `mine_${count}` })
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => refunds.decide(conversationId, 'call_m', 'approve')),
    )
    await called
    expect(await takeOutput(provider)).toEqual({ callId: 'call_m', output: 'Paid.' })
    await client.inbox.takeType('response.function_invocation.done')
    const overHttp = answers.filter(({ status }) => status === 200).length
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(10 - overHttp)
    const refusals = () => errorsOf(session)
    await expect.poll(() => refusals().length).toBe(10 - (overHttp === 0 ? 1 : 0))
    expect(overHttp).toBeLessThanOrEqual(1)
    expect(new Set(refusals().map(({ code }) => code))).toEqual(new Set(['approval_not_pending']))
    const approvedEvents = customEventsIn(client).filter(({ type }) => type === 'approval.approved')
    expect(approvedEvents).toHaveLength(1)
    client.socket.close()
  })

  test('is rejected if it reverses an earlier one [APR-1]', async () => {
    const session = await refunds.open()
    const { ticket, client, provider } = session
    await callAndWait(session, 'call_v')
    client.send({ type: 'approval.reject', callId: 'call_v' })
    await takeOutput(provider)
    client.send({ type: 'approval.approve', callId: 'call_v', event_id: 'second' })
    await client.inbox.takeType('error')
    expect(errorsOf(session)).toMatchObject([{ code: 'approval_not_pending', event_id: 'second' }])
    expect(await refunds.decide(ticket.conversationId, 'call_v', 'approve')).toMatchObject({
      status: 409,
      body: { errorCode: 'Conflict', detail: expect.stringContaining('rejected') },
    })
    client.socket.close()
  })

  test('is rejected for a call that does not wait, and the session continues [RT-7]', async () => {
    const session = await refunds.open()
    session.client.send({ type: 'approval.approve', callId: 'call_unknown' })
    await session.client.inbox.takeType('error')
    expect(errorsOf(session)).toMatchObject([{ code: 'approval_not_pending' }])
    session.client.send({ type: 'approval.reject' })
    await session.client.inbox.takeType('error')
    expect(errorsOf(session)).toMatchObject([{}, { code: 'invalid_message' }])
    expect(session.provider.inbox.types).toEqual(['session.update'])
    session.client.socket.close()
  })

  test('does not reach a call with the same id in another conversation [APR-1]', async () => {
    const [one, other] = [await refunds.open(), await refunds.open()]
    await callAndWait(one, 'call_1')
    other.client.send({ type: 'approval.approve', callId: 'call_1' })
    await other.client.inbox.takeType('error')
    expect(errorsOf(other)).toMatchObject([{ code: 'approval_not_pending' }])
    expect(await refunds.approvalsOf(one.ticket.conversationId)).toMatchObject([{ state: 'waiting' }])
    for (const { client } of [one, other]) client.socket.close()
  })

  test('requires the scope and the organization over HTTP [APR-6]', async () => {
    const session = await refunds.open()
    const { conversationId } = session.ticket
    await callAndWait(session, 'call_k')
    const stores = refunds.running.service.database.stores
    const reader = await addApiKey(stores, refunds.running.organizationId, [
      'conversation:write',
      'agent:write',
    ])
    const decider = await addApiKey(stores, refunds.running.organizationId, ['approval:decide'])
    const stranger = refunds.running.client.as(await addOrganization(refunds.running))
    const attempt = (api = refunds.running.client) => decide(api, conversationId, 'call_k', 'reject', 'No.')
    expect((await attempt(refunds.running.client.as({ apiKey: reader }))).status).toBe(403)
    expect((await attempt(stranger)).status).toBe(404)
    expect(await approvalsOf(stranger, conversationId)).toEqual([])
    expect(await refunds.approvalsOf(conversationId)).toMatchObject([{ state: 'waiting' }])
    expect(await attempt(refunds.running.client.as({ apiKey: decider }))).toMatchObject({
      status: 200,
      body: { state: 'rejected', reason: 'No.', decidedBy: { type: 'api_key' } },
    })
    expect((await takeOutput(session.provider)).output).toContain('Reason: No.')
    session.client.socket.close()
  })
})

/** Returns the errors that the service has sent to a client. */
function errorsOf({ client }: Awaited<ReturnType<typeof refunds.open>>) {
  return client.inbox.all
    .map(({ data }) => JSON.parse(data.toString()) as { type: string; error: Record<string, unknown> })
    .filter(({ type }) => type === 'error')
    .map(({ error }) => error)
}
