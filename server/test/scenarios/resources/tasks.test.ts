import type { Agent, Page, Problem, Task, TaskStatus } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ApiClient } from '../../support/api-client.js'
import { addOrganization } from '../../support/organizations.js'
import { type RunningService, startService } from '../../support/start-service.js'
import { makeTestClock } from '../../support/test-clock.js'

const clock = makeTestClock()

let running: RunningService
let client: ApiClient

beforeAll(async () => {
  running = await startService({ clock })
  client = running.client
})

afterAll(() => running.close())

const path = '/api/v1/Task'
const at = (task: { readonly id: string }) => `${path}/${task.id}`
const external = (externalId: string) => `${path}/external/${encodeURIComponent(externalId)}`
const newOrganization = async () => client.as(await addOrganization(running))

async function create(fields: object = {}, by = client): Promise<Task> {
  const { status, body, text } = await by.call<Task>('POST', path, { body: { title: 'Task', ...fields } })
  expect(status, text).toBe(201)
  return body
}

async function createAgent(by = client): Promise<Agent> {
  return (await by.call<Agent>('POST', '/api/v1/Agent', { body: { name: 'Agent' } })).body
}

async function mistakesIn(method: string, to: string, body: object): Promise<Problem['errors']> {
  const answer = await client.call<Problem>(method, to, { body })
  expect(answer.status, answer.text).toBe(400)
  return answer.body.errors
}

const defaults = {
  description: null,
  status: 'open',
  agentId: null,
  conversationId: null,
  externalId: null,
  priority: 'normal',
  dueAt: null,
  runAt: null,
  result: null,
}

const everyField = async () => ({
  title: 'Call back',
  description: 'The visitor of room 7.',
  status: 'in_progress',
  agentId: (await createAgent()).id,
  externalId: uuid(),
  priority: 'urgent',
  dueAt: '2030-01-31T09:00:00.000Z',
  runAt: '2030-01-30T09:00:00.000Z',
  result: 'Nobody answered.',
})

