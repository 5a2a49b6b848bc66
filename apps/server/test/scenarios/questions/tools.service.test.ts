import type { TurnEvent } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, askStreaming } from '../../support/questions/ask.js'
import { eventsIn, messagesSentTo, useQuestionService } from '../../support/questions/question-service.js'
import { messagesOf } from '../../support/realtime/spoken-turns.js'
import { refundTool } from '../../support/realtime/waiting-calls.js'
import { startScriptedHttpServer } from '../../support/scripted-http-server.js'
import { local, type McpHttpServer, type Trace, useMcp } from '../../support/tools/mcp-servers.js'

const mcp = useMcp(afterAll)
let stdioTrace: Trace
let desk: McpHttpServer

beforeAll(async () => {
  stdioTrace = await mcp.trace()
  desk = await mcp.startHttpServer(await mcp.trace())
})

const service = useQuestionService(() => ({
  env: { PARLEY_MCP_SERVERS: JSON.stringify(mcp.stdioServer(stdioTrace)) },
}))

const pay = (extra: object = {}) =>
  refundTool(service.tools, { name: 'pay', title: 'Pay out', approvalRequired: false, ...extra })

const payCall = (id: string, amount = 5) => ({ id, name: 'pay', arguments: `{"amount": ${amount}}` })

/** Returns the event types, with the text of the answer in place of its deltas. */
function wordsAndTypes(events: readonly TurnEvent[]): string[] {
  const parts: string[] = []
  let words: string | null = null
  for (const event of events) {
    const delta = event.type === 'response.text.delta' ? event.data.delta : null
    if (delta === null) parts.push(event.type)
    else if (words === null) parts.push(delta)
    else parts.push(`${parts.pop()}${delta}`)
    words = delta
  }
  return parts
}

