import type { AuditLogRecord, Conversation, Page, RealtimeSession, Usage } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, askStreaming } from '../../support/questions/ask.js'
import { joinInstance } from '../../support/questions/instances.js'
import {
  endedTurn,
  messagesSentTo,
  typesIn,
  useQuestionService,
} from '../../support/questions/question-service.js'
import { endedSession, messagesOf, patiently } from '../../support/realtime/spoken-turns.js'
import { playCalls, takeOutput } from '../../support/realtime/tool-calls.js'
import { approvalsOf, decide, refundTool } from '../../support/realtime/waiting-calls.js'
import type { PostgresDatabase } from '../../support/services/postgres-database.js'
import { migratedDatabase } from '../../support/start-service.js'
import { type McpHttpServer, type Trace, useMcp } from '../../support/tools/mcp-servers.js'
import { type Receiver, startReceiver } from '../../support/webhooks/receiver.js'

const mcp = useMcp(afterAll)
let postgres: PostgresDatabase
let receiver: Receiver
let deskTrace: Trace
let desk: McpHttpServer

beforeAll(async () => {
  postgres = await migratedDatabase()
  receiver = await startReceiver()
  deskTrace = await mcp.trace()
  desk = await mcp.startHttpServer(deskTrace)
})

afterAll(() => postgres.drop())

const service = useQuestionService(() => ({ env: { DATABASE_URL: postgres.url } }))

const pay = (extra: object = {}) =>
  refundTool(service.tools, { name: 'pay', title: 'Pay out', approvalRequired: false, ...extra })
const payCall = (id: string, amount: unknown = 5) => ({ id, name: 'pay', arguments: { amount } })
const rehearse = (...tools: readonly object[]) => ({ tools })
const read = async <Body>(path: string) =>
  (await service.running.client.call<Body>('GET', `/api/v1/${path}`)).body

/** Returns the call outputs that the model received, in order. */
const outputs = () =>
  messagesSentTo(service.model)
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => content)

