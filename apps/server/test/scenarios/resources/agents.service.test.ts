import type { Agent, Connection, Page, Problem, Task } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ApiClient } from '../../support/api-client.js'
import { addOrganization } from '../../support/organizations.js'
import { type RunningService, startService } from '../../support/start-service.js'

let running: RunningService
let client: ApiClient
/** Another organization, empty at first. */
let stranger: ApiClient

beforeAll(async () => {
  running = await startService()
  client = running.client
  stranger = client.as(await addOrganization(running))
})

afterAll(() => running.close())

const path = '/api/v1/Agent'
const at = (agent: { readonly id: string }) => `${path}/${agent.id}`

async function create(fields: object, by = client): Promise<Agent> {
  const { status, body, text } = await by.call<Agent>('POST', path, { body: { name: 'Agent', ...fields } })
  expect(status, text).toBe(201)
  return body
}

async function createConnection(by = client): Promise<Connection> {
  const body = { name: 'Provider', kind: 'anthropic' }
  return (await by.call<Connection>('POST', '/api/v1/Connection', { body })).body
}

async function refusalOf(method: string, to: string, body: object): Promise<Problem> {
  const answer = await client.call<Problem>(method, to, { body })
  expect(answer.status, answer.text).toBe(400)
  return answer.body
}

const defaults = {
  description: null,
  systemMessage: '',
  connectionId: null,
  model: null,
  realtimeModel: null,
  voice: null,
  firstMessage: null,
  realtimeFallbacks: [],
  exampleQuestions: [],
  variables: [],
  endUserLimits: {},
  icon: null,
  iconColor: null,
  imageUrl: null,
  tools: [],
  subAgentIds: [],
  memory: 'off',
  conversationRetentionDays: null,
  mcpTool: false,
  externalId: null,
  managedBy: null,
}

const bookkeeping = {
  id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
  createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  updatedAt: expect.any(String),
}

async function everyField() {
  return {
    ...{ externalId: null, managedBy: 'hotel' },
    name: 'Front desk',
    description: 'Answers visitors.',
    systemMessage: 'Be brief.\nBe kind. 👋',
    connectionId: (await createConnection()).id,
    model: 'gpt-5-mini',
    realtimeModel: 'gpt-realtime-2.1',
    voice: 'marin',
    firstMessage: 'Hello. How can I help?',
    realtimeFallbacks: [],
    exampleQuestions: ['When is breakfast?', 'Where can I park?'],
    variables: [{ name: 'guest', description: 'The name of the guest.', default: null, required: false }],
    endUserLimits: { questionsPerMinute: 10, concurrentSessions: 2, tokensPerDay: 100_000, costPerDay: 0.25 },
    icon: '🛎',
    iconColor: '#2f6f4f',
    imageUrl: 'https://example.com/desk.png',
    tools: [{ kind: 'builtin', name: 'clock', builtin: 'current_time' }],
    subAgentIds: [(await create({ name: 'Helper' })).id],
    memory: 'facts',
    conversationRetentionDays: 30,
    mcpTool: true,
  }
}