describe('a task', () => {
  test('takes the defaults with a title alone', async () => {
    const now = clock.now().toISOString()
    expect(await create({ title: 'Only a title' })).toEqual({
      ...defaults,
      title: 'Only a title',
      id: expect.any(String),
      createdAt: now,
      updatedAt: now,
    })
  })

  test('keeps every field', async () => {
    const fields = await everyField()
    const task = await create(fields)
    expect(task).toMatchObject({ ...fields, conversationId: null })
    expect((await client.call('GET', at(task))).body).toEqual(task)
    expect((await client.call<Page<Task>>('GET', path)).body.items[0]).toEqual(task)
  })

  test('[API-19] takes times with any offset and answers UTC', async () => {
    const task = await create({ dueAt: '2030-01-31T10:00:00+01:00', runAt: '2030-01-31T00:30:00.5-09:30' })
    expect(task).toMatchObject({ dueAt: '2030-01-31T09:00:00.000Z', runAt: '2030-01-31T10:00:00.500Z' })
  })

  test('falls back to the defaults where a replacement leaves fields out', async () => {
    const task = await create({ ...(await everyField()), status: 'in_progress' })
    clock.advance(1000)
    const { status, body } = await client.call<Task>('PUT', at(task), { body: { title: 'New' } })
    expect(status).toBe(200)
    const kept = { id: task.id, createdAt: task.createdAt, updatedAt: clock.now().toISOString() }
    expect(body).toEqual({ ...defaults, ...kept, title: 'New' })
  })

  test('keeps what a patch leaves out', async () => {
    const task = await create(await everyField())
    const { body } = await client.call<Task>('PATCH', at(task), { body: { result: null, priority: 'low' } })
    expect(body).toEqual({ ...task, result: null, priority: 'low', updatedAt: clock.now().toISOString() })
  })

  test('[API-4] can be put back as it was read', async () => {
    const task = await create(await everyField())
    for (const [method, to] of [
      ['PUT', at(task)],
      ['PATCH', at(task)],
      ['PUT', external(task.externalId ?? '')],
    ] as const) {
      const { status, body } = await client.call<Task>(method, to, { body: task })
      expect(status).toBe(200)
      expect(body).toEqual({ ...task, updatedAt: clock.now().toISOString() })
    }
  })

  test('[7.1-1] is gone when it is deleted, and never there for another organization', async () => {
    const task = await create({ externalId: 'mine' })
    const stranger = await newOrganization()
    for (const method of ['GET', 'DELETE']) expect((await stranger.call(method, at(task))).status).toBe(404)
    expect((await stranger.call('PATCH', at(task), { body: { title: 'Mine' } })).status).toBe(404)
    expect((await client.call('DELETE', at(task))).status).toBe(204)
    for (const method of ['GET', 'DELETE']) expect((await client.call(method, at(task))).status).toBe(404)
  })

  test.each<[string, object]>([
    ['title', {}],
    ['title', { title: '\t' }],
    ['title', { title: 'x'.repeat(501) }],
    ['status', { title: 'A', status: 'blocked' }],
    ['status', { title: 'A', status: null }],
    ['priority', { title: 'A', priority: 1 }],
    ['agentId', { title: 'A', agentId: 'no-uuid' }],
    ['agentId', { title: 'A', agentId: uuid() }],
    ['externalId', { title: 'A', externalId: '' }],
    ['externalId', { title: 'A', externalId: 'x'.repeat(201) }],
    ['dueAt', { title: 'A', dueAt: '2030-02-30T00:00:00Z' }],
    ['dueAt', { title: 'A', dueAt: '2030-01-31' }],
    ['runAt', { title: 'A', runAt: '1969-12-31T23:59:59Z' }],
    ['due', { title: 'A', due: null }],
  ])('[API-15] is refused for its %s (%#)', async (field, body) => {
    const task = await create()
    for (const [method, to] of [
      ['POST', path],
      ['PUT', at(task)],
    ] as const)
      expect(await mistakesIn(method, to, body)).toMatchObject([{ path: field }])
    expect((await client.call('GET', at(task))).body).toEqual(task)
  })

  test('[API-15] names an agent of its own organization', async () => {
    const foreign = (await createAgent(await newOrganization())).id
    const [body, mistake] = [{ title: 'A', agentId: foreign }, [{ path: 'agentId' }]]
    const task = await create({ externalId: 'no-foreign-agent' })
    for (const to of [at(task), external('no-foreign-agent'), external('not-there')])
      expect(await mistakesIn('PUT', to, body)).toMatchObject(mistake)
    expect(await mistakesIn('PATCH', at(task), body)).toMatchObject(mistake)
  })
})

describe('the status of a task', () => {
  // No Partial, so a new status without its cells does not compile.
  const table: Record<TaskStatus, Record<TaskStatus, 200 | 409>> = {
    open: { open: 200, in_progress: 200, done: 200, failed: 409, cancelled: 200 },
    in_progress: { open: 200, in_progress: 200, done: 200, failed: 200, cancelled: 200 },
    done: { open: 200, in_progress: 409, done: 200, failed: 409, cancelled: 409 },
    failed: { open: 200, in_progress: 200, done: 409, failed: 200, cancelled: 200 },
    cancelled: { open: 200, in_progress: 409, done: 409, failed: 409, cancelled: 200 },
  }
  const cells = Object.entries(table).flatMap(([from, row]) =>
    Object.entries(row).map(([to, expected]) => ({ from, to, expected })),
  )

  test.each(cells)('[TSK-1] $from to $to is $expected', async ({ from, to, expected }) => {
    const ways: [string, (task: Task) => string][] = [
      ['PATCH', at],
      ['PUT', at],
      ['PUT', ({ externalId }) => external(externalId ?? '')],
    ]
    for (const [method, address] of ways) {
      const task = await create({ status: from, externalId: uuid() })
      expect(task.status).toBe(from)
      const changed = { title: 'Changed', externalId: task.externalId, status: to }
      const { status, body } = await client.call<Task & Problem>(method, address(task), { body: changed })
      expect(status).toBe(expected)
      const now = (await client.call<Task>('GET', at(task))).body
      if (expected === 200) expect(now).toMatchObject({ title: 'Changed', status: to })
      else {
        expect(body).toMatchObject({
          errorCode: 'Conflict',
          detail: expect.stringContaining(`cannot become ${to}`),
        })
        expect(now).toEqual(task)
      }
    }
  })

  test('[TSK-1] is opened again by a replacement that leaves it out', async () => {
    const task = await create({ status: 'done' })
    const { body } = await client.call<Task>('PUT', at(task), { body: { title: 'Again' } })
    expect(body.status).toBe('open')
  })
})