describe('a rehearsal in text', () => {
  test('answers calls with the first matching stub or an error, and calls no tool [REH-2]', async () => {
    const tools = [pay(), pay({ name: 'other' }), { kind: 'builtin', name: 'todo', builtin: 'create_task' }]
    const clock = { kind: 'builtin', name: 'clock', builtin: 'current_time' }
    const server = { kind: 'mcp', name: 'desk', server: { url: desk.target.url }, allowedTools: ['echo'] }
    const agentId = await service.makeAgent({ tools: [...tools, clock, server] })
    const calls = [
      ...[payCall('a', 7), payCall('b', 8), payCall('c', 'much'), payCall('d', 9)],
      ...[
        { id: 'e', name: 'other', arguments: { amount: 1 } },
        { id: 'f', name: 'todo', arguments: { title: 'Call back' } },
        { id: 'g', name: 'clock', arguments: {} },
        { id: 'h', name: 'desk__echo', arguments: { value: 'hello' } },
      ],
    ]
    service.model.answer({ calls }, { text: 'Done.' })
    const rehearsal = rehearse(
      { name: 'pay', arguments: { amount: 7 }, output: 'Paid seven.', delayMilliseconds: 5 },
      { name: 'pay', arguments: { amount: 8 }, error: 'The till is empty.' },
      { name: 'desk__echo', output: 'stubbed' },
    )
    const before = await deskTrace.lines()
    const { body } = await ask(service.running, agentId, { question: 'Pay!', rehearsal })
    expect(body.toolInvocations.map(({ callId, status, content }) => [callId, status, content])).toEqual([
      ['a', 1, 'Paid seven.'],
      ['b', 2, 'The till is empty.'],
      ['c', 2, expect.stringMatching(/amount/)],
      ['d', 2, 'No stub of pay in this rehearsal matches these arguments. The tool was not called.'],
      ['e', 2, 'The tool other has no stub in this rehearsal. It was not called.'],
      ['f', 2, 'The tool todo has no stub in this rehearsal. It was not called.'],
      ['g', 1, expect.stringMatching(/^It is /)],
      ['h', 1, 'stubbed'],
    ])
    expect(outputs()).toEqual(body.toolInvocations.map(({ content }) => content))
    const called = (await deskTrace.lines()).slice(before.length).filter((line) => line.includes('call'))
    expect(called).toEqual([])
    expect((await read<Page<unknown>>('Task')).totalCount).toBe(0)
  })

  test('passes the stubs to a sub-agent, and does not ask a sub-agent that has a stub [REH-3]', async () => {
    const clerkId = await service.makeAgent({ name: 'Clerk', tools: [pay()] })
    const guardId = await service.makeAgent({ name: 'Guard' })
    const agentId = await service.makeAgent({ subAgentIds: [clerkId, guardId] })
    const question = { question: 'Now?' }
    service.model.answer(
      {
        calls: [
          { id: 'outer', name: 'ask_clerk', arguments: question },
          { id: 'gate', name: 'ask_guard', arguments: question },
        ],
      },
      { calls: [payCall('inner')] },
      { text: 'It is paid.' },
      { text: 'All done.' },
    )
    const rehearsal = rehearse({ name: 'pay', output: 'As if paid.' }, { name: 'ask_guard', output: 'Open.' })
    const { body } = await ask(service.running, agentId, { question: 'Pay!', rehearsal })
    expect(body.answer).toBe('All done.')
    expect(await messagesOf(service.running.client, body.conversationId)).toMatchObject([
      { role: 'user' },
      { role: 'subagent', name: 'ask_clerk', content: 'It is paid.', status: 1 },
      { role: 'tool', name: 'ask_guard', content: 'Open.', status: 1 },
      { role: 'tool', name: 'pay', content: 'As if paid.', status: 1 },
      { role: 'assistant' },
    ])
  })

  test('answers an approved call with its stub, even on another instance [REH-7]', async () => {
    const agentId = await service.makeAgent({ tools: [pay({ approvalRequired: true })] })
    const rehearsal = rehearse({ name: 'pay', output: 'As if paid.' })
    const { client } = service.running

    service.model.answer({ calls: [payCall('call_a')] }, { text: 'Paid.' })
    const { body: waiting } = await ask(service.running, agentId, { question: 'Pay!', rehearsal })
    expect(waiting.status).toBe('waiting_for_approval')
    const [approval] = await approvalsOf(client, waiting.conversationId)
    expect(approval).toMatchObject({ state: 'waiting', rehearsal: true })
    const marked = await read<Page<{ id: string }>>('Approval?Rehearsal=true')
    expect(marked.items.map(({ id }) => id)).toEqual([approval?.id])
    expect((await read<Page<unknown>>('Approval?Rehearsal=false')).totalCount).toBe(0)
    await decide(client, waiting.conversationId, 'call_a', 'approve')
    expect(await endedTurn(service.running, waiting)).toMatchObject({
      status: 'completed',
      toolInvocations: [{ status: 1, content: 'As if paid.' }],
    })

    const other = await joinInstance(service.running, postgres.url)
    service.model.answer({ calls: [payCall('call_b')] })
    const left = (await ask(other, agentId, { question: 'Pay!', rehearsal })).body
    await other.close()
    await decide(client, left.conversationId, 'call_b', 'approve')
    await expect
      .poll(async () => (await messagesOf(client, left.conversationId))[1], patiently)
      .toMatchObject({ role: 'tool', status: 1, content: 'As if paid.' })
  })
})