describe('an agent', () => {
  test('has defaults for every field but its name', async () => {
    const agent = await create({ name: 'Only a name' })
    expect(agent).toEqual({ ...bookkeeping, ...defaults, name: 'Only a name' })
    expect(agent.updatedAt).toBe(agent.createdAt)
  })

  test('stores every field', async () => {
    const fields = await everyField()
    const agent = await create(fields)
    expect(agent).toEqual({ ...bookkeeping, ...fields, tools: [expect.objectContaining(fields.tools[0])] })
    expect((await client.call('GET', at(agent))).body).toEqual(agent)
    const page = (await client.call<Page<Agent>>('GET', path)).body
    expect(page.items.find(({ id }) => id === agent.id)).toEqual(agent)
  })

  test('is listed newest first, with Offset and Limit [4.1-1]', async () => {
    const by = client.as(await addOrganization(running))
    const ids: string[] = []
    for (const name of ['one', 'two', 'three']) ids.unshift((await create({ name }, by)).id)
    const { body } = await by.call<Page<Agent>>('GET', `${path}?Offset=1&Limit=1`)
    expect(body).toMatchObject({ items: [{ id: ids[1] }], totalCount: 3, offset: 1, limit: 1 })
    const all = (await by.call<Page<Agent>>('GET', path)).body
    expect(all.items.map(({ id }) => id)).toEqual(ids)
  })

  test('returns to the defaults for fields that a replacement omits', async () => {
    const agent = await create(await everyField())
    const { status, body } = await client.call<Agent>('PUT', at(agent), { body: { name: 'New' } })
    expect(status).toBe(200)
    expect(body).toEqual({
      ...bookkeeping,
      ...defaults,
      name: 'New',
      id: agent.id,
      createdAt: agent.createdAt,
    })
  })

  test('keeps fields that a patch omits', async () => {
    const agent = await create(await everyField())
    const { status, body } = await client.call<Agent>('PATCH', at(agent), {
      body: { name: 'New', voice: null },
    })
    expect(status).toBe(200)
    expect(body).toEqual({ ...agent, name: 'New', voice: null, updatedAt: body.updatedAt })
  })

  test('can be sent back as it was read [API-4]', async () => {
    const agent = await create(await everyField())
    for (const method of ['PUT', 'PATCH']) {
      const { status, body } = await client.call<Agent>(method, at(agent), { body: agent })
      expect(status).toBe(200)
      expect(body).toEqual({ ...agent, updatedAt: body.updatedAt })
    }
  })

  test('is not found by another organization [7.1-1]', async () => {
    const agent = await create({})
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      const options = method === 'PUT' || method === 'PATCH' ? { body: { name: 'Mine' } } : {}
      expect((await stranger.call(method, at(agent), options)).status).toBe(404)
    }
    expect((await client.call('GET', at(agent))).body).toEqual(agent)
  })

  test.each<[string, object]>([
    ['name', {}],
    ['name', { name: '' }],
    ['name', { name: ' \n' }],
    ['name', { name: null }],
    ['name', { name: 'x'.repeat(201) }],
    ['description', { name: 'A', description: 'x'.repeat(2001) }],
    ['systemMessage', { name: 'A', systemMessage: null }],
    ['systemMessage', { name: 'A', systemMessage: 'x'.repeat(100_001) }],
    ['model', { name: 'A', model: '' }],
    ['voice', { name: 'A', voice: 7 }],
    ['imageUrl', { name: 'A', imageUrl: 'javascript:alert(1)' }],
    ['imageUrl', { name: 'A', imageUrl: 'https://user:password@example.com/' }],
    ['tools', { name: 'A', tools: {} }],
    ['subAgentIds', { name: 'A', subAgentIds: null }],
    ['colour', { name: 'A', colour: 'red' }],
  ])('is rejected if %s is invalid [API-15]', async (field, body) => {
    expect((await refusalOf('POST', path, body)).errors).toMatchObject([{ path: field }])
  })
})

describe('Search', () => {
  test.each([
    ['%', ['50% off']],
    ['_', ['snake_case']],
    ['\\', ['back\\slash']],
    ['\\%', []],
    ["'", ["it's"]],
    ['CASE', ['snake_case']],
    ['hidden', ['plain']],
    ['', ['plain', "it's", 'back\\slash', 'snake_case', '50% off']],
  ])('matches %j literally [AGT-7]', async (text, found) => {
    const by = client.as(await addOrganization(running))
    for (const name of ['50% off', 'snake_case', 'back\\slash', "it's"]) await create({ name }, by)
    await create({ name: 'plain', description: 'Has a hidden word' }, by)
    const { body } = await by.call<Page<Agent>>('GET', `${path}?Search=${encodeURIComponent(text)}`)
    expect(body.items.map(({ name }) => name)).toEqual(found)
    expect(body.totalCount).toBe(found.length)
  })
})

describe('a reference of an agent', () => {
  const ways: [string, () => Promise<string>, string][] = [
    ['connectionId', async () => uuid(), 'connectionId'],
    ['connectionId', async () => (await createConnection(stranger)).id, 'connectionId'],
    ['connectionId', async () => 'no-uuid', 'connectionId'],
    ['subAgentIds', async () => uuid(), 'subAgentIds[0]'],
    ['subAgentIds', async () => (await create({}, stranger)).id, 'subAgentIds[0]'],
    ['subAgentIds', async () => 'no-uuid', 'subAgentIds[0]'],
  ]

  test.each(ways)('must exist in its organization: %s (%#) [AGT-5]', async (field, makeId, mistake) => {
    const id = await makeId()
    const named = { name: 'Agent', [field]: field === 'subAgentIds' ? [id] : id }
    const agent = await create({})
    for (const [method, to] of [
      ['POST', path],
      ['PUT', at(agent)],
      ['PATCH', at(agent)],
    ] as const)
      expect((await refusalOf(method, to, named)).errors).toMatchObject([{ path: mistake }])
    expect((await client.call('GET', at(agent))).body).toEqual(agent)
  })

  test('is reported together with every other error [AGT-5]', async () => {
    const { errors } = await refusalOf('POST', path, {
      name: 'Agent',
      connectionId: uuid(),
      subAgentIds: [uuid(), uuid()],
    })
    expect(errors?.map((error) => error.path)).toEqual(['connectionId', 'subAgentIds[0]', 'subAgentIds[1]'])
  })

  test('cannot be the agent itself, in any spelling of its id [AGT-5]', async () => {
    const agent = await create({})
    for (const id of [agent.id, agent.id.toUpperCase()])
      for (const method of ['PUT', 'PATCH'])
        expect((await refusalOf(method, at(agent), { name: 'Agent', subAgentIds: [id] })).errors).toEqual([
          { path: 'subAgentIds[0]', message: 'must not be the agent itself' },
        ])
  })

  test('cannot be repeated, in any spelling of its id [AGT-5]', async () => {
    const { id } = await create({ name: 'Twice' })
    const { errors } = await refusalOf('POST', path, { name: 'A', subAgentIds: [id, id.toUpperCase()] })
    expect(errors).toEqual([{ path: 'subAgentIds', message: 'must not contain duplicates' }])
  })

  test('cannot be mutual, because the agents would ask each other endlessly [AGT-8]', async () => {
    const one = await create({ name: 'One' })
    const other = await create({ name: 'Other', subAgentIds: [one.id] })
    const { errors } = await refusalOf('PATCH', at(one), { subAgentIds: [other.id] })
    expect(errors).toMatchObject([{ path: 'subAgentIds[0]', message: expect.stringContaining('Other') }])
  })

  test.each([
    ['Librarian', 'ask_librarian'],
    ['  Über-Büro & Co. ', 'ask_uber_buro_co'],
    ['図書館', 'ask_agent'],
    ['x'.repeat(100), `ask_${'x'.repeat(60)}`],
  ])('cannot produce the tool name of another tool, for sub-agent %j [AGT-1]', async (name, toolName) => {
    const subAgent = await create({ name })
    const tools = [{ kind: 'builtin', name: toolName, builtin: 'current_time' }]
    const { errors } = await refusalOf('POST', path, { name: 'A', tools, subAgentIds: [subAgent.id] })
    expect(errors).toMatchObject([{ path: 'subAgentIds[0]', message: expect.stringContaining(toolName) }])
  })

  test('cannot produce the same tool name twice [AGT-1]', async () => {
    const ids = [(await create({ name: 'Café Paris' })).id, (await create({ name: 'cafe paris!' })).id]
    const { errors } = await refusalOf('POST', path, { name: 'A', subAgentIds: ids })
    expect(errors).toMatchObject([
      { path: 'subAgentIds[1]', message: expect.stringContaining('ask_cafe_paris') },
    ])
  })
})

