import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'
import type { ProviderSession } from '../../support/realtime/scripted-provider.js'
import {
  makeToolAgent,
  openSessionOf,
  openToolSession,
  playCalls,
  type ToolSession,
  takeOutput,
} from '../../support/realtime/tool-calls.js'
import { approvalsOf, callMessages, customTypes, takeQuestion } from '../../support/realtime/waiting-calls.js'
import { makeTestClock } from '../../support/test-clock.js'
import { local, type McpHttpServer, type Trace, useMcp } from '../../support/tools/mcp-servers.js'

const mcp = useMcp(afterAll)
const clock = makeTestClock()

let running: RealtimeTestService
let trace: Trace
let stdioTrace: Trace

beforeAll(async () => {
  trace = await mcp.trace()
  stdioTrace = await mcp.trace()
  const servers = JSON.stringify(mcp.stdioServer(stdioTrace))
  running = await startRealtimeService({ clock, env: { PARLEY_MCP_SERVERS: servers } })
})

afterAll(() => running.close())

const deskTool = ({ target }: McpHttpServer, extra: object = {}) => ({
  kind: 'mcp',
  name: 'desk',
  server: { url: target.url },
  allowedTools: ['echo', 'process_id', 'headers'],
  ...extra,
})

const localTool = { kind: 'mcp', name: 'shop', server: { name: local.name }, allowedTools: ['echo', 'end'] }

/** Returns the tools that the provider of a new session receives. */
async function offeredTools(agentId: string) {
  const ticket = await running.createTicket({}, agentId)
  const client = await running.connect(ticket.webSocketPath)
  const provider = await running.provider.accept()
  const { session } = (await provider.inbox.takeType('session.update')) as {
    session: { tools: { name: string }[] }
  }
  client.socket.close()
  return session.tools
}

const namesOf = (tools: readonly { name: string }[]) => tools.map(({ name }) => name)

let calls = 0

/** Lets the model call the tool. Returns its output after the client has received the event. */
async function call({ provider, client }: ToolSession, name: string, value = 'hello'): Promise<string> {
  calls += 1
  const callId = `call_${calls}`
  playOne(provider, callId, name, value)
  const { output } = await takeOutput(provider)
  await client.inbox.takeType('response.function_invocation.done')
  return output
}

function playOne(provider: ProviderSession, callId: string, name: string, value: string): void {
  playCalls(provider, `resp_${callId}`, [{ callId, name, arguments: JSON.stringify({ value }) }])
}

const statusesOf = async ({ ticket }: ToolSession) =>
  (await callMessages(running.client, ticket.conversationId)).map(({ status }) => status)