describe('a tool of a turn', () => {
  test('is called once, and its events, its message and the turn agree [ASK-7]', async () => {
    const button = { label: 'Receipt', link: 'https://shop.example.com/receipt' }
    const imageUrl = 'https://shop.example.com/coin.png'
    const agentId = await service.makeAgent({ tools: [pay({ button, imageUrl })] })
    const called = service.tools.expect('POST /refund', { body: 'Paid 5.' })
    service.model.answer({ text: 'One moment.', calls: [payCall('call_a')] }, { text: 'It is paid.' })
    const stream = await askStreaming(service.running, agentId, { question: 'Pay me 5.' })
    await stream.ended
    expect(JSON.parse((await called).body)).toEqual({ amount: 5 })
    // The text before and after the call appears in the order in which the model sent it.
    expect(wordsAndTypes(eventsIn(stream))).toEqual([
      'turn.started',
      'message.created',
      'One moment.',
      'response.function_invocation.start',
      'response.function_invocation.done',
      '\n\nIt is paid.',
      'response.id',
      'response.completed',
    ])
    const events = eventsIn(stream)
    const start = events.find(({ type }) => type === 'response.function_invocation.start')
    const done = events.find(({ type }) => type === 'response.function_invocation.done')
    const common = { callId: 'call_a', title: 'Pay out', imageUrl, chatbotId: agentId }
    expect(start?.data).toEqual({
      ...common,
      id: expect.any(String),
      arguments: '{"amount":5}',
      approvalRequired: false,
      functionName: 'pay',
    })
    const id = start && 'id' in start.data ? start.data.id : ''
    expect(done?.data).toEqual({
      ...common,
      id,
      text: 'Paid 5.',
      button: true,
      buttonLabel: button.label,
      buttonLink: button.link,
      status: 1,
      executionTimeSeconds: expect.any(Number),
    })
    expect((await called).headers['idempotency-key']).toBe(id)

    const { conversationId } = (await stream.waitFor('turn.started')).data
    const executionTimeSeconds = done && 'status' in done.data ? done.data.executionTimeSeconds : -1
    expect(executionTimeSeconds).toBeGreaterThanOrEqual(0)
    const stored = {
      ...{ id, callId: 'call_a', name: 'pay', arguments: '{"amount":5}' },
      ...{ content: 'Paid 5.', status: 1, executionTimeSeconds },
    }
    expect(await messagesOf(service.running.client, conversationId)).toMatchObject([
      { role: 'user', content: 'Pay me 5.', channel: 'text' },
      { role: 'tool', channel: 'text', interrupted: false, ...stored },
      { role: 'assistant', content: 'One moment.\n\nIt is paid.', channel: 'text' },
    ])
    const { turnId } = (await stream.waitFor('turn.started')).data
    const path = `/api/v1/Conversation/${conversationId}/turn/${turnId}`
    const { body } = await service.running.client.call('GET', path)
    expect(body).toMatchObject({ status: 'completed', toolInvocations: [stored], approvals: [] })
  })

  test('returns its output to the model and to a caller that does not stream [ASK-7]', async () => {
    const agentId = await service.makeAgent({ tools: [pay()] })
    void service.tools.expect('POST /refund', { body: 'Paid 7.' })
    service.model.answer({ calls: [payCall('call_a', 7)] }, { text: 'Done.' })
    const { status, body } = await ask(service.running, agentId, { question: 'Pay me 7.' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      answer: 'Done.',
      toolInvocations: [
        { callId: 'call_a', name: 'pay', arguments: '{"amount":7}', content: 'Paid 7.', status: 1 },
      ],
    })
    expect(service.model.requests[0]?.body.tools).toMatchObject([
      { type: 'function', function: { name: 'pay', description: 'Gives money back.' } },
    ])
    expect(messagesSentTo(service.model)).toMatchObject([
      { role: 'user', content: 'Pay me 7.' },
      { role: 'assistant', tool_calls: [{ id: 'call_a', function: { name: 'pay' } }] },
      { role: 'tool', tool_call_id: 'call_a', content: 'Paid 7.' },
    ])
  })

  test('knows the conversation if it is a built-in tool [ASK-7]', async () => {
    const tools = [
      { kind: 'builtin', builtin: 'create_task', name: 'note', title: 'Note' },
      { kind: 'builtin', builtin: 'current_time', name: 'clock' },
    ]
    const agentId = await service.makeAgent({ tools })
    service.model.answer(
      { calls: [{ id: 'call_a', name: 'note', arguments: { title: 'Water the plants' } }] },
      { calls: [{ id: 'call_b', name: 'clock', arguments: { timeZone: 'Europe/Berlin' } }] },
      { text: 'Noted.' },
    )
    const { body } = await ask(service.running, agentId, { question: 'Remind me.' })
    expect(body).toMatchObject({
      answer: 'Noted.',
      toolInvocations: [
        { name: 'note', status: 1 },
        { name: 'clock', status: 1 },
      ],
    })
    const tasks = await service.running.client.call<{ items: object[] }>('GET', '/api/v1/Task')
    expect(tasks.body.items).toMatchObject([
      { title: 'Water the plants', conversationId: body.conversationId },
    ])
  })

  test('runs on an MCP server over stdio and over HTTP [ASK-7]', async () => {
    const agentId = await service.makeAgent({
      tools: [
        { kind: 'mcp', name: 'shop', server: { name: local.name }, allowedTools: ['echo'] },
        { kind: 'mcp', name: 'desk', server: { url: desk.target.url }, allowedTools: ['echo', 'fail'] },
      ],
    })
    const say = (id: string, name: string, value: string) => ({ id, name, arguments: { value } })
    service.model.answer(
      { calls: [say('call_a', 'shop__echo', 'one'), say('call_b', 'desk__echo', 'two')] },
      { calls: [say('call_c', 'desk__fail', 'three')] },
      { text: 'One, two.' },
    )
    const { body } = await ask(service.running, agentId, { question: 'Say it again.' })
    expect(body.toolInvocations).toMatchObject([
      { callId: 'call_a', name: 'shop__echo', content: 'one', status: 1 },
      { callId: 'call_b', name: 'desk__echo', content: 'two', status: 1 },
      { callId: 'call_c', name: 'desk__fail', content: 'It did not work.', status: 2 },
    ])
    const offered = service.model.requests[0]?.body.tools as readonly { function: { name: string } }[]
    expect(offered.map((tool) => tool.function.name).sort()).toEqual([
      'desk__echo',
      'desk__fail',
      'shop__echo',
    ])
  })
})