describe('a deleted agent', () => {
  async function deleted(): Promise<Agent> {
    const agent = await create({ name: 'Gone' })
    expect((await client.call('DELETE', at(agent))).status).toBe(204)
    return agent
  }

  test('is no longer found [AGT-6]', async () => {
    const agent = await deleted()
    for (const method of ['GET', 'DELETE']) expect((await client.call(method, at(agent))).status).toBe(404)
    for (const method of ['PUT', 'PATCH'])
      expect((await client.call(method, at(agent), { body: { name: 'Back' } })).status).toBe(404)
    const page = (await client.call<Page<Agent>>('GET', `${path}?Search=Gone`)).body
    expect(page).toMatchObject({ items: [], totalCount: 0 })
  })

  test('cannot be referenced again [AGT-6]', async () => {
    const agent = await deleted()
    const parent = { name: 'Parent', subAgentIds: [agent.id] }
    expect((await refusalOf('POST', path, parent)).errors).toMatchObject([{ path: 'subAgentIds[0]' }])
    const task = { title: 'Task', agentId: agent.id }
    expect((await refusalOf('POST', '/api/v1/Task', task)).errors).toMatchObject([{ path: 'agentId' }])
  })

  test('stays in the sub-agents of an agent that already names it [AGT-6]', async () => {
    const gone = await create({ name: 'Soon gone' })
    const parent = await create({ name: 'Parent', subAgentIds: [gone.id] })
    await client.call('DELETE', at(gone))
    const read = (await client.call<Agent>('GET', at(parent))).body
    expect(read.subAgentIds).toEqual([gone.id])
    for (const method of ['PUT', 'PATCH']) {
      const { status, body } = await client.call<Agent>(method, at(parent), { body: read })
      expect(status).toBe(200)
      expect(body.subAgentIds).toEqual([gone.id])
    }
    const dropped = await client.call('PATCH', at(parent), { body: { subAgentIds: [] } })
    expect(dropped.status).toBe(200)
    await refusalOf('PATCH', at(parent), { subAgentIds: [gone.id] })
  })

  test('stays in a task that already names it [AGT-6]', async () => {
    const gone = await create({ name: 'Soon gone' })
    const body = { title: 'Task', agentId: gone.id }
    const external = '/api/v1/Task/external/of-a-deleted-agent'
    const task = (await client.call<Task>('PUT', external, { body })).body
    await client.call('DELETE', at(gone))
    const read = await client.call<Task>('GET', `/api/v1/Task/${task.id}`)
    expect(read.body).toEqual(task)
    for (const [method, to] of [
      ['PUT', `/api/v1/Task/${task.id}`],
      ['PATCH', `/api/v1/Task/${task.id}`],
      ['PUT', external],
    ] as const) {
      const put = await client.call<Task>(method, to, { body: read.body })
      expect(put.status).toBe(200)
      expect(put.body.agentId).toBe(gone.id)
    }
    const page = (await client.call<Page<Task>>('GET', `/api/v1/Task?AgentId=${gone.id}`)).body
    expect(page.items.map(({ id }) => id)).toEqual([task.id])
  })
})
