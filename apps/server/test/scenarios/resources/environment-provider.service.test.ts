import type { Connection, Page, Problem, ToolTrial } from '@parley/contract'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { ApiClient } from '../../support/api-client.js'
import { addOrganization } from '../../support/organizations.js'
import { ask } from '../../support/questions/ask.js'
import { openSocket } from '../../support/realtime/open-socket.js'
import { startScriptedProvider } from '../../support/realtime/scripted-provider.js'
import { type ScriptedChatServer, startScriptedChatServer } from '../../support/scripted-chat-server.js'
import { type RunningService, startService } from '../../support/start-service.js'

/** The operator's provider. It has a private address and is named only by OPENAI_BASE_URL. */
let provider: ScriptedChatServer
let running: RunningService
let stranger: ApiClient
let connection: Connection

beforeAll(async () => {
  provider = await startScriptedChatServer()
  running = await startService({ env: { OPENAI_API_KEY: 'sk-operator', OPENAI_BASE_URL: provider.baseUrl } })
  stranger = running.client.as(await addOrganization(running))
  const { body } = await running.client.call<Page<Connection>>('GET', '/api/v1/Connection')
  const found = body.items.find(({ isDefault }) => isDefault)
  if (found === undefined) throw new Error('The environment created no connection.')
  connection = found
})

afterEach(() => provider.verify())

afterAll(async () => {
  await running.close()
  await provider.close()
})

const path = () => `/api/v1/Connection/${connection.id}`

describe('the connection of OPENAI_BASE_URL', () => {
  test('reaches its provider for text questions [OUT-6]', async () => {
    const patch = { models: { chat: 'a-model' } }
    expect((await running.client.call('PATCH', path(), { body: patch })).status).toBe(200)
    const agent = await running.client.call<{ id: string }>('POST', '/api/v1/Agent', {
      body: { name: 'Speaker' },
    })
    provider.answer({ text: 'Yes.' })
    expect((await ask(running, agent.body.id, { question: 'Are you there?' })).status).toBe(200)
  })

  test('reaches its provider after it is saved unchanged [OUT-6]', async () => {
    const { body: current } = await running.client.call<Connection>('GET', path())
    expect((await running.client.call('PUT', path(), { body: current })).status).toBe(200)
  })

  test('reaches its provider for realtime sessions [OUT-6]', async () => {
    const realtime = await startScriptedProvider()
    const service = await startService({
      env: { OPENAI_API_KEY: 'sk-operator', OPENAI_BASE_URL: realtime.baseUrl },
    })
    const { body } = await service.client.call<Page<{ id: string }>>('GET', '/api/v1/Agent')
    const ticket = await service.client.call<{ webSocketPath: string }>(
      'POST',
      `/api/v1/Agent/${body.items[0]?.id}/realtime-session`,
      { body: {} },
    )
    const client = await openSocket(service.url, ticket.body.webSocketPath)
    await (await realtime.accept()).inbox.takeType('session.update')
    client.socket.close()
    await service.close()
    await realtime.close()
  })
})

describe('the provider of OPENAI_BASE_URL', () => {
  const http = (url: string) => ({
    kind: 'http',
    name: 'spy',
    description: 'Looks around.',
    request: { method: 'GET', url },
  })
  const mcp = (url: string) => ({ kind: 'mcp', name: 'spy', server: { url } })
  const other = (baseUrl: string) => ({ name: 'Other', kind: 'openai-compatible', baseUrl })

  const attempts: readonly [what: string, path: string, body: (url: string) => object, field: string][] = [
    ['a tool', '/api/v1/Agent', (url) => ({ name: 'Spy', tools: [http(url)] }), 'tools[0].request.url'],
    ['an MCP server', '/api/v1/Agent', (url) => ({ name: 'Spy', tools: [mcp(url)] }), 'tools[0].server.url'],
    ['another connection', '/api/v1/Connection', other, 'baseUrl'],
  ]
  const callers: readonly [whose: string, client: () => ApiClient][] = [
    ['of the same organization', () => running.client],
    ['of another organization', () => stranger],
  ]
  const rows = attempts.flatMap(([what, ...attempt]) =>
    callers.map(([whose, client]) => [`${what} ${whose}`, client, ...attempt] as const),
  )

  test.each(rows)('is not reachable by %s [OUT-6]', async (_, client, target, body, field) => {
    const answer = await client().call<Problem>('POST', target, { body: body(`${provider.origin}/v1`) })
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toMatchObject([
      { path: field, message: expect.stringContaining('PARLEY_ALLOWED_PRIVATE_HOSTS') },
    ])
  })

  test('is not reachable by its own connection with another path [OUT-6]', async () => {
    const answer = await running.client.call<Problem>('PATCH', path(), {
      body: { baseUrl: `${provider.origin}/admin` },
    })
    expect([answer.status, answer.body.errors?.[0]?.path]).toEqual([400, 'baseUrl'])
  })

  test('is not reachable by a tool that was saved when it was allowed [OUT-6]', async () => {
    const { agents } = running.service.database.stores
    const made = await running.client.call<{ id: string }>('POST', '/api/v1/Agent', {
      body: { name: 'Old', tools: [http('https://example.com/')] },
    })
    const agent = await agents.find(running.organizationId, made.body.id)
    const [tool] = agent?.tools ?? []
    if (!agent || tool?.kind !== 'http') throw new Error('The agent does not have the tool.')
    const open = { ...tool, request: { ...tool.request, url: `${provider.origin}/v1` } }
    await agents.update({ ...agent, tools: [open], version: agent.version + 1 }, agent.version)
    const trial = await running.client.call<ToolTrial>('POST', `/api/v1/Agent/${agent.id}/tool/spy/test`, {
      body: { dryRun: false },
    })
    expect(trial.body).toMatchObject({ isSuccess: false, output: expect.stringContaining('not a public') })
    expect(provider.requests).toEqual([])
  })
})
