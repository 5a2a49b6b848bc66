import { type AuditLogRecord, type Page, type Scope, scopes } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import { readProjectFile } from '../../house/source-files.js'
import { expectProblem } from '../../support/http/expect-problem.js'
import { send } from '../../support/http/send.js'
import { connectMcp, generations, type McpClient } from '../../support/mcp/mcp-clients.js'
import { addApiKey, addOrganization } from '../../support/organizations.js'
import { signedIn } from '../../support/people/signed-in.js'
import { runCurl } from '../../support/process/run-curl.js'
import { useQuestionService } from '../../support/questions/question-service.js'
import { approvalsOf, refundTool } from '../../support/realtime/waiting-calls.js'

const questionService = useQuestionService()

const usualTools = [
  'list_agents',
  'list_conversations',
  'create_task',
  'run_task',
  'list_approvals',
  'ask_agent',
  'get_answer',
]

const keyWith = (keyScopes: Scope[], expiresAt?: string) =>
  addApiKey(
    questionService.running.service.database.stores,
    questionService.running.organizationId,
    keyScopes,
    expiresAt,
  )

const namesOf = async (client: McpClient) => (await client.tools()).map(({ name }) => name)

const auditOf = async (action: string) => {
  const path = `/api/v1/AuditLog?Action=${action}&Limit=5`
  return (await questionService.running.client.call<Page<AuditLogRecord>>('GET', path)).body.items
}

describe.each(generations)('an official client (%s)', (generation) => {
  const connect = (bearer = questionService.running.apiKey) =>
    connectMcp(questionService.running.url, generation, bearer)

  test('finds the agents, asks one and continues the conversation [MCP-1] [MCP-2]', async () => {
    const agentId = await questionService.makeAgent({
      name: `Desk ${generation}`,
      description: 'Knows the hotel.',
    })
    const client = await connect()
    expect(client.version).toBe(generation === 'greeted' ? '2025-11-25' : '2026-07-28')
    const tools = await client.tools()
    expect(tools.map(({ name }) => name)).toEqual(usualTools)
    expect(tools[0]?.annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false })
    const listed = await client.call('list_agents', { search: `Desk ${generation}` })
    expect(listed.structured).toMatchObject({
      items: [{ id: agentId, name: `Desk ${generation}`, description: 'Knows the hotel.' }],
      totalCount: 1,
    })
    expect(JSON.parse(listed.text)).toEqual(listed.structured)
    questionService.model.answer({ text: 'At seven.' }, { text: 'Until ten.' })
    const first = await client.call('ask_agent', { agentId, question: 'When is breakfast?' })
    expect(first.structured).toMatchObject({ status: 'completed', answer: 'At seven.' })
    const { conversationId } = first.structured
    const second = await client.call('ask_agent', { agentId, question: 'Until when?', conversationId })
    expect(second.structured).toMatchObject({ answer: 'Until ten.', conversationId })
    const conversations = await client.call('list_conversations', { agentId })
    expect(conversations.structured).toMatchObject({ items: [{ id: conversationId }], totalCount: 1 })
    const [record] = await auditOf('question.ask')
    expect(record).toMatchObject({ actor: { type: 'api_key' }, details: { agentId, channel: 'mcp' } })
    await client.close()
  })

  test('can stop waiting and fetch the answer later [MCP-3]', async () => {
    const agentId = await questionService.makeAgent()
    const client = await connect()
    let answer = () => {}
    const until = new Promise<void>((resolve) => {
      answer = resolve
    })
    questionService.model.answer({ text: 'It took a while.', until })
    const started = await client.call('ask_agent', { agentId, question: 'Hard?', waitSeconds: 0 })
    expect(started.structured).toMatchObject({ status: expect.stringMatching(/^(queued|running)$/) })
    expect(started.structured.next).toContain('get_answer')
    answer()
    const { conversationId, turnId } = started.structured
    const got = await client.call('get_answer', { conversationId, turnId })
    expect(got.structured).toMatchObject({ status: 'completed', answer: 'It took a while.' })
    await client.close()
  })

  test('sees selected agents as tools, with two names for two agents of the same name [MCP-4]', async () => {
    const name = `Night Desk ${generation}`
    const [one, two] = [
      await questionService.makeAgent({ name, mcpTool: true }),
      await questionService.makeAgent({ name, mcpTool: true }),
    ]
    const client = await connect()
    const toolName = `ask_night_desk_${generation}`
    const own = (await namesOf(client)).filter((each) => !usualTools.includes(each))
    expect(own).toEqual([toolName, `${toolName}_${two.slice(-8)}`])
    questionService.model.answer({ text: 'Good evening.' })
    const answer = await client.call(toolName, { question: 'Hello?' })
    expect(answer.structured).toMatchObject({ answer: 'Good evening.' })
    for (const id of [one, two]) await questionService.running.client.call('DELETE', `/api/v1/Agent/${id}`)
    // A client may cache the list for a while.
    const fresh = await connect()
    expect(await namesOf(fresh)).toEqual(usualTools)
    for (const each of [client, fresh]) await each.close()
  })
})

