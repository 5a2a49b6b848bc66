import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ApiAnswer, ApiClient } from '../../../support/api-client.js'
import { addApiKey, addOrganization } from '../../../support/organizations.js'
import { removeOverdueRows } from '../../../support/overdue-rows.js'
import { withPostgresClient } from '../../../support/services/postgres-connection.js'
import type { PostgresDatabase } from '../../../support/services/postgres-database.js'
import { migratedDatabase, type RunningService, startService } from '../../../support/start-service.js'
import { makeTestClock } from '../../../support/test-clock.js'

type Answer = ApiAnswer<Record<string, unknown>>

const hour = 60 * 60 * 1000
const clock = makeTestClock()

let postgres: PostgresDatabase
let running: RunningService
let keyCount = 0

beforeAll(async () => {
  postgres = await migratedDatabase()
  running = await startService({ clock, env: { DATABASE_URL: postgres.url } })
})

afterAll(async () => {
  await running.close()
  await postgres.drop()
})

function newKey(): string {
  keyCount += 1
  return `key-${keyCount}`
}

function post(path: string, body: object, key: string, by: ApiClient = running.client): Promise<Answer> {
  return by.call('POST', path, { body, headers: { 'idempotency-key': key } })
}

async function countOf(path: string, by: ApiClient = running.client): Promise<unknown> {
  return (await by.call('GET', path)).body.totalCount
}

/** The parts of a response that are the same for every request. */
function seen({ status, text, headers }: Answer) {
  return { status, text, etag: headers.get('etag'), type: headers.get('content-type') }
}

const creations = [
  ['/api/v1/Agent', { name: 'Once' }, { name: 'Twice' }],
  ['/api/v1/Connection', { name: 'Once', kind: 'openai', apiKey: 'sk-1' }, { name: 'Once', kind: 'openai' }],
  ['/api/v1/Task', { title: 'Once' }, { title: 'Twice' }],
] as const