describe('a rehearsal in a session', () => {
  test('uses the stubs of its ticket and leaves client tools to the client [REH-2] [REH-3] [REH-4]', async () => {
    const clerkId = await service.makeAgent({ name: 'Clerk', tools: [pay()] })
    const agentId = await service.makeAgent({
      tools: [pay(), pay({ name: 'other' })],
      subAgentIds: [clerkId],
    })
    const clientTools = [{ name: 'beep', description: 'Beeps.' }]
    const rehearsal = rehearse({ name: 'pay', output: 'As if paid.' })
    const session = await service.speakTo(agentId, { clientTools, rehearsal })
    const { client, provider, ticket } = session
    service.model.answer({ calls: [payCall('inner')] }, { text: 'It is paid.' })
    playCalls(provider, 'resp_1', [
      { callId: 'a', name: 'pay', arguments: '{"amount":5}' },
      { callId: 'b', name: 'other', arguments: '{"amount":5}' },
      { callId: 'c', name: 'ask_clerk', arguments: '{"question":"Now?"}' },
      { callId: 'd', name: 'beep' },
    ])
    const told = new Map<string, string>()
    while (told.size < 3) {
      const { callId, output } = await takeOutput(provider)
      told.set(callId, output)
    }
    expect(Object.fromEntries(told)).toEqual({
      a: 'As if paid.',
      b: 'The tool other has no stub in this rehearsal. It was not called.',
      c: 'It is paid.',
    })
    client.socket.close()
    const ended = await endedSession(service.running.client, ticket.conversationId)
    expect(ended.rehearsal).toBe(true)
    const marked = await read<Page<RealtimeSession>>('RealtimeSession?Rehearsal=true')
    expect(marked.items.map(({ id }) => id)).toEqual([ended.id])
  })
})