describe('an official client', () => {
  const generation = 'stateless'
  const connect = (bearer = questionService.running.apiKey) =>
    connectMcp(questionService.running.url, generation, bearer)

  test('creates tasks and lets agents run them [MCP-5]', async () => {
    const agentId = await questionService.makeAgent()
    const client = await connect()
    const made = await client.call('create_task', { title: 'Call Anna back', agentId })
    expect(made.structured).toMatchObject({ title: 'Call Anna back', status: 'open', agentId })
    const taskId = made.structured.id
    questionService.model.answer({ text: 'Done.' })
    const run = await client.call('run_task', { taskId })
    expect(run.structured).toMatchObject({ id: taskId, status: 'in_progress' })
    const status = async () =>
      (await questionService.running.client.call<{ status: string }>('GET', `/api/v1/Task/${taskId}`)).body
        .status
    await expect.poll(status, { timeout: 60_000 }).toBe('done')
    const mistaken = await client.call('create_task', { title: '', colour: 'red' })
    expect(mistaken).toMatchObject({ isError: true, text: expect.stringContaining('InvalidRequest') })
    await client.close()
  })

  test('sees waiting approvals and decides them only with a dedicated scope [MCP-6]', async () => {
    const agentId = await questionService.makeAgent({
      name: 'Clerk',
      tools: [refundTool(questionService.tools)],
    })
    const client = await connect()
    questionService.model.answer({
      calls: [{ id: `call_${generation}`, name: 'refund', arguments: '{"amount": 5}' }],
    })
    const waiting = await client.call('ask_agent', { agentId, question: 'Money back!' })
    expect(waiting.structured).toMatchObject({ status: 'waiting_for_approval' })
    const listed = await client.call('list_approvals', { agentId })
    expect(listed.structured).toMatchObject({ items: [{ tool: 'refund', state: 'waiting' }] })
    const { conversationId } = waiting.structured
    const decision = { conversationId, callId: `call_${generation}`, decision: 'reject', reason: 'Not so.' }
    // All default scopes together are not enough.
    const refused = await client.call('decide_approval', decision)
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('approval:delegate') })
    expect((await auditOf('access.refused'))[0]).toMatchObject({
      outcome: 'refused',
      details: { operation: 'decide_approval', channel: 'mcp' },
    })
    const trusted = await connect(await keyWith(['approval:delegate']))
    expect(await namesOf(trusted)).toEqual(['decide_approval'])
    questionService.model.answer({ text: 'No money, then.' })
    expect((await trusted.call('decide_approval', decision)).structured).toMatchObject({ state: 'rejected' })
    const [approval] = await approvalsOf(questionService.running.client, String(conversationId))
    expect(approval).toMatchObject({ state: 'rejected', reason: 'Not so.', decidedBy: { type: 'api_key' } })
    const { turnId } = waiting.structured
    const ended = await client.call('get_answer', { conversationId, turnId })
    expect(ended.structured).toMatchObject({ answer: 'No money, then.' })
    for (const each of [client, trusted]) await each.close()
  })

  test('sees and does what its key allows in its own organization [MCP-7]', async () => {
    const reader = await connect(await keyWith(['agent:read']))
    expect(await namesOf(reader)).toEqual(['list_agents'])
    const agentId = await questionService.makeAgent({ mcpTool: true })
    const refused = await reader.call('ask_agent', { agentId, question: 'Hello?' })
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('question:ask') })
    const other = await connect((await addOrganization(questionService.running)).apiKey)
    expect((await other.call('list_agents')).structured).toMatchObject({ items: [], totalCount: 0 })
    expect(await namesOf(other)).toEqual(usualTools)
    const foreign = await other.call('ask_agent', { agentId, question: 'Hello?' })
    expect(foreign).toMatchObject({ isError: true, text: expect.stringContaining('NotFound') })
    await questionService.running.client.call('DELETE', `/api/v1/Agent/${agentId}`)
    for (const each of [reader, other]) await each.close()
  })
})

