import { allOperations } from '@parley/contract'
import { bodyMediaTypes } from '@parley/contract/openapi'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Credentials } from '../../support/api-client.js'
import { completeBodies } from '../../support/http/complete-bodies.js'
import { expectProblem } from '../../support/http/expect-problem.js'
import { isPaged } from '../../support/http/json-schema.js'
import { makeParams, modelHosts, requestOf, unknownParams } from '../../support/http/operation-requests.js'
import { createResource, resourceKinds, type StoredResource } from '../../support/http/resources.js'
import type { RawAnswer } from '../../support/http/send.js'
import { snapshotOf } from '../../support/http/snapshot.js'
import { useService, uuidV7 } from '../../support/http/use-service.js'
import { addOrganization } from '../../support/organizations.js'

interface Page {
  readonly items: readonly { readonly id: string }[]
  readonly totalCount: number
  readonly offset: number
  readonly limit: number
}

const utcMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const http = useService({ env: modelHosts })
const { call } = http

/** A page of another origin must not read the response. */
function expectNoCorsHeaders({ headers }: RawAnswer): void {
  expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
}

describe('all operations', () => {
  const operations = allOperations.map(
    (operation) => [`${operation.method} ${operation.path}`, operation] as const,
  )

  test.each(operations)(
    'the operation works as documented, and pages of other origins cannot read the response: %s [4-1] [4-2] [API-5] [API-6] [API-17] [API-18]',
    async (_, operation) => {
      expect(operation.path).toMatch(/^\/api\/v1\/[A-Z]/)
      for (const mediaType of operation.body ? bodyMediaTypes(operation) : ['']) {
        const params = await makeParams(operation, http.running)
        const typed = { ...http.headers, ...(mediaType && { 'content-type': mediaType }) }
        const answer = await call(requestOf(operation, params, { ...typed, origin: 'https://example.com' }))
        expect(answer.text).not.toContain('errorCode')
        expectNoCorsHeaders(answer)
        const statuses = operation.mayCreate ? [operation.status, 201] : [operation.status]
        expect(statuses).toContain(answer.status)
        expect(answer.headers.get('x-request-id')).toMatch(uuidV7)
        for (const name of ['limit', 'remaining', 'reset'])
          expect(answer.headers.get(`ratelimit-${name}`)).toMatch(/^\d+$/)
        expect(answer.headers.get('etag') !== null).toBe(operation.hasETag === true)
        if (operation.status === 204) expect(answer.text).toBe('')
        if (!operation.response) continue
        expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
        expect(operation.response.parse(JSON.parse(answer.text))).toEqual(JSON.parse(answer.text))
      }
    },
  )

  test.each(operations)(
    'the operation rejects calls from browser pages: %s [API-18]',
    async (_, operation) => {
      const { path } = requestOf(operation, unknownParams(operation))
      const headers = { 'access-control-request-method': operation.method, origin: 'https://example.com' }
      expectNoCorsHeaders(await call({ method: 'OPTIONS', path, headers }))
    },
  )
})

describe('list operations', () => {
  const listing = allOperations.filter((operation) => isPaged(operation) && !operation.params)
  const lists = listing.map(({ path }) => path)
  let owner: Credentials
  const get = async (path: string) => (await http.client.as(owner).call<Page>('GET', path)).body

  /** An organization with several resources of each kind, more than a page of three can hold. */
  beforeAll(async () => {
    owner = await addOrganization(http.running)
    for (const { path, tag } of listing) {
      const ofOne =
        allOperations.find((operation) => /^\/\{\w+\}$/.test(operation.path.replace(path, ''))) ??
        allOperations.find((operation) => operation.tag === tag && operation.params)
      for (let count = 0; ofOne && count < 4; count += 1) await makeParams(ofOne, http.running, owner)
    }
  })

  test('GET /api/v1/Agent lists agents and accepts Offset and Limit [4.1-1]', async () => {
    const all = await get('/api/v1/Agent')
    expect(all.totalCount).toBeGreaterThan(5)
    expect(await get('/api/v1/Agent?Offset=2&Limit=3')).toEqual({
      items: all.items.slice(2, 5),
      totalCount: all.totalCount,
      offset: 2,
      limit: 3,
    })
  })

  test.each(lists)('pages are parts of one list, newest first: %s [API-2]', async (path) => {
    const all = await get(`${path}?Limit=200`)
    const paged: string[] = []
    const limit = Math.max(3, Math.floor(all.totalCount / 3))
    for (let offset = 0; offset < all.totalCount + limit; offset += limit) {
      const page = await get(`${path}?Offset=${offset}&Limit=${limit}`)
      expect(page).toMatchObject({ totalCount: all.totalCount, offset, limit })
      paged.push(...page.items.map(({ id }) => id))
    }
    expect(paged.length).toBeGreaterThan(limit)
    expect(paged).toHaveLength(all.totalCount)
    expect(paged).toEqual([...new Set(paged)].sort().reverse())
    expect(paged.slice(0, 200)).toEqual(all.items.map(({ id }) => id))
    expect(await get(path)).toMatchObject({ offset: 0, limit: 50, totalCount: all.totalCount })
    for (const query of ['Offset=-1', 'Limit=0', 'Limit=201', 'Limit=ten'])
      expectProblem(
        await call({ method: 'GET', path: `${path}?${query}`, headers: http.headers }),
        'InvalidRequest',
      )
  })
})

