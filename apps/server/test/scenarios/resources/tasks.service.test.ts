import type { Page, Problem, Task, TaskStatus } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import { at, external, taskDefaults, taskPath, useTaskService } from '../../support/resources/task-service.js'

const { clock, create, createAgent, http } = useTaskService()
const { mistakesIn, newOrganization } = http

const everyField = async () => ({
  title: 'Call back',
  description: 'The visitor of room 7.',
  status: 'in_progress',
  agentId: (await createAgent()).id,
  externalId: uuid(),
  priority: 'urgent',
  dueAt: '2030-01-31T09:00:00.000Z',
  result: 'Nobody answered.',
})

describe('a task', () => {
  test('has defaults for every field but its title', async () => {
    const now = clock.now().toISOString()
    expect(await create({ title: 'Only a title' })).toEqual({
      ...taskDefaults,
      title: 'Only a title',
      id: expect.any(String),
      createdAt: now,
      updatedAt: now,
    })
  })

  test('stores every field', async () => {
    const fields = await everyField()
    const task = await create(fields)
    expect(task).toMatchObject({ ...fields, conversationId: null })
    expect((await http.client.call('GET', at(task))).body).toEqual(task)
    expect((await http.client.call<Page<Task>>('GET', taskPath)).body.items[0]).toEqual(task)
  })

  test('accepts times with any offset and returns UTC [API-19]', async () => {
    const [east, west] = [
      await create({ dueAt: '2030-01-31T10:00:00+01:00' }),
      await create({ dueAt: '2030-01-31T00:30:00.5-09:30' }),
    ]
    expect([east.dueAt, west.dueAt]).toEqual(['2030-01-31T09:00:00.000Z', '2030-01-31T10:00:00.500Z'])
  })

  test('returns to the defaults for fields that a replacement omits', async () => {
    const task = await create({ ...(await everyField()), status: 'in_progress' })
    clock.advance(1000)
    const { status, body } = await http.client.call<Task>('PUT', at(task), { body: { title: 'New' } })
    expect(status).toBe(200)
    const kept = { id: task.id, createdAt: task.createdAt, updatedAt: clock.now().toISOString() }
    expect(body).toEqual({ ...taskDefaults, ...kept, title: 'New' })
  })

  test('keeps fields that a patch omits', async () => {
    const task = await create(await everyField())
    const { body } = await http.client.call<Task>('PATCH', at(task), {
      body: { result: null, priority: 'low' },
    })
    expect(body).toEqual({ ...task, result: null, priority: 'low', updatedAt: clock.now().toISOString() })
  })

  test('can be sent back as it was read [API-4]', async () => {
    const task = await create(await everyField())
    for (const [method, to] of [
      ['PUT', at(task)],
      ['PATCH', at(task)],
      ['PUT', external(task.externalId ?? '')],
    ] as const) {
      const { status, body } = await http.client.call<Task>(method, to, { body: task })
      expect(status).toBe(200)
      expect(body).toEqual({ ...task, updatedAt: clock.now().toISOString() })
    }
  })

  test('is not found after its deletion or by another organization [7.1-1]', async () => {
    const task = await create({ externalId: 'mine' })
    const stranger = await newOrganization()
    for (const method of ['GET', 'DELETE']) expect((await stranger.call(method, at(task))).status).toBe(404)
    expect((await stranger.call('PATCH', at(task), { body: { title: 'Mine' } })).status).toBe(404)
    expect((await http.client.call('DELETE', at(task))).status).toBe(204)
    for (const method of ['GET', 'DELETE'])
      expect((await http.client.call(method, at(task))).status).toBe(404)
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
    ['dueAt', { title: 'A', dueAt: '1969-12-31T23:59:59Z' }],
    ['due', { title: 'A', due: null }],
  ])('is rejected if %s is invalid (%#) [API-15]', async (field, body) => {
    const task = await create()
    for (const [method, to] of [
      ['POST', taskPath],
      ['PUT', at(task)],
    ] as const)
      expect(await mistakesIn(method, to, body)).toMatchObject([{ path: field }])
    expect((await http.client.call('GET', at(task))).body).toEqual(task)
  })

  test('must name an agent of its own organization [API-15]', async () => {
    const foreign = (await createAgent(await newOrganization())).id
    const [body, mistake] = [{ title: 'A', agentId: foreign }, [{ path: 'agentId' }]]
    const task = await create({ externalId: 'no-foreign-agent' })
    for (const to of [at(task), external('no-foreign-agent'), external('not-there')])
      expect(await mistakesIn('PUT', to, body)).toMatchObject(mistake)
    expect(await mistakesIn('PATCH', at(task), body)).toMatchObject(mistake)
  })
})

describe('the status of a task', () => {
  // A complete Record, so that a new status without its cells does not compile.
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

  test.each(cells)('may change from $from to $to with $expected [TSK-1]', async ({ from, to, expected }) => {
    const ways: [string, (task: Task) => string][] = [
      ['PATCH', at],
      ['PUT', at],
      ['PUT', ({ externalId }) => external(externalId ?? '')],
    ]
    for (const [method, address] of ways) {
      const task = await create({ status: from, externalId: uuid() })
      expect(task.status).toBe(from)
      const changed = { title: 'Changed', externalId: task.externalId, status: to }
      const { status, body } = await http.client.call<Task & Problem>(method, address(task), {
        body: changed,
      })
      expect(status).toBe(expected)
      const now = (await http.client.call<Task>('GET', at(task))).body
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

  test('returns to open if a replacement omits it [TSK-1]', async () => {
    const task = await create({ status: 'done' })
    const { body } = await http.client.call<Task>('PUT', at(task), { body: { title: 'Again' } })
    expect(body.status).toBe('open')
  })
})

describe('lists of tasks', () => {
  test('lists accept Status, AgentId, Search and DueBefore, alone and combined [TSK-4]', async () => {
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
      const { status, body } = await by.call<Page<Task>>('GET', `${taskPath}?${new URLSearchParams(query)}`)
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
  ])('lists reject an invalid filter: %s=%s [TSK-4]', async (name, value) => {
    const answer = await http.client.call<Problem>('GET', `${taskPath}?${name}=${value}`)
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toMatchObject([{ path: name }])
  })
})
