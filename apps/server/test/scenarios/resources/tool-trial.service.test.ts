import type { Problem, Scope, ToolTrial } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { readRecords } from '../../support/audit/audit-fixture.js'
import { addApiKey, addOrganization } from '../../support/organizations.js'
import { type ScriptedHttpServer, startScriptedHttpServer } from '../../support/scripted-http-server.js'
import { withPostgresClient } from '../../support/services/postgres-connection.js'
import { migratedDatabase, type RunningService, startService } from '../../support/start-service.js'

let running: RunningService
let server: ScriptedHttpServer
let agentId: string

beforeAll(async () => {
  server = await startScriptedHttpServer()
  running = await startService({ env: { PARLEY_ALLOWED_PRIVATE_HOSTS: `127.0.0.1:${server.port}` } })
  const parameters = {
    type: 'object',
    properties: { city: { type: 'string' }, days: { type: 'integer' } },
    required: ['city'],
  }
  const shared = { kind: 'http', description: 'Asks about the weather.', parameters }
  const order = { method: 'POST', url: `${server.url}/weather/{city}`, headers: { 'x-key': 'top-secret' } }
  const made = await running.client.call<{ id: string }>('POST', '/api/v1/Agent', {
    body: {
      name: 'Weatherman',
      tools: [
        { ...shared, name: 'order', request: order, approvalRequired: true },
        { ...shared, name: 'ask', request: { method: 'GET', url: `${server.url}/weather/{city}` } },
        { kind: 'builtin', name: 'clock', builtin: 'current_time' },
      ],
    },
  })
  if (made.status !== 201) throw new Error(made.text)
  agentId = made.body.id
})

afterEach(() => server.verify())

afterAll(async () => {
  await running.close()
  await server.close()
})

const pathOf = (tool: string, agent = agentId) => `/api/v1/Agent/${agent}/tool/${tool}/test`

async function tryTool(tool: string, body: object, agent = agentId): Promise<ToolTrial> {
  const answer = await running.client.call<ToolTrial>('POST', pathOf(tool, agent), { body })
  expect(answer.status, answer.text).toBe(200)
  expect(answer.text).not.toContain('top-secret')
  return answer.body
}

const paris = { city: 'Paris', days: 3 }

describe('a dry trial', () => {
  test.each([
    ['with a body', 'order', { method: 'POST', url: '/weather/Paris', body: '{"days":3}' }],
    ['with a query', 'ask', { method: 'GET', url: '/weather/Paris?days=3', body: null }],
  ])('shows the request %s and sends nothing [TOOL-13]', async (_, tool, request) => {
    const trial = await tryTool(tool, { arguments: paris, dryRun: true })
    expect(trial).toEqual({
      isSuccess: true,
      output: 'The arguments are valid. The tool was not called.',
      request: { ...request, url: `${server.url}${request.url}` },
      executionTimeSeconds: 0,
    })
    expect(server.requests).toEqual([])
  })

  test('is the default [TOOL-13]', async () => {
    expect(await tryTool('clock', {})).toEqual({
      isSuccess: true,
      output: 'The arguments are valid. The tool was not called.',
      request: null,
      executionTimeSeconds: 0,
    })
  })
})

describe('a real trial', () => {
  test('runs the tool with its headers and without approval [TOOL-13]', async () => {
    const called = server.expect('POST /weather/Paris', { body: { sky: 'blue' } })
    const trial = await tryTool('order', { arguments: paris, dryRun: false })
    expect(await called).toMatchObject({ headers: { 'x-key': 'top-secret' }, body: '{"days":3}' })
    expect(trial).toEqual({
      isSuccess: true,
      output: '{"sky":"blue"}',
      request: { method: 'POST', url: `${server.url}/weather/Paris`, body: '{"days":3}' },
      executionTimeSeconds: expect.any(Number),
    })
    expect(trial.executionTimeSeconds).toBeGreaterThan(0)
    const { body } = await running.client.call<{ items: unknown[] }>('GET', '/api/v1/Approval')
    expect(body.items).toEqual([])
  })

  test('reports an error of the server [TOOL-13]', async () => {
    void server.expect('GET /weather/Paris', { status: 503, body: 'closed' })
    const trial = await tryTool('ask', { arguments: { city: 'Paris' }, dryRun: false })
    expect(trial).toMatchObject({ isSuccess: false, output: expect.stringMatching(/503[\s\S]*closed/) })
  })

  test('does not show a header that the server echoes [TOOL-13]', async () => {
    void server.expect('POST /weather/Paris', { body: { key: 'top-secret' } })
    const trial = await tryTool('order', { arguments: paris, dryRun: false })
    expect(trial.isSuccess).toBe(true)
  })

  test('is audited with its tool [TOOL-26] [TOOL-13]', async () => {
    void server.expect('POST /weather/Paris', {})
    const requestId = `trial-${uuid()}`
    const headers = { 'x-request-id': requestId }
    for (const dryRun of [true, false])
      await running.client.call('POST', pathOf('order'), { body: { arguments: paris, dryRun }, headers })
    const records = (await readRecords(running.client)).filter((record) => record.requestId === requestId)
    expect(records).toMatchObject([
      {
        action: 'agent.tool_run',
        resourceType: 'Agent',
        resourceId: agentId,
        outcome: 'success',
        details: { tool: 'order', approvalRequired: true },
      },
    ])
  })

  test('does not run if its audit record cannot be written [TOOL-26] [TOOL-13]', async () => {
    const database = await migratedDatabase()
    const other = await startService({
      env: { DATABASE_URL: database.url, PARLEY_ALLOWED_PRIVATE_HOSTS: `127.0.0.1:${server.port}` },
    })
    const request = { method: 'POST', url: `${server.url}/go` }
    const tool = { kind: 'http', name: 'go', description: 'Goes.', request }
    const made = await other.client.call<{ id: string }>('POST', '/api/v1/Agent', {
      body: { name: 'Runner', tools: [tool] },
    })
    await withPostgresClient(database.url, (sql) => sql.query('alter table audit_record rename to gone'))
    const path = pathOf('go', made.body.id)
    expect((await other.client.call('POST', path, { body: { dryRun: false } })).status).toBe(500)
    expect(server.requests).toEqual([])
    await other.close()
    await database.drop()
  })

  test('runs a built-in tool [TOOL-13]', async () => {
    const trial = await tryTool('clock', { arguments: { timeZone: 'Asia/Tokyo' }, dryRun: false })
    expect(trial).toMatchObject({ isSuccess: true, request: null })
    expect(trial.output).toContain('(Asia/Tokyo)')
  })
})