describe('Idempotency-Key [API-9]', () => {
  test.each(creations)(
    '%s returns the first response again for the same key and body',
    async (path, body) => {
      const before = Number(await countOf(path))
      const key = newKey()
      const first = await post(path, body, key)
      expect(first.status).toBe(201)
      expect(first.headers.get('etag')).toBe('"1"')
      const again = await post(path, body, key)
      expect(seen(again)).toEqual(seen(first))
      expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
      expect(await countOf(path)).toBe(before + 1)
    },
  )

  test.each(creations)('%s returns 409 for the same key and another body', async (path, body, otherBody) => {
    const key = newKey()
    const first = await post(path, body, key)
    const before = await countOf(path)
    expect(await post(path, otherBody, key)).toMatchObject({
      status: 409,
      body: {
        errorCode: 'Conflict',
        detail: expect.stringContaining('Idempotency-Key'),
      },
    })
    expect(await countOf(path)).toBe(before)
    expect(seen(await post(path, body, key))).toEqual(seen(first))
  })

  test('bodies are the same if only field order, white space or defaults differ', async () => {
    const key = newKey()
    const first = await post('/api/v1/Task', { title: 'Same', priority: 'high' }, key)
    const again = await running.client.call('POST', '/api/v1/Task', {
      body: { status: 'open', priority: 'high', description: null, title: 'Same' },
      headers: { 'idempotency-key': key },
    })
    expect(seen(again)).toEqual(seen(first))
  })

  test('the same key on another operation returns 409', async () => {
    const key = newKey()
    await post('/api/v1/Agent', { name: 'Once' }, key)
    expect(await post('/api/v1/Connection', { name: 'Once', kind: 'openai' }, key)).toMatchObject({
      status: 409,
      body: { errorCode: 'Conflict' },
    })
  })

  test('another key or no key creates another resource', async () => {
    const ids = [
      (await post('/api/v1/Task', { title: 'Again' }, newKey())).body.id,
      (await post('/api/v1/Task', { title: 'Again' }, newKey())).body.id,
      (await running.client.call('POST', '/api/v1/Task', { body: { title: 'Again' } })).body.id,
      (await running.client.call('POST', '/api/v1/Task', { body: { title: 'Again' } })).body.id,
    ]
    expect(new Set(ids).size).toBe(4)
  })

  test('an error response is stored and returned again even if the request would now succeed', async () => {
    const key = newKey()
    const taken = await post('/api/v1/Task', { title: 'First', externalId: 'taken' }, newKey())
    const refused = await post('/api/v1/Task', { title: 'Second', externalId: 'taken' }, key)
    expect(refused.status).toBe(409)
    expect(refused.headers.get('content-type')).toContain('application/problem+json')
    await running.client.call('DELETE', `/api/v1/Task/${taken.body.id}`)
    expect(seen(await post('/api/v1/Task', { title: 'Second', externalId: 'taken' }, key))).toEqual(
      seen(refused),
    )
    expect((await post('/api/v1/Task', { title: 'Second', externalId: 'taken' }, newKey())).status).toBe(201)
  })

  test('an error of the domain is stored with its field errors', async () => {
    const key = newKey()
    const body = { name: 'Lost', connectionId: '019a0000-0000-7000-8000-000000000000' }
    const refused = await post('/api/v1/Agent', body, key)
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: 'connectionId' }] } })
    expect(seen(await post('/api/v1/Agent', body, key))).toEqual(seen(refused))
  })

  test('an internal error is not stored', async () => {
    const key = newKey()
    const rename = (from: string, to: string) =>
      withPostgresClient(postgres.url, (sql) => sql.query(`alter table ${from} rename to ${to}`))
    await rename('task', 'task_away')
    const failed = await post('/api/v1/Task', { title: 'Later' }, key)
    await rename('task_away', 'task')
    expect(failed.status).toBe(500)
    const before = Number(await countOf('/api/v1/Task'))
    expect((await post('/api/v1/Task', { title: 'Later' }, key)).status).toBe(201)
    expect((await post('/api/v1/Task', { title: 'Later' }, key)).status).toBe(201)
    expect(await countOf('/api/v1/Task')).toBe(before + 1)
  })

  test('a response is stored for 24 hours', async () => {
    const key = newKey()
    const first = await post('/api/v1/Task', { title: 'Today' }, key)
    clock.advance(24 * hour)
    expect(seen(await post('/api/v1/Task', { title: 'Today' }, key))).toEqual(seen(first))
    clock.advance(1)
    const next = await post('/api/v1/Task', { title: 'Tomorrow' }, key)
    expect(next).toMatchObject({ status: 201, body: { title: 'Tomorrow' } })
    expect(seen(await post('/api/v1/Task', { title: 'Tomorrow' }, key))).toEqual(seen(next))
  })

  test('cleanup deletes only expired responses', async () => {
    const { database } = running.service
    await removeOverdueRows(database, clock)
    const [old, young] = [newKey(), newKey()]
    await post('/api/v1/Task', { title: 'Old' }, old)
    clock.advance(24 * hour)
    const kept = await post('/api/v1/Task', { title: 'Young' }, young)
    clock.advance(1)
    const before = Number(await countOf('/api/v1/Task'))
    expect((await removeOverdueRows(database, clock)).idempotencyAnswers).toBeGreaterThan(0)
    const { idempotency } = database.stores
    expect(await idempotency.find(running.organizationId, old)).toBeNull()
    expect(seen(await post('/api/v1/Task', { title: 'Young' }, young))).toEqual(seen(kept))
    expect(await countOf('/api/v1/Task')).toBe(before)
  })

  test('organizations do not share keys, but the API keys of one organization do', async () => {
    const key = newKey()
    const other = running.client.as(await addOrganization(running))
    const own = await post('/api/v1/Task', { title: 'Mine' }, key)
    const foreign = await post('/api/v1/Task', { title: 'Theirs' }, key, other)
    expect([own.status, foreign.status]).toEqual([201, 201])
    expect(await countOf('/api/v1/Task', other)).toBe(1)

    const { stores } = running.service.database
    const second = await addApiKey(stores, running.organizationId, ['task:write'])
    const colleague = running.client.as({ apiKey: second })
    expect(seen(await post('/api/v1/Task', { title: 'Mine' }, key, colleague))).toEqual(seen(own))
  })

  test('a stored response is returned only to callers with the required scope', async () => {
    const key = newKey()
    await post('/api/v1/Task', { title: 'Mine' }, key)
    const { stores } = running.service.database
    const apiKey = await addApiKey(stores, running.organizationId, ['task:read'])
    const reader = running.client.as({ apiKey })
    expect((await post('/api/v1/Task', { title: 'Mine' }, key, reader)).status).toBe(403)
  })

  const malformed = ['', ' ', 'two words', 'x'.repeat(256), 'naïve', 'a,\tb']

  test.each(malformed)('a malformed key returns 400: %j', async (key) => {
    const before = await countOf('/api/v1/Task')
    expect(await post('/api/v1/Task', { title: 'Never' }, key)).toMatchObject({
      status: 400,
      body: { errorCode: 'InvalidRequest', errors: [{ path: 'Idempotency-Key' }] },
    })
    expect(await countOf('/api/v1/Task')).toBe(before)
  })

  test.each(['x', 'x'.repeat(255), '!"#$%&()*+,-./:;<=>?@[]^_`{|}~'])('a key may contain %j', async (key) => {
    expect((await post('/api/v1/Task', { title: 'Always' }, key)).status).toBe(201)
  })

  test('the creation of an API key ignores the key, so that no response with a secret is stored', async () => {
    const key = newKey()
    const body = { name: 'Twice', scopes: ['task:read'] }
    const [one, other] = [await post('/api/v1/ApiKey', body, key), await post('/api/v1/ApiKey', body, key)]
    expect([one.status, other.status]).toEqual([201, 201])
    expect(one.body.key).not.toBe(other.body.key)
    const kept = await withPostgresClient(postgres.url, async (sql) => {
      const { rows } = await sql.query('select json_agg(idempotency_key)::text as text from idempotency_key')
      return String(rows[0]?.text)
    })
    for (const secret of [one.body.key, other.body.key, 'sk-1']) expect(kept).not.toContain(secret)
  })
})
