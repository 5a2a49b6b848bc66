import type { Page, Problem, Task } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import { at, external, taskDefaults, taskPath, useTaskService } from '../../support/resources/task-service.js'

const { create, http } = useTaskService()
const { newOrganization } = http

describe('the external id', () => {
  test('is unique in the organization on creation, patch and replacement [TSK-2]', async () => {
    const externalId = uuid()
    const first = await create({ externalId })
    const other = await create({ externalId: uuid() })
    for (const [method, to] of [
      ['POST', taskPath],
      ['PATCH', at(other)],
      ['PUT', at(other)],
    ] as const) {
      const answer = await http.client.call<Problem>(method, to, { body: { title: 'Rival', externalId } })
      expect(answer).toMatchObject({ status: 409, body: { errorCode: 'Conflict' } })
      expect(answer.body.detail).toContain('externalId')
    }
    expect((await http.client.call('GET', at(other))).body).toEqual(other)
    expect(await create({ externalId: externalId.toUpperCase() })).toMatchObject({ title: 'Task' })
    expect(await create({ externalId }, await newOrganization())).toMatchObject({ externalId })
    await http.client.call('PATCH', at(first), { body: { externalId: null } })
    expect(await create({ externalId })).toMatchObject({ externalId })
  })

  test('can be reused after its task is deleted, and is optional [TSK-2]', async () => {
    const task = await create({ externalId: 'freed' })
    await http.client.call('DELETE', at(task))
    expect(await create({ externalId: 'freed' })).toMatchObject({ externalId: 'freed' })
    expect(await create()).not.toEqual(await create())
  })

  test('goes to one of several concurrent requests [TSK-2]', async () => {
    const by = await newOrganization()
    const body = { title: 'Task', externalId: 'wanted' }
    const created = await Promise.all(Array.from({ length: 10 }, () => by.call('POST', taskPath, { body })))
    expect(created.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(9).fill(409)])
  })
})

describe('the upsert', () => {
  const upsert = (externalId: string, body: object = { title: 'Task' }, by = http.client, headers = {}) =>
    by.call<Task>('PUT', external(externalId), { body, headers })

  test('creates a task, then replaces it [TSK-3]', async () => {
    const created = await upsert('booking-1', { title: 'First', status: 'failed', priority: 'high' })
    expect(created.status).toBe(201)
    const { id } = created.body
    expect(created.body).toMatchObject({ title: 'First', status: 'failed', externalId: 'booking-1' })
    const replaced = await upsert('booking-1', { title: 'Second', externalId: 'ignored', id: uuid() })
    expect(replaced.body).toMatchObject({ ...taskDefaults, id, title: 'Second', externalId: 'booking-1' })
    expect(replaced.status).toBe(200)
    expect([created, replaced].map(({ headers }) => headers.get('etag'))).toEqual(['"1"', '"2"'])
    const stranger = await newOrganization()
    expect((await upsert('booking-1', { title: 'Theirs' }, stranger)).body.id).not.toBe(id)
  })

  test.each(['a/b', 'a b', '50%', '%2F', '?a=b#c', 'é漢👋', '漢'.repeat(200), '...', 'test'])(
    'accepts any external id: %s [TSK-3]',
    async (externalId) => {
      const { status, body } = await upsert(externalId)
      expect(status).toBe(201)
      expect(body.externalId).toBe(externalId)
      expect((await upsert(externalId)).body.id).toBe(body.id)
    },
  )

  test('creates nothing with If-Match and replaces only a matching version [TSK-3] [API-12]', async () => {
    for (const tag of ['"1"', '*']) {
      const answer = await upsert('conditional', undefined, http.client, { 'if-match': tag })
      expect(answer.status).toBe(412)
    }
    expect((await upsert('conditional')).headers.get('etag')).toBe('"1"')
    expect((await upsert('conditional', undefined, http.client, { 'if-match': '"7"' })).status).toBe(412)
    expect((await upsert('conditional', undefined, http.client, { 'if-match': '"1"' })).status).toBe(200)
  })

  test('creates one task for twenty concurrent requests [TSK-3]', async () => {
    const by = await newOrganization()
    const titles = Array.from({ length: 20 }, (_, index) => `Call ${index}`)
    const answers = await Promise.all(titles.map((title) => upsert('storm', { title }, by)))
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(19).fill(200), 201])
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    const page = (await by.call<Page<Task>>('GET', taskPath)).body
    expect(page.totalCount).toBe(1)
    const last = answers.find(({ headers }) => headers.get('etag') === '"20"')
    expect(page.items).toEqual([last?.body])
  })

  test('does not fail if the task is deleted concurrently [TSK-3]', async () => {
    const by = await newOrganization()
    for (let round = 0; round < 10; round += 1) {
      const { id } = (await upsert('raced', undefined, by)).body
      const [removed, ...answers] = await Promise.all([
        by.call('DELETE', `${taskPath}/${id}`),
        ...[1, 2, 3].map(() => upsert('raced', undefined, by)),
      ])
      expect(removed.status).toBe(204)
      for (const { status } of answers) expect([200, 201]).toContain(status)
      expect((await by.call<Page<Task>>('GET', taskPath)).body.totalCount).toBeLessThanOrEqual(1)
    }
  })
})
