import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type ScriptedHttpServer, startScriptedHttpServer } from '../support/scripted-http-server.js'
import { withPostgresClient } from '../support/services/postgres-connection.js'
import type { PostgresDatabase } from '../support/services/postgres-database.js'
import { migratedDatabase } from '../support/start-service.js'
import { makeTestClock } from '../support/test-clock.js'
import {
  type OpenSession,
  type RealtimeTestService,
  startRealtimeService,
} from './support/realtime-service.js'
import { endedSession, patiently, transcribed } from './support/spoken-turns.js'
import { openSessionOf, openToolSession, type ToolSession, takeOutput } from './support/tool-calls.js'
import {
  approvalsOf,
  callAndWait,
  callMessages,
  customTypes,
  decide,
  refundTool,
  takeQuestion,
} from './support/waiting-calls.js'

const clock = makeTestClock()
const expiredText = 'Nobody approved this call in time. It was not run.'

let postgres: PostgresDatabase
let running: RealtimeTestService
let tools: ScriptedHttpServer

beforeAll(async () => {
  postgres = await migratedDatabase()
  running = await startRealtimeService({ clock, env: { DATABASE_URL: postgres.url } })
  tools = await startScriptedHttpServer()
})

afterEach(() => tools.verify())

afterAll(async () => {
  await running.close()
  await tools.close()
  await postgres.drop()
})

/** A session whose client has left while its call waited. */
async function leftWaiting(callId: string): Promise<ToolSession & { readonly messageId: string }> {
  const session = await openToolSession(running, { tools: [refundTool(tools)] })
  session.provider.send(transcribed('U', 'Give it back'))
  await session.client.inbox.takeType('message.created')
  const { start } = await callAndWait(session, callId)
  await leave(session)
  expect(await approvalsOf(running.client, session.ticket.conversationId)).toMatchObject([
    { state: 'waiting' },
  ])
  return { ...session, messageId: start.data.id }
}

async function leave({ client, ticket }: OpenSession): Promise<void> {
  client.socket.close()
  await endedSession(running.client, ticket.conversationId)
}

const comeBack = ({ ticket, agentId }: ToolSession) =>
  openSessionOf(running, agentId, { conversationId: ticket.conversationId })

/** What the provider is told of the past: the items of a new session, so many of them. */
async function pastItems({ provider }: OpenSession, count: number) {
  const items: unknown[] = []
  while (items.length < count) {
    const { item } = (await provider.inbox.takeType('conversation.item.create')) as { item: object }
    items.push(item)
  }
  return items
}

const saidItem = { type: 'message', role: 'user' }
const callItem = (callId: string) => ({
  type: 'function_call',
  call_id: callId,
  name: 'refund',
  arguments: '{"amount": 5}',
})
const outputItem = (callId: string, output: string) => ({
  type: 'function_call_output',
  call_id: callId,
  output,
})

describe('[APR-3] a call that waits when its client leaves', () => {
  test('is asked again in the next session, which runs it and posts its output', async () => {
    const left = await leftWaiting('call_1')
    clock.advance(100_000)
    const next = await comeBack(left)
    expect(await pastItems(next, 2)).toMatchObject([saidItem, callItem('call_1')])
    const { start, waiting } = await takeQuestion(next)
    const { messageId } = left
    expect(start.data).toMatchObject({ id: messageId, callId: 'call_1', approvalRequired: true })
    expect(waiting).toEqual({
      type: 'approval.waiting',
      data: { callId: 'call_1', messageId, timeoutSeconds: 200 },
    })
    const called = tools.expect('POST /refund', { body: 'Paid.' })
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
    expect(await callMessages(running.client, left.ticket.conversationId)).toMatchObject([
      { id: messageId, status: 1, content: 'Paid.' },
    ])
    await leave(next)
    const last = await comeBack(left)
    expect(await pastItems(last, 3)).toMatchObject([
      saidItem,
      callItem('call_1'),
      outputItem('call_1', 'Paid.'),
    ])
    await leave(last)
  })

  test('[APR-1] is run with the arguments that stand in the row', async () => {
    const left = await leftWaiting('call_2')
    const { conversationId } = left.ticket
    await withPostgresClient(postgres.url, (client) =>
      client.query(`update approval set arguments = '{"amount":7}' where conversation_id = $1`, [
        conversationId,
      ]),
    )
    const called = tools.expect('POST /refund', { body: 'Paid.' })
    await decide(running.client, conversationId, 'call_2', 'approve')
    expect(JSON.parse((await called).body)).toEqual({ amount: 7 })
  })

  test('can be left again, and a client tool output for it is refused in each session', async () => {
    const left = await leftWaiting('call_3')
    const second = await comeBack(left)
    await takeQuestion(second)
    second.client.send({ type: 'conversation.item.create', item: outputItem('call_3', 'I say so.') })
    expect(await second.client.inbox.takeType('error')).toMatchObject({
      error: { code: 'backend_tool_output_not_allowed' },
    })
    await leave(second)
    const third = await comeBack(left)
    expect(await pastItems(third, 2)).toMatchObject([saidItem, callItem('call_3')])
    await takeQuestion(third)
    third.client.send({ type: 'approval.reject', callId: 'call_3', reason: 'Enough.' })
    expect((await takeOutput(third.provider)).output).toContain('Enough.')
    await third.provider.inbox.takeType('response.create')
    await leave(third)
  })

  test('is left alone by a second session while the first one is still there', async () => {
    const session = await openToolSession(running, { tools: [refundTool(tools)] })
    await callAndWait(session, 'call_4')
    const second = await comeBack(session)
    expect(await pastItems(second, 2)).toMatchObject([callItem('call_4'), { type: 'function_call_output' }])
    const called = tools.expect('POST /refund', { body: 'Paid.' })
    // The second client may decide; the first session has the call.
    second.client.send({ type: 'approval.approve', callId: 'call_4' })
    await called
    expect(await takeOutput(session.provider)).toEqual({ callId: 'call_4', output: 'Paid.' })
    expect(customTypes(second)).toEqual([])
    second.client.socket.close()
    session.client.socket.close()
  })
})