describe.each(resourceKinds.map((kind) => [kind.name, kind] as const))('%s', (name, kind) => {
  const { collection, example, patchExample, title } = kind
  const fresh = () => createResource(http.client, collection, example)
  const read = async (path: string) => (await http.client.call<StoredResource>('GET', path)).body

  test('ids are UUIDs of version 7, accepted in either letter case [API-1]', async () => {
    const { made } = await fresh()
    expect(made.id).toMatch(uuidV7)
    expect(await read(`${collection}/${made.id.toUpperCase()}`)).toEqual(made)
  })

  test('a PUT accepts the result of a GET [API-4]', async () => {
    const complete = (await completeBodies(http.client))[name]
    if (!complete) throw new Error(`completeBodies has no entry for ${name}.`)
    for (const body of [example, complete]) {
      const { path } = await createResource(http.client, collection, body)
      const before = await read(path)
      const put = await http.client.call<StoredResource>('PUT', path, { body: before })
      expect(put.body).toEqual({ ...before, updatedAt: put.body.updatedAt })
      expect(put.headers.get('etag')).toBe('"2"')
      expect(await read(path)).toEqual(put.body)
    }
  })

  test('read-only fields are accepted and ignored [API-4]', async () => {
    const readOnly = { id: 'mine', createdAt: 'never', updatedAt: { at: 0 } }
    const { made, path } = await createResource(http.client, collection, { ...example, ...readOnly })
    expect(made.id).toMatch(uuidV7)
    const patched = await http.client.call<StoredResource>('PATCH', path, { body: readOnly })
    expect(patched.body).toEqual({ ...made, updatedAt: patched.body.updatedAt })
  })

  test('a PATCH changes only the fields that it contains [API-11]', async () => {
    const { made, path } = await fresh()
    for (const type of ['application/json', 'application/merge-patch+json']) {
      const patch = { [title]: `Patched as ${type}` }
      const answer = await http.client.call<StoredResource>('PATCH', path, {
        body: patch,
        headers: { 'content-type': type },
      })
      expect(answer.body).toEqual({ ...made, ...patch, updatedAt: answer.body.updatedAt })
      expect(await read(path)).toEqual(answer.body)
    }
  })

  test.each(['PUT', 'PATCH', 'DELETE'])('%s checks If-Match [API-12]', async (method) => {
    const body = { PUT: example, PATCH: patchExample }[method]
    const change = (path: string, ifMatch: string) =>
      http.client.call(method, path, { headers: { 'if-match': ifMatch }, ...(body && { body }) })
    const { path, etag } = await fresh()
    expect(etag).toBe('"1"')
    const before = await snapshotOf(http.running, http.running.organizationId)
    for (const stale of ['"0"', '"2"', 'W/"2"', '"2", "3"', '1', '"', '""', '"1'])
      expectProblem(await change(path, stale), 'PreconditionFailed')
    expect(await snapshotOf(http.running, http.running.organizationId)).toEqual(before)
    for (const good of ['"1"', 'W/"1"', '*', '"7", "1"']) {
      const answer = await change((await fresh()).path, good)
      expect(answer.status).toBe(method === 'DELETE' ? 204 : 200)
    }
  })

  test('concurrent updates run one after the other, and none is lost [API-13]', async () => {
    const { path } = await fresh()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        http.client.call('PATCH', path, { body: { [title]: `Name ${index}` } }),
      ),
    )
    const versions = answers.map((answer) => Number(answer.headers.get('etag')?.replaceAll('"', '')))
    expect(versions.sort((one, other) => one - other)).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 2),
    )
    expect((await http.client.call('GET', path)).headers.get('etag')).toBe('"21"')
  })

  test('exactly one of several concurrent updates to one version succeeds [API-12] [API-13]', async () => {
    const { path } = await fresh()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        http.client.call('PATCH', path, {
          body: { [title]: `Name ${index}` },
          headers: { 'if-match': '"1"' },
        }),
      ),
    )
    const winners = answers.filter(({ status }) => status === 200)
    expect(winners).toHaveLength(1)
    for (const loser of answers.filter((answer) => !winners.includes(answer)))
      expectProblem(loser, 'PreconditionFailed')
    expect(await read(path)).toEqual(winners[0]?.body)
  })
})