describe('a conversation that is a rehearsal', () => {
  test('is marked and cannot be mixed with real turns [REH-4]', async () => {
    const agentId = await service.makeAgent()
    service.model.answer({ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' })
    const plain = (await ask(service.running, agentId, { question: 'Real?', rehearsal: null })).body
    const played = (await ask(service.running, agentId, { question: 'Play?', rehearsal: {} })).body
    const conversations = async (rehearsal: boolean) => {
      const path = `Conversation?AgentId=${agentId}&Rehearsal=${rehearsal}`
      return (await read<Page<Conversation>>(path)).items.map((each) => [each.id, each.rehearsal])
    }
    expect(await conversations(true)).toEqual([[played.conversationId, true]])
    expect(await conversations(false)).toEqual([[plain.conversationId, false]])
    const { items } = await read<Page<AuditLogRecord>>('AuditLog?Action=question.ask&Limit=2')
    expect(items.map(({ resourceId, details }) => [resourceId, details.rehearsal])).toEqual([
      [played.turnId, true],
      [plain.turnId, undefined],
    ])

    const mixes = [
      { conversationId: played.conversationId, told: 'is required because the conversation is a rehearsal' },
      {
        conversationId: plain.conversationId,
        rehearsal: {},
        told: 'must be omitted, because this conversation',
      },
    ]
    for (const { told, ...body } of mixes)
      for (const [path, fields] of [
        ['question', { question: 'And?' }],
        ['realtime-session', {}],
      ] as const) {
        const answer = await service.running.client.call('POST', `/api/v1/Agent/${agentId}/${path}`, {
          body: { ...fields, ...body },
        })
        expect(answer.status).toBe(400)
        expect(answer.body.errors).toMatchObject([
          { path: 'rehearsal', message: expect.stringContaining(told) },
        ])
      }
    const { conversationId } = played
    const next = await ask(service.running, agentId, { question: 'And?', conversationId, rehearsal: {} })
    expect(next.body.answer).toBe('Three.')
    await service.running.client.call('DELETE', `/api/v1/Conversation/${conversationId}`)
    const deleted = await read<Page<AuditLogRecord>>('AuditLog?Action=conversation.delete&Limit=1')
    expect(deleted.items[0]).toMatchObject({ resourceId: conversationId, details: { rehearsal: true } })
  })

  test.each([
    ['tools[0]', { name: 'pay' }],
    ['tools[0]', { name: 'pay', output: '', error: '' }],
    ['tools[0].name', { name: 'not a name', output: '' }],
    ['tools[0].delayMilliseconds', { name: 'pay', output: '', delayMilliseconds: 30_001 }],
    ['tools[0].output', { name: 'pay', output: 'x'.repeat(65_537) }],
    ['tools[0].arguments', { name: 'pay', output: '', arguments: { a: 'x'.repeat(65_537) } }],
  ])('is rejected with the path of the error: %s [REH-1] [REH-4]', async (path, stub) => {
    const body = { question: 'And?', rehearsal: { tools: [stub] } }
    const unknown = '/api/v1/Agent/01980000-0000-7000-8000-000000000000/question'
    const answer = await service.running.client.call('POST', unknown, { body })
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toMatchObject([{ path: `rehearsal.${path}` }])
  })
})

test('webhooks receive events of real conversations and none of rehearsals [REH-5]', async () => {
  const agentId = await service.makeAgent({ tools: [pay({ approvalRequired: true })] })
  const body = { name: 'All', url: `${receiver.url}/all`, events: ['*'], agentIds: [agentId] }
  await service.running.client.call('POST', '/api/v1/Webhook', { body })
  service.model.answer({ calls: [payCall('call_a')] }, { text: 'Rejected.' })
  const rehearsal = rehearse({ name: 'pay', output: 'As if paid.' })
  const stream = await askStreaming(service.running, agentId, { question: 'Pay!', rehearsal })
  await stream.waitFor('approval.waiting')
  const { conversationId } = (await stream.waitFor('turn.started')).data
  await decide(service.running.client, conversationId, 'call_a', 'reject')
  await stream.ended
  expect(typesIn(stream).at(-1)).toBe('response.completed')
  const session = await service.speakTo(agentId, { rehearsal })
  session.client.socket.close()
  await endedSession(service.running.client, session.ticket.conversationId)
  await service.running.client.call('DELETE', `/api/v1/Conversation/${conversationId}`)

  // Events are delivered in order, so once the last one has arrived no event of the rehearsal can follow.
  service.model.answer({ text: 'Here.' })
  const real = (await ask(service.running, agentId, { question: 'Anybody?' })).body
  const deliveries = await receiver.received('/all', 4)
  expect(deliveries.map(({ body: told }) => told.type).sort()).toEqual([
    'conversation.created',
    'conversation.message.created',
    'conversation.message.created',
    'turn.ended',
  ])
  expect(deliveries.every(({ text }) => text.includes(real.conversationId))).toBe(true)
  const rows = await read<Page<{ type: string }>>('Webhook')
  expect(rows.totalCount).toBe(1)
})

test('usage can separate rehearsals and includes them in its sums [REH-6]', async () => {
  const agentId = await service.makeAgent()
  const usage = (inputTokens: number) => ({ usage: { inputTokens, outputTokens: 1 } })
  service.model.answer({ text: 'One.', ...usage(10) }, { text: 'Two.', ...usage(30) })
  await ask(service.running, agentId, { question: 'Real?' })
  await ask(service.running, agentId, { question: 'Play?', rehearsal: {} })
  const sums = async (query: string) =>
    (await read<Usage>(`Usage?AgentId=${agentId}&${query}`)).items.map(({ group, tokens, turns }) => [
      ...Object.values(group),
      tokens.textInput,
      turns,
    ])
  expect(await sums('GroupBy=channel,rehearsal')).toEqual([
    ['text', false, 10, 1],
    ['text', true, 30, 1],
  ])
  expect(await sums('GroupBy=channel')).toEqual([['text', 40, 2]])
  expect(await sums('GroupBy=channel&Rehearsal=true&Channel=text')).toEqual([['text', 30, 1]])
  expect(await sums('GroupBy=agent&Rehearsal=false')).toEqual([[agentId, 10, 1]])
})