describe('a failed call of a turn', () => {
  test.each([
    ['its arguments are not JSON', { name: 'pay', arguments: '{"amount":' }, /not a JSON object/],
    ['its arguments lack a required field', { name: 'pay', arguments: '{}' }, /required property 'amount'/],
    ['its arguments have the wrong type', { name: 'pay', arguments: '{"amount":"5"}' }, /must be number/],
    ['the model invented its name', { name: 'play', arguments: '{}' }, /The tool play does not exist/],
  ])(
    'is reported to the model without a request if %s, and the turn continues [ASK-7]',
    async (_, call, output) => {
      const agentId = await service.makeAgent({ tools: [pay()] })
      service.model.answer({ calls: [{ id: 'call_a', ...call }] }, { text: 'Sorry.' })
      const { body } = await ask(service.running, agentId, { question: 'Pay me.' })
      expect(body).toMatchObject({
        answer: 'Sorry.',
        status: 'completed',
        toolInvocations: [
          { ...call, content: expect.stringMatching(output), status: 2, executionTimeSeconds: 0 },
        ],
      })
      expect(messagesSentTo(service.model).at(-1)).toMatchObject({
        role: 'tool',
        content: expect.stringMatching(output),
      })
      expect(service.tools.requests).toEqual([])
    },
  )

  test('is reported to the model if the server responds with an error, and the turn continues [ASK-7]', async () => {
    const agentId = await service.makeAgent({ tools: [pay()] })
    void service.tools.expect('POST /refund', { status: 500, body: 'no money' })
    service.model.answer({ calls: [payCall('call_a')] }, { text: 'Sorry.' })
    const { body } = await ask(service.running, agentId, { question: 'Pay me.' })
    expect(body.toolInvocations).toMatchObject([
      { content: expect.stringMatching(/500[\s\S]*no money/), status: 2 },
    ])
    expect(body.answer).toBe('Sorry.')
  })

  test('is reported to the model if no server listens at the address, and the turn continues [ASK-7]', async () => {
    const gone = await startScriptedHttpServer()
    await gone.close()
    const agentId = await service.makeAgent({ tools: [refundTool(gone, { approvalRequired: false })] })
    service.model.answer({ calls: [{ ...payCall('call_a'), name: 'refund' }] }, { text: 'Sorry.' })
    const { body } = await ask(service.running, agentId, { question: 'Pay me.' })
    expect(body.toolInvocations).toMatchObject([
      { content: expect.stringContaining('Nothing listens at'), status: 2 },
    ])
  })

  test('is reported to the model if it exceeds its timeout, and the turn continues [ASK-7]', async () => {
    const agentId = await service.makeAgent({ tools: [pay({ timeoutSeconds: 1 })] })
    void service.tools.expect('POST /refund', () => undefined)
    service.model.answer({ calls: [payCall('call_a')] }, { text: 'Too slow.' })
    const { body } = await ask(service.running, agentId, { question: 'Pay me.' })
    expect(body).toMatchObject({
      answer: 'Too slow.',
      toolInvocations: [
        { content: expect.stringMatching(/within 1 second\. .* its outcome is unknown/), status: 2 },
      ],
    })
    expect(body.toolInvocations[0]?.executionTimeSeconds).toBeGreaterThanOrEqual(1)
  })
})

describe('several calls', () => {
  test('calls of one step run in parallel, and their outputs are sent in the order of the calls [ASK-7]', async () => {
    const agentId = await service.makeAgent({ tools: [pay()] })
    let answerFirst = () => {}
    const first = service.tools.expect('POST /refund', (response) => {
      answerFirst = () => response.end('Paid slowly.')
    })
    const second = service.tools.expect('POST /refund', (response) => {
      response.end('Paid fast.')
      answerFirst()
    })
    service.model.answer({ calls: [payCall('call_a', 1), payCall('call_b', 2)] }, { text: 'Both.' })
    const { body } = await ask(service.running, agentId, { question: 'Pay us.' })
    // The first was answered only after the second had arrived. Either call may be the first.
    const slow = (JSON.parse((await first).body) as { amount: number }).amount
    expect(await second).toBeDefined()
    const outputs = slow === 1 ? ['Paid slowly.', 'Paid fast.'] : ['Paid fast.', 'Paid slowly.']
    expect(body.toolInvocations.map(({ content }) => content)).toEqual(outputs)
    expect(messagesSentTo(service.model).slice(-2)).toMatchObject([
      { role: 'tool', tool_call_id: 'call_a', content: outputs[0] },
      { role: 'tool', tool_call_id: 'call_b', content: outputs[1] },
    ])
  })

  test('calls of several steps with the same id are different calls [ASK-7]', async () => {
    const agentId = await service.makeAgent({ tools: [pay()] })
    void service.tools.expect('POST /refund', { body: 'Paid 1.' })
    void service.tools.expect('POST /refund', { body: 'Paid 2.' })
    service.model.answer(
      { calls: [payCall('call_0', 1)] },
      { calls: [payCall('call_0', 2)] },
      { text: 'Twice.' },
    )
    const { body } = await ask(service.running, agentId, { question: 'Pay me twice.' })
    expect(body).toMatchObject({ answer: 'Twice.', status: 'completed' })
    expect(body.toolInvocations).toMatchObject([
      { callId: 'call_0', content: 'Paid 1.', status: 1 },
      { callId: 'call_0-2', content: 'Paid 2.', status: 1 },
    ])
  })

  test('calls end after eight steps, and the model is asked once more without tools [ASK-7]', async () => {
    const agentId = await service.makeAgent({
      tools: [{ kind: 'builtin', builtin: 'current_time', name: 'clock' }],
    })
    const steps = Array.from({ length: 8 }, (_, step) => ({ calls: [{ id: `call_${step}`, name: 'clock' }] }))
    service.model.answer(...steps, { text: 'Enough.', usage: { inputTokens: 7, outputTokens: 1 } })
    const { body } = await ask(service.running, agentId, { question: 'What time is it?' })
    expect(body).toMatchObject({ answer: 'Enough.', status: 'completed' })
    expect(body.toolInvocations).toHaveLength(8)
    expect(service.model.requests.map(({ body: { tools } }) => Array.isArray(tools))).toEqual([
      ...Array(8).fill(true),
      false,
    ])
    // Every step counts: eight regular ones and the last.
    expect(body.usage).toEqual({ inputTokens: 87, outputTokens: 41, cachedInputTokens: 0 })
  })
})
