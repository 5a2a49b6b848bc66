import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type JobSessions, jobCall, mapCall, startJobSessions } from '../../support/realtime/job-sessions.js'
import { requestsAfterAll, requestsTo, roundTrip } from '../../support/realtime/session-traffic.js'
import { customEventsIn, messagesOf } from '../../support/realtime/spoken-turns.js'
import { makeToolAgent, playCalls, type ToolSession, takeOutput } from '../../support/realtime/tool-calls.js'

let jobs: JobSessions

beforeAll(async () => {
  jobs = await startJobSessions()
})

afterEach(() => jobs.finish())

afterAll(() => jobs.close())

const outputOf = (callId: string) => ({
  type: 'conversation.item.create',
  event_id: `answer_${callId}`,
  item: { type: 'function_call_output', call_id: callId, output: 'said by the client' },
})

async function expectRefused({ client }: ToolSession, callId: string): Promise<void> {
  expect(await client.inbox.takeType('error')).toMatchObject({
    error: { code: 'backend_tool_output_not_allowed', event_id: `answer_${callId}` },
  })
}

describe('a client tool', () => {
  test("is offered to the provider beside the agent's tools", async () => {
    const { provider } = await jobs.open()
    const [update] = provider.inbox.all.map(({ data }) => JSON.parse(data.toString()))
    expect(update.session.tools).toMatchObject([
      { type: 'function', name: 'job', description: 'Does a job.' },
      { type: 'function', name: 'show_map', description: 'Shows a map.' },
    ])
  })

  test('is never run, announced or stored, and its frames pass unchanged [1.5-1] [6.4-1]', async () => {
    const session = await jobs.open()
    const { client, provider, ticket } = session
    playCalls(provider, 'r1', [mapCall])
    await roundTrip(session)
    const frames = [
      '{"item" : {"call_id":"map", "output":"\\u00e9\\t1.0", "type":"function_call_output"}, "type":"conversation.item.create"}',
      ' {"type": "response.create"}',
    ]
    for (const frame of frames) client.send(frame)
    expect(await requestsAfterAll(session)).toEqual(['client output map', 'client create'])
    const arrived = provider.inbox.all.map(({ data }) => data.toString())
    expect(arrived.filter((text) => frames.includes(text))).toEqual(frames)
    expect(customEventsIn(client)).toEqual([])
    expect(await messagesOf(jobs.running.client, ticket.conversationId)).toEqual([])
  })

  test('is not matched by a name in another letter case', async () => {
    const session = await jobs.open()
    playCalls(session.provider, 'r1', [{ ...mapCall, name: 'Show_Map' }])
    expect((await takeOutput(session.provider)).output).toMatch(/The tool Show_Map does not exist/)
  })
})

describe('the name of a client tool', () => {
  async function refusedPaths(agentId: string, names: readonly string[]): Promise<unknown> {
    const clientTools = names.map((name) => ({ name, description: 'A tool of the client.' }))
    const path = `/api/v1/Agent/${agentId}/realtime-session`
    const { status, body } = await jobs.running.client.call('POST', path, { body: { clientTools } })
    expect([status, body.errorCode]).toEqual([400, 'InvalidRequest'])
    return (body.errors as { path: string }[]).map((error) => error.path)
  }

  test('cannot be that of a tool, a sub-agent, or a possible tool of an MCP server [4.3-4]', async () => {
    const subAgentId = await makeToolAgent(jobs.running, { name: 'Travel desk' })
    const agentId = await makeToolAgent(jobs.running, {
      subAgentIds: [subAgentId],
      tools: [
        { kind: 'builtin', name: 'clock', builtin: 'current_time' },
        { kind: 'mcp', name: 'files', server: { url: `${jobs.tools.url}/mcp` } },
      ],
    })
    // The service tries the current MCP transport, then the older one.
    for (const status of [404, 404]) void jobs.tools.expect('POST /mcp', { status })
    const names = ['free', 'clock', 'ask_travel_desk', 'files__read', 'files', 'files_read', 'ask_nobody']
    expect(await refusedPaths(agentId, names)).toEqual([1, 2, 3, 4].map((at) => `clientTools[${at}].name`))
  })
})

describe('a client output for a call of the service', () => {
  test('is rejected while the call runs [RT-7]', async () => {
    const session = await jobs.open()
    const held = jobs.hold('a')
    playCalls(session.provider, 'r1', [jobCall('a')])
    await held.called
    session.client.send(outputOf('a'))
    await expectRefused(session, 'a')
    await held.give('done')
    expect((await takeOutput(session.provider)).output).toBe('done')
    expect(await requestsAfterAll(session)).toEqual(['output a', 'create'])
  })

  test('is rejected after the call has its output [RT-7]', async () => {
    const session = await jobs.open()
    const held = jobs.hold('a')
    playCalls(session.provider, 'r1', [jobCall('a')])
    await held.give('done')
    await takeOutput(session.provider)
    session.client.send(outputOf('a'))
    await expectRefused(session, 'a')
    expect(await requestsAfterAll(session)).toEqual(['output a', 'create'])
  })

  test("is rejected if the model invented the tool's name [RT-7]", async () => {
    const session = await jobs.open()
    playCalls(session.provider, 'r1', [{ callId: 'x', name: 'no_such_tool' }])
    await takeOutput(session.provider)
    session.client.send(outputOf('x'))
    await expectRefused(session, 'x')
    expect(await requestsAfterAll(session)).toEqual(['output x', 'create'])
  })

  test('is rejected if no such call was made [RT-7]', async () => {
    const session = await jobs.open()
    session.client.send(outputOf('never'))
    await expectRefused(session, 'never')
    expect(requestsTo(session.provider)).toEqual([])
  })

  test('is rejected even if the client has a call with the same id [RT-7]', async () => {
    const session = await jobs.open()
    const held = jobs.hold('a')
    playCalls(session.provider, 'r1', [mapCall, { ...jobCall('a'), callId: mapCall.callId }])
    await held.called
    session.client.send(outputOf(mapCall.callId))
    await expectRefused(session, mapCall.callId)
    await held.give('done')
    expect((await takeOutput(session.provider)).output).toBe('done')
  })

  test('is rejected if only the name of the call has arrived so far [RT-7]', async () => {
    const session = await jobs.open()
    const item = { id: 'i', type: 'function_call', call_id: 'a', name: 'job', arguments: '' }
    session.provider.send({ type: 'response.output_item.added', response_id: 'r1', item })
    await roundTrip(session)
    session.client.send(outputOf('a'))
    await expectRefused(session, 'a')
    expect(requestsTo(session.provider)).toEqual([])
  })
})

test('an item with a call that the client creates is rejected and runs nothing, even if it is echoed [TOOL-1]', async () => {
  const session = await jobs.open()
  const { arguments: given } = jobCall('a')
  const item = {
    id: 'i',
    type: 'function_call',
    status: 'completed',
    call_id: 'a',
    name: 'job',
    arguments: given,
  }
  session.client.send({ type: 'conversation.item.create', item })
  expect(await session.client.inbox.takeType('error')).toMatchObject({
    error: { code: 'function_call_not_allowed' },
  })
  for (const type of ['added', 'created', 'done', 'retrieved'])
    session.provider.send({ type: `conversation.item.${type}`, previous_item_id: null, item })
  expect(await requestsAfterAll(session)).toEqual([])
  expect(customEventsIn(session.client)).toEqual([])
  expect(jobs.tools.requests).toEqual([])
})