describe('the external id', () => {
  test('[TSK-2] is unique in the organization, on creation, patch and replacement', async () => {
    const externalId = uuid()
    const first = await create({ externalId })
    const other = await create({ externalId: uuid() })
    for (const [method, to] of [
      ['POST', path],
      ['PATCH', at(other)],
      ['PUT', at(other)],
    ] as const) {
      const answer = await client.call<Problem>(method, to, { body: { title: 'Rival', externalId } })
      expect(answer).toMatchObject({ status: 409, body: { errorCode: 'Conflict' } })
      expect(answer.body.detail).toContain('externalId')
    }
    expect((await client.call('GET', at(other))).body).toEqual(other)
    expect(await create({ externalId: externalId.toUpperCase() })).toMatchObject({ title: 'Task' })
    expect(await create({ externalId }, await newOrganization())).toMatchObject({ externalId })
    await client.call('PATCH', at(first), { body: { externalId: null } })
    expect(await create({ externalId })).toMatchObject({ externalId })
  })

  test('[TSK-2] of a deleted task is free again, and many may have none', async () => {
    const task = await create({ externalId: 'freed' })
    await client.call('DELETE', at(task))
    expect(await create({ externalId: 'freed' })).toMatchObject({ externalId: 'freed' })
    expect(await create()).not.toEqual(await create())
  })

  test('[TSK-2] goes to one of those who want it at the same time', async () => {
    const by = await newOrganization()
    const body = { title: 'Task', externalId: 'wanted' }
    const created = await Promise.all(Array.from({ length: 10 }, () => by.call('POST', path, { body })))
    expect(created.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(9).fill(409)])
  })
})

describe('the upsert', () => {
  const upsert = (externalId: string, body: object = { title: 'Task' }, by = client, headers = {}) =>
    by.call<Task>('PUT', external(externalId), { body, headers })

  test('[TSK-3] creates, then replaces', async () => {
    const created = await upsert('booking-1', { title: 'First', status: 'failed', priority: 'high' })
    expect(created.status).toBe(200)
    const { id } = created.body
    expect(created.body).toMatchObject({ title: 'First', status: 'failed', externalId: 'booking-1' })
    const replaced = await upsert('booking-1', { title: 'Second', externalId: 'ignored', id: uuid() })
    expect(replaced.body).toMatchObject({ ...defaults, id, title: 'Second', externalId: 'booking-1' })
    expect([created, replaced].map(({ headers }) => headers.get('etag'))).toEqual(['"1"', '"2"'])
    const stranger = await newOrganization()
    expect((await upsert('booking-1', { title: 'Theirs' }, stranger)).body.id).not.toBe(id)
  })

  test.each(['a/b', 'a b', '50%', '%2F', '?a=b#c', 'é漢👋', '漢'.repeat(200), '...', 'test'])(
    '[TSK-3] takes the external id as it stands: %s',
    async (externalId) => {
      const { status, body } = await upsert(externalId)
      expect(status).toBe(200)
      expect(body.externalId).toBe(externalId)
      expect((await upsert(externalId)).body.id).toBe(body.id)
    },
  )

  test('[TSK-3] [API-12] creates nothing under If-Match, and replaces only what matches', async () => {
    for (const tag of ['"1"', '*']) {
      const answer = await upsert('conditional', undefined, client, { 'if-match': tag })
      expect(answer.status).toBe(412)
    }
    expect((await upsert('conditional')).headers.get('etag')).toBe('"1"')
    expect((await upsert('conditional', undefined, client, { 'if-match': '"7"' })).status).toBe(412)
    expect((await upsert('conditional', undefined, client, { 'if-match': '"1"' })).status).toBe(200)
  })

  test('[TSK-3] makes one task of twenty calls at the same time', async () => {
    const by = await newOrganization()
    const titles = Array.from({ length: 20 }, (_, index) => `Call ${index}`)
    const answers = await Promise.all(titles.map((title) => upsert('storm', { title }, by)))
    expect(answers.map(({ status }) => status)).toEqual(titles.map(() => 200))
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    const page = (await by.call<Page<Task>>('GET', path)).body
    expect(page.totalCount).toBe(1)
    const last = answers.find(({ headers }) => headers.get('etag') === '"20"')
    expect(page.items).toEqual([last?.body])
  })

  test('[TSK-3] does not fail where the task is deleted at the same time', async () => {
    const by = await newOrganization()
    for (let round = 0; round < 10; round += 1) {
      const { id } = (await upsert('raced', undefined, by)).body
      const [removed, ...answers] = await Promise.all([
        by.call('DELETE', `${path}/${id}`),
        ...[1, 2, 3].map(() => upsert('raced', undefined, by)),
      ])
      expect(removed.status).toBe(204)
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
      expect((await by.call<Page<Task>>('GET', path)).body.totalCount).toBeLessThanOrEqual(1)
    }
  })
})