describe.each([true, false])('a trial (dry: %s) that cannot be made', (dryRun) => {
  test.each([
    ['for a missing argument', 'ask', {}, /must have required property 'city'/],
    ['for an argument of the wrong type', 'ask', { city: 'Paris', days: 'three' }, /days must be integer/],
    [
      'for an argument that changes the path',
      'ask',
      { city: '..' },
      /is part of the address and must not be "." or "\.\."/,
    ],
  ])('gives the reason %s', async (_, tool, given, why) => {
    const trial = await tryTool(tool, { arguments: given, dryRun })
    expect(trial).toEqual({
      isSuccess: false,
      output: expect.stringMatching(why),
      request: null,
      executionTimeSeconds: 0,
    })
    expect(server.requests).toEqual([])
  })

  test('gives the reason for an address that is no longer allowed', async () => {
    const trial = await tryTool('ask', { arguments: paris, dryRun }, await addAgentOfForbiddenTool())
    expect(trial).toMatchObject({ isSuccess: false, request: null, executionTimeSeconds: 0 })
    expect(trial.output).toMatch(/not a public address/)
  })
})

/** Inserts the agent directly into the database, because the API rejects such an address. */
async function addAgentOfForbiddenTool(): Promise<string> {
  const { agents } = running.service.database.stores
  const agent = await agents.find(running.organizationId, agentId)
  const tool = agent?.tools.find(({ name }) => name === 'ask')
  if (!agent || tool?.kind !== 'http') throw new Error('The agent does not have the tool.')
  const forbidden = { ...tool, request: { ...tool.request, url: 'http://127.0.0.1:9/{city}' } }
  const id = uuid()
  await agents.insert({ ...agent, id, tools: [forbidden], toolSecrets: {} })
  return id
}

describe('a rejected trial', () => {
  const body = { arguments: paris, dryRun: false }

  test.each([
    ['for an unknown tool', () => pathOf('sing')],
    ['for an unknown agent', () => pathOf('ask', uuid())],
  ])('returns 404 %s', async (_, path) => {
    const answer = await running.client.call<Problem>('POST', path(), { body })
    expect([answer.status, answer.body.errorCode]).toEqual([404, 'NotFound'])
  })

  test('returns 404 for another organization', async () => {
    const stranger = running.client.as(await addOrganization(running))
    expect((await stranger.call('POST', pathOf('ask'), { body })).status).toBe(404)
  })

  test('returns 403 for a key that may only read agents', async () => {
    const { stores } = running.service.database
    const reader = running.client.as({
      apiKey: await addApiKey(stores, running.organizationId, ['agent:read']),
    })
    expect((await reader.call('POST', pathOf('ask'), { body })).status).toBe(403)
  })

  describe('a tool that needs approval', () => {
    const rows: readonly [string, Scope[], string, boolean, number][] = [
      ['agent:write alone', ['agent:write'], 'order', false, 403],
      ['agent:write alone, dry', ['agent:write'], 'order', true, 200],
      ['agent:write alone, no approval needed', ['agent:write'], 'ask', false, 200],
      ['approval:decide alone', ['approval:decide'], 'order', false, 403],
      ['both', ['agent:write', 'approval:decide'], 'order', false, 200],
    ]

    test.each(rows)(
      'requires approval:decide too, here for a key with %s: %s [TOOL-26]',
      async (_, scopes, tool, dryRun, status) => {
        const isRun = status === 200 && !dryRun
        const target = tool === 'order' ? 'POST /weather/Paris' : 'GET /weather/Paris?days=3'
        if (isRun) void server.expect(target, { body: 'sunny' })
        const apiKey = await addApiKey(running.service.database.stores, running.organizationId, scopes)
        const answer = await running.client
          .as({ apiKey })
          .call<Problem>('POST', pathOf(tool), { body: { arguments: paris, dryRun } })
        expect(answer.status).toBe(status)
        if (status === 403) {
          expect(answer.body.errorCode).toBe('Forbidden')
          expect(answer.body.detail).toContain(
            scopes.includes('agent:write') ? 'approval:decide' : 'agent:write',
          )
          expect((await readRecords(running.client))[0]).toMatchObject({
            action: 'access.refused',
            details: { operation: 'testAgentTool', detail: answer.body.detail },
          })
        }
        expect(server.requests.length > 0).toBe(isRun)
      },
    )
  })

  test.each([
    ['arguments that are an array', { arguments: ['Paris'] }, 'arguments'],
    ['a dryRun that is a string', { arguments: paris, dryRun: 'no' }, 'dryRun'],
  ])('returns 400 for %s', async (_, wrong, path) => {
    const answer = await running.client.call<Problem>('POST', pathOf('ask'), { body: wrong })
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toMatchObject([{ path }])
  })
})
