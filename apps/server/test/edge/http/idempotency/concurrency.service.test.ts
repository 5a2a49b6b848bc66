import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ApiAnswer } from '../../../support/api-client.js'
import { withPostgresClient } from '../../../support/services/postgres-connection.js'
import type { PostgresDatabase } from '../../../support/services/postgres-database.js'
import { migratedDatabase, type RunningService, startService } from '../../../support/start-service.js'

const duplicates = 20
const patiently = { timeout: 60_000, interval: 20 }

let postgres: PostgresDatabase
let first: RunningService
let second: RunningService

beforeAll(async () => {
  postgres = await migratedDatabase()
  first = await startService({ env: { DATABASE_URL: postgres.url } })
  second = await startService({ env: { DATABASE_URL: postgres.url } })
})

afterAll(async () => {
  await first.close()
  await second.close()
  await postgres.drop()
})

function createTask(body: object, key: string, service = first) {
  const client = service.client.as({ organizationId: first.organizationId, apiKey: first.apiKey })
  return client.call('POST', '/api/v1/Task', { body, headers: { 'idempotency-key': key } })
}

async function titles(): Promise<unknown[]> {
  const { body } = await first.client.call<{ items: { title: string }[] }>('GET', '/api/v1/Task?Limit=200')
  return body.items.map((task) => task.title)
}

const repeated = <T>(times: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: times }, (_, index) => make(index)))

function distinct(answers: readonly ApiAnswer<unknown>[]): unknown[] {
  const seen = answers.map(({ status, text, headers }) => [status, text, headers.get('etag')].join(' '))
  return [...new Set(seen)]
}

const sql = (text: string) => withPostgresClient(postgres.url, (client) => client.query(text))

describe('concurrent requests with one idempotency key [API-10]', () => {
  test('create one resource and get the same response', async () => {
    const answers = await repeated(duplicates, () => createTask({ title: 'Together' }, 'together'))
    expect(answers[0]?.status).toBe(201)
    expect(distinct(answers)).toHaveLength(1)
    expect((await titles()).filter((title) => title === 'Together')).toHaveLength(1)
  })

  test('create one resource on two services', async () => {
    const answers = await repeated(duplicates, (index) =>
      createTask({ title: 'Apart' }, 'apart', index % 2 === 0 ? first : second),
    )
    expect(answers[0]?.status).toBe(201)
    expect(distinct(answers)).toHaveLength(1)
    expect((await titles()).filter((title) => title === 'Apart')).toHaveLength(1)
  })

  test('get the same error response', async () => {
    await createTask({ title: 'Holder', externalId: 'held' }, 'holder')
    const answers = await repeated(duplicates, () =>
      createTask({ title: 'Refused', externalId: 'held' }, 'refused'),
    )
    expect(answers[0]?.status).toBe(409)
    expect(distinct(answers)).toHaveLength(1)
    expect(await titles()).not.toContain('Refused')
  })

  test('with different bodies create one resource, and the others are rejected', async () => {
    const answers = await repeated(duplicates, (index) => createTask({ title: `Body ${index}` }, 'bodies'))
    const statuses = answers.map((answer) => answer.status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(1)
    expect(statuses.filter((status) => status === 409)).toHaveLength(duplicates - 1)
    expect((await titles()).filter((title) => String(title).startsWith('Body'))).toHaveLength(1)
  })

  test('with many keys do not wait for each other', async () => {
    const answers = await repeated(60, (index) => createTask({ title: 'Many' }, `many-${index % 30}`))
    expect(answers.filter((answer) => answer.status !== 201)).toEqual([])
    expect((await titles()).filter((title) => title === 'Many')).toHaveLength(30)
  })
})

describe('claim, change and response in one transaction [API-9]', () => {
  test('nothing is stored if the response cannot be stored, and a retry creates one resource', async () => {
    await sql(`
      create function refuse_answer() returns trigger language plpgsql as $$ begin raise exception 'full'; end $$;
      create trigger refuse_answer before update on idempotency_key execute function refuse_answer()`)
    const failed = await createTask({ title: 'Unkept' }, 'unkept')
    await sql('drop function refuse_answer cascade')
    expect(failed).toMatchObject({ status: 500, body: { errorCode: 'Internal' } })
    expect(await titles()).not.toContain('Unkept')

    const answers = [
      await createTask({ title: 'Unkept' }, 'unkept'),
      await createTask({ title: 'Unkept' }, 'unkept'),
    ]
    expect(answers[0]?.status).toBe(201)
    expect(distinct(answers)).toHaveLength(1)
    expect((await titles()).filter((title) => title === 'Unkept')).toHaveLength(1)
  })

  test('nothing is stored if the database connection ends, and a retry creates one resource', async () => {
    await withPostgresClient(postgres.url, async (holder) => {
      await holder.query('begin')
      await holder.query('lock table task in exclusive mode')
      const dying = createTask({ title: 'Killed' }, 'killed')
      const waiting = `from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      await expect.poll(async () => (await sql(`select pid ${waiting}`)).rowCount, patiently).toBe(1)
      await sql(`select pg_terminate_backend(pid) ${waiting}`)
      expect(await dying).toMatchObject({ status: 503, body: { errorCode: 'Unavailable' } })
      await holder.query('rollback')
    })
    expect(await titles()).not.toContain('Killed')

    const answers = await repeated(2, () => createTask({ title: 'Killed' }, 'killed'))
    expect(answers[0]?.status).toBe(201)
    expect(distinct(answers)).toHaveLength(1)
    expect((await titles()).filter((title) => title === 'Killed')).toHaveLength(1)
  })
})