describe('lists of tasks', () => {
  test('[TSK-4] take Status, AgentId, Search and DueBefore, alone and together', async () => {
    const by = await newOrganization()
    const agentId = (await createAgent(by)).id
    const tasks = {
      a: { title: '100% sure', status: 'done', agentId, dueAt: '2030-01-10T00:00:00Z' },
      b: { title: 'snake_case', status: 'open', agentId, dueAt: '2030-01-20T00:00:00Z' },
      c: { title: 'back\\slash', status: 'open', dueAt: '2030-01-30T00:00:00Z' },
      d: { title: 'plain', status: 'failed', description: 'Has a Hidden word' },
    }
    for (const [name, task] of Object.entries(tasks)) await create({ ...task, result: name }, by)
    const found = async (query: Readonly<Record<string, string>>) => {
      const { status, body } = await by.call<Page<Task>>('GET', `${path}?${new URLSearchParams(query)}`)
      expect(status).toBe(200)
      expect(body.totalCount).toBe(body.items.length)
      return body.items.map(({ result }) => result).join('')
    }
    const expected: [Record<string, string>, string][] = [
      [{}, 'dcba'],
      [{ Status: 'open' }, 'cb'],
      [{ Status: 'cancelled' }, ''],
      [{ AgentId: agentId }, 'ba'],
      [{ AgentId: agentId.toUpperCase() }, 'ba'],
      [{ AgentId: uuid() }, ''],
      [{ DueBefore: '2030-01-20T00:00:00Z' }, 'a'],
      [{ DueBefore: '2030-01-20T01:00:00.001+01:00' }, 'ba'],
      [{ Search: '%' }, 'a'],
      [{ Search: '_' }, 'b'],
      [{ Search: '\\' }, 'c'],
      [{ Search: 'hidden' }, 'd'],
      [{ Status: 'open', AgentId: agentId, Search: 'SNAKE', DueBefore: '2031-01-01T00:00:00Z' }, 'b'],
      [{ Status: 'open', AgentId: agentId, Search: 'slash' }, ''],
    ]
    for (const [query, names] of expected) expect([query, await found(query)]).toEqual([query, names])
  })

  test.each([
    ['Status', 'Open'],
    ['AgentId', 'no-uuid'],
    ['DueBefore', 'tomorrow'],
    ['Search', 'x'.repeat(201)],
    ['status', 'open'],
  ])('[TSK-4] refuse a filter that means nothing: %s=%s', async (name, value) => {
    const answer = await client.call<Problem>('GET', `${path}?${name}=${value}`)
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toMatchObject([{ path: name }])
  })
})
