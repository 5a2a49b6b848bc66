import { type Approval, type ApprovedBy, scopes } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { addApiKey } from '../../support/organizations.js'
import { ask } from '../../support/questions/ask.js'
import { endedTurn, useQuestionService } from '../../support/questions/question-service.js'
import { playCalls, takeOutput } from '../../support/realtime/tool-calls.js'
import {
  approvalsOf,
  callMessages,
  decide,
  refundCall,
  refundTool,
  takeQuestion,
} from '../../support/realtime/waiting-calls.js'

const questionService = useQuestionService()

const makeClerk = (approvedBy?: ApprovedBy) =>
  questionService.makeAgent({
    name: 'Clerk',
    tools: [refundTool(questionService.tools, approvedBy === undefined ? {} : { approvedBy })],
  })

/**
 * Opens a session in which the model has called the tool and the client has received the approval request.
 */
async function waitingSession(tool: ApprovedBy | undefined, request: object = {}) {
  const session = await questionService.speakTo(await makeClerk(tool), request)
  playCalls(session.provider, 'resp_1', [refundCall('call_a')])
  return { ...session, question: await takeQuestion(session) }
}

const rows = (conversationId: string) => approvalsOf(questionService.running.client, conversationId)

describe('a call that only staff may decide on', () => {
  test.each([
    ['its tool', 'staff', {}],
    ['its session', 'either', { approvedBy: 'staff' }],
    ['its session, with no setting on the tool', undefined, { approvedBy: 'staff' }],
  ] as const)(
    'cannot be decided over the socket if the restriction comes from %s [APR-7]',
    async (_, tool, request) => {
      const { ticket, client, question, provider } = await waitingSession(tool, request)
      const { conversationId } = ticket
      expect(question.waiting.data).toMatchObject({ callId: 'call_a', approvedBy: 'staff' })
      for (const message of [
        { type: 'approval.approve', callId: 'call_a' },
        { type: 'approval.approve', call_id: 'call_a' },
        { type: 'approval.reject', callId: 'call_a', reason: 'No.' },
      ]) {
        client.send({ ...message, event_id: 'mine' })
        expect(await client.inbox.takeType('error')).toMatchObject({
          error: { type: 'service_error', code: 'approval_not_allowed', event_id: 'mine' },
        })
      }
      expect(await rows(conversationId)).toMatchObject([
        { state: 'waiting', decidedBy: null, approvedBy: 'staff' },
      ])
      expect(questionService.tools.requests).toEqual([])

      const called = questionService.tools.expect('POST /refund', { body: 'Paid.' })
      expect((await decide(questionService.running.client, conversationId, 'call_a', 'approve')).status).toBe(
        200,
      )
      await called
      expect((await takeOutput(provider)).output).toBe('Paid.')
      await client.inbox.takeType('approval.approved')
      expect(await rows(conversationId)).toMatchObject([
        { state: 'approved', decidedBy: { type: 'api_key' } },
      ])
      client.socket.close()
    },
  )

  test('cannot be decided by the next session, whatever that session requests [APR-7]', async () => {
    const former = await waitingSession('either', { approvedBy: 'staff' })
    const { conversationId } = former.ticket
    const [row] = await rows(conversationId)
    const next = await questionService.speakTo(row?.agentId ?? '', { conversationId, approvedBy: 'client' })
    expect((await takeQuestion(next)).waiting.data).toMatchObject({ approvedBy: 'staff' })
    next.client.send({ type: 'approval.approve', callId: 'call_a' })
    expect(await next.client.inbox.takeType('error')).toMatchObject({
      error: { code: 'approval_not_allowed' },
    })
    expect(await rows(conversationId)).toMatchObject([{ state: 'waiting' }])
    for (const { client } of [former, next]) client.socket.close()
  })

  test('cannot be decided by a staff session if it belongs to a text question [APR-7]', async () => {
    const agentId = await makeClerk()
    questionService.model.answer({ calls: [{ id: 'call_a', name: 'refund', arguments: '{"amount":5}' }] })
    const { body } = await ask(questionService.running, agentId, { question: 'Money back!' })
    const { conversationId } = body
    const { client } = await questionService.speakTo(agentId, { conversationId, approvedBy: 'staff' })
    client.send({ type: 'approval.approve', callId: 'call_a' })
    expect(await client.inbox.takeType('error')).toMatchObject({ error: { code: 'approval_not_allowed' } })
    questionService.model.answer({ text: 'No money.' })
    await decide(questionService.running.client, conversationId, 'call_a', 'reject')
    await endedTurn(questionService.running, body)
    client.socket.close()
  })
})