describe('an MCP server over HTTP', () => {
  test('offers only its allowed tools, runs them, and its secrets are masked in their output [TOOL-6] [TOOL-9]', async () => {
    const server = await mcp.startHttpServer(trace)
    const session = await openToolSession(running, {
      tools: [deskTool(server, { server: { url: server.target.url, headers: { 'x-key': 'top-secret' } } })],
    })
    const offered = await offeredTools(session.agentId)
    expect(namesOf(offered)).toEqual(['desk__echo', 'desk__process_id', 'desk__headers'])
    expect(offered[0]).toEqual({
      type: 'function',
      name: 'desk__echo',
      description: 'Says it again.',
      parameters: { type: 'object', properties: { value: { type: 'string' } } },
    })
    expect(await call(session, 'desk__echo', 'hello')).toBe('hello')
    // The server received the secret, but the output masks it.
    expect(JSON.parse(await call(session, 'desk__headers'))).toMatchObject({ 'x-key': '[secret]' })
    expect(await call(session, 'desk__fail')).toBe('The tool desk__fail does not exist.')
    const [message] = await callMessages(running.client, session.ticket.conversationId)
    expect(message).toMatchObject({ role: 'tool', name: 'desk__echo', status: 1, content: 'hello' })
    expect(await trace.count(`call echo ${message?.id}`)).toBe(1)
    expect(await statusesOf(session)).toEqual([1, 1, 2])
    session.client.socket.close()
  })

  test('fails a call if it dies during the session, and runs the next one after its restart [TOOL-8]', async () => {
    const server = await mcp.startHttpServer(trace)
    const session = await openToolSession(running, { tools: [deskTool(server)] })
    const before = await call(session, 'desk__process_id')
    await server.kill()
    expect(await call(session, 'desk__process_id')).not.toMatch(/^\d+$/)
    await mcp.startHttpServer(trace, { port: server.port })
    const after = await call(session, 'desk__process_id')
    expect(after).toMatch(/^\d+$/)
    expect(after).not.toBe(before)
    expect(await statusesOf(session)).toEqual([1, 2, 1])
    session.client.socket.close()
  })

  test('keeps the tools it offered last for a new session while it is unavailable [TOOL-9]', async () => {
    const server = await mcp.startHttpServer(trace)
    const agentId = await makeToolAgent(running, { tools: [deskTool(server, { allowedTools: ['echo'] })] })
    expect(namesOf(await offeredTools(agentId))).toEqual(['desk__echo'])
    await server.kill()
    // Longer than a tool list is cached.
    clock.advance(120_000)
    expect(namesOf(await offeredTools(agentId))).toEqual(['desk__echo'])
    const session = { ...(await openSessionOf(running, agentId)), agentId }
    expect(await call(session, 'desk__echo')).not.toBe('hello')
    await mcp.startHttpServer(trace, { port: server.port })
    expect(await call(session, 'desk__echo')).toBe('hello')
    session.client.socket.close()
  })

  test('offers no tools if it was never reachable, and the session still starts [TOOL-9]', async () => {
    const server = await mcp.startHttpServer(trace)
    await server.kill()
    const agentId = await makeToolAgent(running, { tools: [deskTool(server)] })
    expect(await offeredTools(agentId)).toEqual([])
    await mcp.startHttpServer(trace, { port: server.port })
    expect(namesOf(await offeredTools(agentId))).toHaveLength(3)
  })

  test('is queried again when its cached tool list is stale [TOOL-9]', async () => {
    const own = await mcp.trace()
    const server = await mcp.startHttpServer(own)
    const agentId = await makeToolAgent(running, { tools: [deskTool(server)] })
    await offeredTools(agentId)
    await offeredTools(agentId)
    expect(await own.count('list 0')).toBe(1)
    clock.advance(61_000)
    await offeredTools(agentId)
    expect(await own.count('list 0')).toBe(2)
  })

  test('is not called before a person approves if the tool requires approval [3.2-1]', async () => {
    const own = await mcp.trace()
    const server = await mcp.startHttpServer(own)
    const session = await openToolSession(running, { tools: [deskTool(server, { approvalRequired: true })] })
    playOne(session.provider, 'call_guarded', 'desk__echo', 'approved words')
    const { start } = await takeQuestion(session)
    expect(await approvalsOf(running.client, session.ticket.conversationId)).toMatchObject([
      { tool: 'desk__echo', arguments: '{"value":"approved words"}', state: 'waiting' },
    ])
    expect(await own.count(`call echo ${start.data.id}`)).toBe(0)
    session.client.send({ type: 'approval.approve', callId: 'call_guarded' })
    expect((await takeOutput(session.provider)).output).toBe('approved words')
    expect(await own.count(`call echo ${start.data.id}`)).toBe(1)
    await session.client.inbox.takeType('response.function_invocation.done')
    expect(customTypes(session)).toContain('approval.approved')
    session.client.socket.close()
  })
})

describe("the operator's server over stdio", () => {
  test('offers only its allowed tools, fails the call during which it exits, and runs the next one [TOOL-8]', async () => {
    const session = await openToolSession(running, { tools: [localTool] })
    expect(namesOf(await offeredTools(session.agentId))).toEqual(['shop__echo', 'shop__end'])
    expect(await call(session, 'shop__echo')).toBe('hello')
    expect(await call(session, 'shop__end')).not.toBe('')
    expect(await call(session, 'shop__echo', 'again')).toBe('again')
    expect(await statusesOf(session)).toEqual([1, 2, 1])
    const [, ended] = await callMessages(running.client, session.ticket.conversationId)
    // A call that may have had an effect is not repeated.
    expect(await stdioTrace.count(`call end ${ended?.id}`)).toBe(1)
    session.client.socket.close()
  })
})

test('a client tool cannot take a name that belongs to an MCP tool', async () => {
  const server = await mcp.startHttpServer(trace)
  const agentId = await makeToolAgent(running, { tools: [deskTool(server)] })
  const body = { clientTools: [{ name: 'desk__other', description: 'Mine.' }] }
  const answer = await running.client.call('POST', `/api/v1/Agent/${agentId}/realtime-session`, { body })
  expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: 'clientTools[0].name' }] } })
})