describe('[APR-3] a call that is decided on when nobody is there', () => {
  test('runs when it is approved, and the next session is told call and output', async () => {
    const left = await leftWaiting('call_5')
    const { conversationId } = left.ticket
    const called = tools.expect('POST /refund', { body: 'Paid.' })
    expect((await decide(running.client, conversationId, 'call_5', 'approve')).status).toBe(200)
    expect((await called).headers['idempotency-key']).toBe(left.messageId)
    await expect
      .poll(() => callMessages(running.client, conversationId), patiently)
      .toMatchObject([{ id: left.messageId, status: 1, content: 'Paid.' }])
    const next = await comeBack(left)
    expect(await pastItems(next, 3)).toMatchObject([
      saidItem,
      callItem('call_5'),
      outputItem('call_5', 'Paid.'),
    ])
    await leave(next)
    expect(customTypes(next)).toEqual([])
  })

  test('is closed when it is rejected', async () => {
    const left = await leftWaiting('call_6')
    const { conversationId } = left.ticket
    await decide(running.client, conversationId, 'call_6', 'reject', 'Gone.')
    const output = 'A person rejected this call. It was not run. The reason given: Gone.'
    await expect
      .poll(() => callMessages(running.client, conversationId), patiently)
      .toMatchObject([{ status: 2, content: output }])
    const next = await comeBack(left)
    expect(await pastItems(next, 3)).toMatchObject([
      saidItem,
      callItem('call_6'),
      outputItem('call_6', output),
    ])
    await leave(next)
  })

  test('is closed when its time is over', async () => {
    const left = await leftWaiting('call_7')
    const { conversationId } = left.ticket
    clock.advance(300_000)
    await expect
      .poll(() => callMessages(running.client, conversationId), patiently)
      .toMatchObject([{ status: 2, content: expiredText }])
    expect(await approvalsOf(running.client, conversationId)).toMatchObject([{ state: 'expired' }])
    expect((await decide(running.client, conversationId, 'call_7', 'approve')).status).toBe(409)
    const next = await comeBack(left)
    expect(await pastItems(next, 3)).toMatchObject([
      saidItem,
      callItem('call_7'),
      outputItem('call_7', expiredText),
    ])
    await leave(next)
  })

  test('is not run when the agent has lost the tool, or leads elsewhere with it, meanwhile', async () => {
    const left = await leftWaiting('call_8')
    const moved = refundTool({ url: 'https://elsewhere.example.com' })
    await running.client.call('PATCH', `/api/v1/Agent/${left.agentId}`, { body: { tools: [moved] } })
    await decide(running.client, left.ticket.conversationId, 'call_8', 'approve')
    await expect
      .poll(() => callMessages(running.client, left.ticket.conversationId), patiently)
      .toMatchObject([{ status: 2, content: expect.stringContaining('changed or removed') }])
  })
})

test('[TOOL-12] a call that runs when its client leaves is finished, and the next session told of it', async () => {
  const session = await openToolSession(running, { tools: [refundTool(tools)] })
  await callAndWait(session, 'call_9')
  let finish: () => void = () => undefined
  const called = tools.expect('POST /refund', (response) => {
    finish = () => void response.end('Paid.')
  })
  session.client.send({ type: 'approval.approve', callId: 'call_9' })
  await called
  await leave(session)
  const next = await comeBack(session)
  expect(await pastItems(next, 1)).toMatchObject([callItem('call_9')])
  finish()
  expect(await takeOutput(next.provider)).toEqual({ callId: 'call_9', output: 'Paid.' })
  await next.provider.inbox.takeType('response.create')
  await next.client.inbox.takeType('response.function_invocation.done')
  // Nobody is asked again about what is approved.
  expect(customTypes(next)).toEqual([
    'response.function_invocation.start',
    'response.function_invocation.done',
  ])
  expect(await callMessages(running.client, session.ticket.conversationId)).toMatchObject([
    { status: 1, content: 'Paid.' },
  ])
  await leave(next)
})