test('a call that either side may decide on sends exactly the events of the interface [6.3-3] [APR-7]', async () => {
  const { ticket, client, question } = await waitingSession(undefined)
  const { messageId } = question.waiting.data
  expect(question.waiting.data).toEqual({ callId: 'call_a', messageId, timeoutSeconds: 300 })
  client.send({ type: 'approval.reject', callId: 'call_a' })
  await client.inbox.takeType('response.function_invocation.done')
  expect(await rows(ticket.conversationId)).toMatchObject([
    { state: 'rejected', approvedBy: 'either', decidedBy: { type: 'client' } },
  ])
  client.socket.close()
})

describe('a call that only the client may decide on', () => {
  test('cannot be decided over HTTP while it belongs to a session [APR-7]', async () => {
    const { ticket, client, question } = await waitingSession('client')
    expect(question.waiting.data).toMatchObject({ approvedBy: 'client' })
    const refused = await decide(questionService.running.client, ticket.conversationId, 'call_a', 'approve')
    expect(refused).toMatchObject({ status: 403, body: { errorCode: 'Forbidden' } })
    expect(refused.body.detail).toMatch(/^Only the client can decide/)
    client.send({ type: 'approval.reject', callId: 'call_a' })
    await client.inbox.takeType('response.function_invocation.done')
    expect(await rows(ticket.conversationId)).toMatchObject([
      { state: 'rejected', decidedBy: { type: 'client' } },
    ])
    client.socket.close()
  })

  test('can be decided only by the key that asked if it belongs to a text question [APR-7]', async () => {
    questionService.model.answer({ calls: [{ id: 'call_a', name: 'refund', arguments: '{"amount":5}' }] })
    const { body } = await ask(questionService.running, await makeClerk('client'), {
      question: 'Money back!',
    })
    expect(body.approvals).toMatchObject([{ callId: 'call_a', approvedBy: 'client' }])
    const { stores } = questionService.running.service.database
    const other = await addApiKey(stores, questionService.running.organizationId, [...scopes])
    const path = `/api/v1/Conversation/${body.conversationId}/approval`
    const decision = { callId: 'call_a', decision: 'reject' }
    const refused = await questionService.running.client.call<Approval>('POST', path, {
      body: decision,
      headers: { 'x-api-key': other },
    })
    expect(refused.status).toBe(403)
    questionService.model.answer({ text: 'No money.' })
    expect(
      (await decide(questionService.running.client, body.conversationId, 'call_a', 'reject')).status,
    ).toBe(200)
    await endedTurn(questionService.running, body)
  })

  test('fails with an explanation and asks for no approval in a staff session [APR-7]', async () => {
    const session = await questionService.speakTo(await makeClerk('client'), { approvedBy: 'staff' })
    playCalls(session.provider, 'resp_1', [refundCall('call_a')])
    expect((await takeOutput(session.provider)).output).toContain('the call cannot be approved')
    expect(await rows(session.ticket.conversationId)).toEqual([])
    expect(await callMessages(questionService.running.client, session.ticket.conversationId)).toMatchObject([
      { status: 2 },
    ])
    session.client.socket.close()
  })
})