describe('the scope approval:delegate', () => {
  const key = { name: 'Assistant', scopes: ['question:ask', 'approval:delegate'] }

  test('can be granted by owners explicitly, and not by keys or admins [MCP-6]', async () => {
    const owner = await signedIn(questionService.running, 'owner')
    expect((await owner.call('POST', '/api/v1/ApiKey', { body: key })).status).toBe(201)
    const admin = await signedIn(questionService.running, 'admin')
    expectProblem(await admin.call('POST', '/api/v1/ApiKey', { body: key }), 'Forbidden')
    const byKey = await questionService.running.client.call('POST', '/api/v1/ApiKey', { body: key })
    expect(byKey.status).toBe(403)
    expect(scopes).not.toContain('approval:delegate')
  })
})

describe('a request', () => {
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
  const post = (headers: Readonly<Record<string, string>>, body: unknown = ping) =>
    send(questionService.running.url, {
      method: 'POST',
      path: '/mcp',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
  const own = () => bearer(questionService.running.apiKey)

  test('is answered with a valid key in either header [MCP-8]', async () => {
    expect(JSON.parse((await post(own())).text)).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
    const { apiKey, organizationId } = questionService.running
    expect((await post({ 'x-api-key': apiKey, 'x-org-id': organizationId })).status).toBe(200)
    expect((await post(own(), { jsonrpc: '2.0', method: 'notifications/initialized' })).status).toBe(202)
  })

  test('gets 401 with a hint if its key is missing, invalid or expired [MCP-8]', async () => {
    const stores = questionService.running.service.database.stores
    const expired = await keyWith(['agent:read'], '2020-01-01T00:00:00.000Z')
    const cookie = (await signedIn(questionService.running, 'owner')).cookie
    for (const headers of [
      {},
      bearer('letmein'),
      bearer(expired),
      { authorization: 'Basic YTpi' },
      { cookie },
    ]) {
      const answer = await post(headers)
      expectProblem(answer, 'Unauthenticated')
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer /)
    }
    expect(await stores.apiKeys.findByPrefix('letmein')).toBeNull()
  })

  test('gets 403 from a page of another site or with a foreign host name [MCP-8]', async () => {
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { host: 'evil.example:8080' },
      { 'x-org-id': uuid() },
    ])
      expectProblem(await post({ ...own(), ...headers }), 'Forbidden')
    expect((await post({ ...own(), origin: questionService.running.url, host: 'localhost:1' })).status).toBe(
      200,
    )
  })

  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const list = (fields: object = {}) => ({
    ...ping,
    method: 'tools/list',
    params: { _meta: meta, ...fields },
  })
  const mcpHeaders = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' }
  const newer = { ...meta, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' }

  test.each<[string, unknown, Readonly<Record<string, string>>, number, number]>([
    ['that is not a message', { hello: 1 }, {}, 400, -32600],
    ['with several messages', [ping, ping], {}, 400, -32600],
    ['for an unknown method', { ...ping, method: 'tools/fly' }, {}, 200, -32601],
    ['for a method removed in 2026', list(), { ...mcpHeaders, 'mcp-method': 'ping' }, 400, -32020],
    ['without the required headers', list(), {}, 400, -32020],
    ['without the metadata its headers announce', { ...ping, method: 'tools/list' }, mcpHeaders, 400, -32602],
    ['with a future protocol version', list({ _meta: newer }), mcpHeaders, 400, -32022],
    ['with an unknown protocol version', ping, { 'mcp-protocol-version': '1999-01-01' }, 400, -32022],
    [
      'with half a surrogate pair',
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"\\ud800"}}`,
      {},
      400,
      -32602,
    ],
  ])('%s is rejected as the protocol specifies [MCP-8]', async (_, body, headers, status, code) => {
    const answer = await post({ ...own(), ...headers }, body)
    expect([answer.status, JSON.parse(answer.text).error.code]).toEqual([status, code])
  })

  test('is rejected like any other if it is too large or not a POST [MCP-8]', async () => {
    expectProblem(await post(own(), `"${'x'.repeat(1024 * 1024)}"`), 'TooLarge')
    for (const method of ['GET', 'DELETE'])
      expectProblem(
        await send(questionService.running.url, { method, path: '/mcp', headers: own() }),
        'MethodNotAllowed',
      )
  })
})

test('the curl examples of docs/reference/mcp.md work unchanged [MCP-13]', async () => {
  const [, lines = ''] = /```sh\n(curl[^`]*)```/.exec(readProjectFile('docs/reference/mcp.md')) ?? []
  const { url, apiKey } = questionService.running
  const answers = await runCurl(lines, { PARLEY_URL: url, PARLEY_API_KEY: apiKey })
  expect(answers.map((answer) => JSON.parse(answer))).toMatchObject([
    { id: 1, result: { tools: expect.arrayContaining([expect.objectContaining({ name: 'list_agents' })]) } },
    { id: 2, result: { structuredContent: { items: expect.any(Array) } } },
    { resource: `${url}/mcp`, authorization_servers: [url] },
  ])
})