describe('merge patch', () => {
  test('merges objects, replaces arrays, clears nulls, and keeps omitted fields [API-11]', async () => {
    const models = { chat: 'c', realtime: ['r', 's'], transcription: 't', speech: null }
    const { made, path } = await createResource(http.client, '/api/v1/Connection', {
      name: 'C',
      kind: 'openai',
      models,
    })
    const body = { models: { realtime: ['q'], transcription: null } }
    const patched = await http.client.call<StoredResource>('PATCH', path, { body })
    expect(patched.body.models).toEqual({ chat: 'c', realtime: ['q'], transcription: null, speech: null })
    const empty = await http.client.call<StoredResource>('PATCH', path, { body: {} })
    expect(empty.body).toEqual({ ...made, models: patched.body.models, updatedAt: empty.body.updatedAt })
  })

  test('validates the result as a whole [API-11]', async () => {
    const { path } = await createResource(http.client, '/api/v1/Connection', { name: 'C', kind: 'openai' })
    const before = await http.client.call('GET', path)
    const refused = await http.client.call('PATCH', path, { body: { kind: 'azure-openai' } })
    expect(expectProblem(refused, 'InvalidRequest').errors?.[0]?.path).toBe('baseUrl')
    expect((await http.client.call('GET', path)).body).toEqual(before.body)
  })

  test('If-Match never matches a task that does not exist [API-12]', async () => {
    const path = '/api/v1/Task/external/nobody'
    for (const ifMatch of ['"1"', '*'])
      expectProblem(
        await http.client.call('PUT', path, { body: { title: 'T' }, headers: { 'if-match': ifMatch } }),
        'PreconditionFailed',
      )
    const { made } = await createResource(http.client, '/api/v1/Task', { title: 'T', externalId: 'nobody' })
    const put = await http.client.call<StoredResource>('PUT', path, {
      body: made,
      headers: { 'if-match': '"1"' },
    })
    expect(put.body).toEqual({ ...made, updatedAt: put.body.updatedAt })
  })
})

test.each([
  ['2030-01-31T09:00:00Z', '2030-01-31T09:00:00.000Z'],
  ['2030-01-31T09:00:00.5+05:30', '2030-01-31T03:30:00.500Z'],
  ['2029-12-31T23:30:00-01:00', '2030-01-01T00:30:00.000Z'],
])('the timestamp %s is returned as %s [API-19]', async (dueAt, utc) => {
  const { made } = await createResource(http.client, '/api/v1/Task', { title: 'T', dueAt })
  expect(made).toMatchObject({ dueAt: utc })
  for (const field of ['createdAt', 'updatedAt'] as const) expect(made[field]).toMatch(utcMoment)
  const before = async (moment: string) => {
    const path = `/api/v1/Task?Limit=200&DueBefore=${encodeURIComponent(moment)}`
    return (await http.client.call<Page>('GET', path)).body.items.some(({ id }) => id === made.id)
  }
  expect(await before(dueAt)).toBe(false)
  expect(await before(dueAt.replace(/^20../, '2031'))).toBe(true)
})
