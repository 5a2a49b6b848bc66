import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from '../../support/otlp-receiver.js'
import { ask } from '../../support/questions/ask.js'
import { useQuestionService } from '../../support/questions/question-service.js'
import { playCalls, takeOutput } from '../../support/realtime/tool-calls.js'
import { refundTool } from '../../support/realtime/waiting-calls.js'
import { scriptedModel } from '../../support/scripted-chat-events.js'

const patiently = { timeout: 60_000, interval: 50 }
const kinds = { internal: 1, server: 2, client: 3 } as const
const failed = 2

let receiver: OtlpReceiver

beforeAll(async () => {
  receiver = await startOtlpReceiver()
})

const service = useQuestionService(() => ({
  env: {
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_SERVICE_NAME: 'parley-staging',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=staging%20two,service.name=unused',
  },
}))

afterAll(() => receiver.close())

/** Returns the trace headers of a caller and the ids they contain. */
function makeCaller(digit: string) {
  const [traceId, spanId] = [digit.repeat(32), digit.repeat(16)]
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-01`, tracestate: 'shop=7' } }
}

const isStatement = ({ attributes }: ReceivedSpan) => 'db.system.name' in attributes

/** Waits for this many spans of a trace and returns them by name, without those of statements. */
async function spansOf(traceId: string, count: number) {
  const found = () => receiver.spans.filter((span) => span.traceId === traceId && !isStatement(span))
  await vi.waitUntil(() => found().length >= count, patiently)
  const spans = found()
  return {
    names: spans.map(({ name }) => name).sort(),
    named(name: string): ReceivedSpan {
      const span = spans.find((one) => one.name === name)
      if (span === undefined) throw new Error(`no span ${name} among ${spans.map((one) => one.name)}`)
      return span
    },
  }
}

const payTool = (extra: object = {}) =>
  refundTool(service.tools, { name: 'pay', approvalRequired: false, ...extra })
const payCall = { name: 'pay', arguments: '{"amount": 5}' }

/** Returns the log lines that name a trace. */
const linesOf = (traceId: string) =>
  service.running.log
    .map((line) => JSON.parse(line) as { msg: string; traceId?: string })
    .filter((line) => line.traceId === traceId)
    .map(({ msg }) => msg)

describe('a question', () => {
  test("is traced from the caller through turn, model and tool to the tool's server [TRACE-1] [TRACE-2] [TRACE-3] [TRACE-6]", async () => {
    const caller = makeCaller('a')
    const agentId = await service.makeAgent({ tools: [payTool()] })
    const called = service.tools.expect('POST /refund', { body: 'Paid 5.' })
    service.model.answer({ text: '', calls: [{ id: 'call_a', ...payCall }] }, { text: 'It is paid.' })
    const { body } = await ask(service.running, agentId, { question: 'Pay me 5.' }, caller.headers)
    const { names, named } = await spansOf(caller.traceId, 5)
    const [request, turn] = [named('POST /api/v1/Agent/:agentId/question'), named('invoke_agent Helper')]
    const tool = named('execute_tool pay')
    const model = named(names.find((name) => name.startsWith('chat ')) ?? '')
    expect(names).toEqual([request.name, model.name, model.name, tool.name, turn.name].sort())

    expect(request).toMatchObject({ parentSpanId: caller.spanId, kind: kinds.server, status: { code: 0 } })
    expect(request.resource).toMatchObject({
      'service.name': 'parley-staging',
      'deployment.environment.name': 'staging two',
      'service.version': expect.any(String),
    })
    expect(request.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/api/v1/Agent/:agentId/question',
      'http.response.status_code': 200,
      'url.path': `/api/v1/Agent/${agentId}/question`,
    })
    expect(turn).toMatchObject({ parentSpanId: request.spanId, kind: kinds.internal })
    expect(turn.attributes).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.id': agentId,
      'gen_ai.conversation.id': body.conversationId,
      'parley.turn.id': body.turnId,
      'parley.turn.state': 'completed',
      'gen_ai.agent.name': 'Helper',
      'gen_ai.provider.name': 'openai-compatible',
      'gen_ai.output.type': 'text',
    })
    expect(model).toMatchObject({ parentSpanId: turn.spanId, kind: kinds.client })
    expect(model.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai-compatible',
      'gen_ai.request.model': model.name.slice('chat '.length),
      'gen_ai.response.model': scriptedModel,
      'gen_ai.output.type': 'text',
      'server.address': '127.0.0.1',
      'server.port': expect.any(Number),
      'gen_ai.usage.input_tokens': expect.any(Number),
      'gen_ai.usage.output_tokens': expect.any(Number),
      'gen_ai.response.finish_reasons': [expect.stringMatching(/^(?:tool_calls|stop)$/)],
    })
    expect(tool).toMatchObject({ parentSpanId: turn.spanId, kind: kinds.internal })
    expect(tool.attributes).toMatchObject({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'pay',
      'gen_ai.tool.call.id': 'call_a',
      'gen_ai.agent.name': 'Helper',
    })

    const { headers } = await called
    expect(headers.traceparent).toBe(`00-${caller.traceId}-${tool.spanId}-01`)
    expect(headers.tracestate).toBe('shop=7')
    const exported = JSON.stringify(receiver.spans)
    expect(
      ['Pay me 5', 'It is paid', 'Paid 5', '"amount\\"'].filter((words) => exported.includes(words)),
    ).toEqual([])
  })

  test('has a failed span if it fails, and a new trace if the caller sends none [TRACE-3]', async () => {
    const agentId = await service.makeAgent()
    service.model.answer({ status: 401, body: { error: { message: 'no such key' } } })
    const before = receiver.spans.length
    const { status, headers } = await ask(service.running, agentId, { question: 'Hello?' })
    expect(status).toBe(503)
    const mine = () =>
      receiver.spans
        .slice(before)
        .find((span) => span.attributes['parley.request.id'] === headers.get('x-request-id'))
    const request = await vi.waitUntil(mine, patiently)
    expect(request).toMatchObject({ status: { code: failed }, attributes: { 'error.type': '503' } })
    expect(request.parentSpanId ?? '').toBe('')
    const { named } = await spansOf(request.traceId, 3)
    expect(named('invoke_agent Helper')).toMatchObject({
      status: { code: failed, message: 'model_unavailable' },
      attributes: { 'error.type': 'model_unavailable' },
    })
  })

  test('has spans for its statements without their values, and none for polls [TRACE-7]', async () => {
    const caller = makeCaller('c')
    const path = '/api/v1/Task'
    const title = 'a title that no span may hold'
    const { client } = service.running
    expect((await client.call('POST', path, { body: { title }, headers: caller.headers })).status).toBe(201)
    const statements = () =>
      receiver.spans.filter((span) => span.traceId === caller.traceId && isStatement(span))
    await vi.waitUntil(
      () => statements().some(({ attributes }) => attributes['db.operation.name'] === 'INSERT'),
      patiently,
    )
    const { named } = await spansOf(caller.traceId, 1)
    for (const statement of statements())
      expect(statement).toMatchObject({
        parentSpanId: named(`POST ${path}`).spanId,
        kind: kinds.client,
        attributes: {
          'db.system.name': 'postgresql',
          'db.operation.name': expect.stringMatching(/^[A-Z]+$/),
        },
      })
    expect(JSON.stringify(receiver.spans)).not.toContain(title)
    // Every statement is part of the work of a span.
    expect(receiver.spans.filter((span) => isStatement(span) && (span.parentSpanId ?? '') === '')).toEqual([])
  })
})

test('OpenTelemetry is loaded only if traces are configured [TRACE-5]', () => {
  // An architecture rule checks that no other file imports it.
  const compiled = readFileSync(new URL('../../../dist/wiring/tracing.js', import.meta.url), 'utf8')
  expect(compiled).not.toMatch(/^import .*opentelemetry/m)
  expect(compiled).toMatch(/=== null\)\s*return noTracing;[\s\S]*await import\('[^']*opentelemetry/)
})

test('a session continues the trace of its ticket, wherever its socket opens [TRACE-1] [TRACE-2] [TRACE-4] [WATCH-4]', async () => {
  const caller = makeCaller('b')
  const agentId = await service.makeAgent({ tools: [payTool()] })
  const path = `/api/v1/Agent/${agentId}/realtime-session`
  const { body } = await service.running.client.call<Parameters<typeof service.openSession>[0]>(
    'POST',
    path,
    {
      body: {},
      headers: caller.headers,
    },
  )
  const { client, provider } = await service.openSession(body)
  const called = service.tools.expect('POST /refund', { body: 'Paid 5.' })
  playCalls(provider, 'resp_1', [{ callId: 'call_1', ...payCall }])
  await takeOutput(provider)
  client.socket.close()
  const { named, names } = await spansOf(caller.traceId, 5)
  const [ticket, session] = [
    named('POST /api/v1/Agent/:agentId/realtime-session'),
    named('invoke_agent Helper'),
  ]
  const response = named(names.find((name) => name.startsWith('chat ')) ?? '')
  expect(ticket).toMatchObject({ parentSpanId: caller.spanId })
  expect(session).toMatchObject({ parentSpanId: ticket.spanId, kind: kinds.server })
  expect(session.attributes).toMatchObject({
    'gen_ai.agent.id': agentId,
    'gen_ai.conversation.id': body.conversationId,
    'parley.session.end_reason': 'client_left',
  })
  for (const name of ['connect to provider', response.name, 'execute_tool pay'])
    expect(named(name)).toMatchObject({ parentSpanId: session.spanId })
  expect(response.attributes).toMatchObject({ 'gen_ai.response.id': 'resp_1' })
  expect((await called).headers.traceparent).toBe(
    `00-${caller.traceId}-${named('execute_tool pay').spanId}-01`,
  )
  await expect.poll(() => linesOf(caller.traceId), patiently).toContain('realtime session ended')
  const ended = service.running.log.find((line) => line.includes('realtime session ended')) ?? '{}'
  expect(JSON.parse(ended)).toMatchObject({
    sessionId: expect.any(String),
    organizationId: service.running.organizationId,
    agentId,
    callerId: expect.any(String),
    ip: '127.0.0.1',
  })
  expect(linesOf(caller.traceId)).toContain('request')
})
