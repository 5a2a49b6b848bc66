import { allOperations, type Operation } from '@parley/contract'
import { exampleOf } from '@parley/contract/openapi'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anyCharacter } from '../../support/any-character.js'
import { type BadBody, badBodies, hugeBodies, mebibyte, nested } from '../../support/http/bad-bodies.js'
import { expectProblem, outcomeOf } from '../../support/http/expect-problem.js'
import {
  alternativesOf,
  bodySchemaOf,
  isPaged,
  type JsonSchema,
  queryParametersOf,
} from '../../support/http/json-schema.js'
import { badTexts, mistakesIn } from '../../support/http/mistakes.js'
import {
  chosenParams,
  headersOf,
  makeParams,
  modelHosts,
  paramNamesOf,
  requestOf,
  unknownParams,
} from '../../support/http/operation-requests.js'
import { expectRefused } from '../../support/http/refused-requests.js'
import { rotatingSubset } from '../../support/http/rotating-subset.js'
import { type RawRequest, send } from '../../support/http/send.js'
import { unusualMoments, unusualTexts } from '../../support/http/unusual-values.js'
import { type RunningService, startService } from '../../support/start-service.js'

const json = 'application/json'

const named = (operations: readonly Operation[]) =>
  operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const)
const withBody = named(allOperations.filter(({ body }) => body))
const creating = withBody.filter(
  ([, operation]) =>
    operation.method === 'POST' || paramNamesOf(operation).some((name) => chosenParams.includes(name)),
)

const brokenEscapes = ['%', '%z', '%zz', '%ff', '%C3', '%ED%A0%80', '%u0041']

/** Invalid values of a query parameter, whose values are always text. */
function badQueryValues(schema: JsonSchema): string[] {
  const [plain = {}] = alternativesOf(schema)
  if (plain.type !== 'integer') return badTexts(plain).filter((text) => text.isWellFormed())
  const beyond = [(plain.minimum ?? 0) - 1, (plain.maximum ?? 0) + 1].map(String)
  return [...beyond, '', ' ', 'many', '1.5', '1e1', '0x1', '+1', ' 1', '1,2', 'NaN', '9'.repeat(30), '1\0']
}

const anything = fc.jsonValue({ maxDepth: 4, stringUnit: anyCharacter })

let running: RunningService
let headers: Record<string, string>

beforeAll(async () => {
  running = await startService({ env: { LOG_LEVEL: 'error', ...modelHosts } })
  headers = headersOf(running)
})

afterAll(() => running.close())

const call = (request: RawRequest) => send(running.url, request)
const post = (path: string, body: string) =>
  call({ method: 'POST', path, headers: { ...headers, 'content-type': json }, body })

const sentTo =
  (request: RawRequest) =>
  ([title, body, code, mediaType = json]: BadBody) => ({
    title,
    request: { ...request, body, headers: { ...headers, ...(mediaType && { 'content-type': mediaType }) } },
    code,
  })

/**
 * Operations of one kind share their fields. A mistake that one operation has rejected is not repeated with
 * the next, except for one per place, which shows that the place is checked there too.
 */
function notMadeBefore<Made extends { readonly path: string; readonly rule: string }>(
  before: Set<string>,
  made: readonly Made[],
): Made[] {
  const places = new Set<string>()
  const kept = made.filter(({ path, rule }) => {
    const isFirst = !places.has(path)
    places.add(path)
    return isFirst || !before.has(rule)
  })
  for (const { rule } of made) before.add(rule)
  return kept
}

const mistakesBefore = new Set<string>()

describe.each(withBody.map(([name, operation], turn) => [name, operation, turn] as const))(
  '%s',
  (_, operation, turn) => {
    let request: RawRequest

    beforeAll(async () => {
      request = requestOf(operation, await makeParams(operation, running), headers)
    })

    test('rejects every mistake in every field, names the field, and writes nothing [API-15] [API-4]', async () => {
      const example = operation.body && exampleOf(operation.body)
      const mistakes = mistakesIn(bodySchemaOf(operation), example, '').filter(({ path }) => path !== '')
      const properties = alternativesOf(bodySchemaOf(operation))[0]?.properties ?? {}
      const fields = Object.values(properties).filter(({ readOnly }) => !readOnly)
      expect(mistakes.length).toBeGreaterThan(5 * fields.length)
      const made = mistakes.map((each) => ({ ...each, rule: `${operation.tag} ${each.path} ${each.title}` }))
      await expectRefused(
        running,
        notMadeBefore(mistakesBefore, made).map(({ title, path, value }) => ({
          title: `${path} ${title}`,
          request: { ...request, body: JSON.stringify(value) },
          code: 'InvalidRequest',
          path,
        })),
      )
    })

    // One parser reads the bodies of all operations.
    test('rejects invalid bodies and writes nothing [API-14] [API-15]', async () => {
      await expectRefused(running, rotatingSubset(badBodies, turn, 6).map(sentTo(request)))
    })

    test('accepts a body of exactly 1 MiB [API-14]', async () => {
      const body = String(request.body).padEnd(mebibyte)
      expect((await call({ ...request, body })).status).toBe(operation.status)
    })
  },
)

/** Parameters that no operation has. */
const unknownQueries = [
  { path: 'unknown', query: 'unknown=1' },
  { path: 'unknown', query: 'unknown' },
  { path: '__proto__', query: '__proto__=1' },
  { path: 'constructor', query: 'constructor=1' },
  { path: 'a\0', query: 'a%00=1' },
  { path: '%zz', query: '%zz=1' },
]

const queriesBefore = new Set<string>()

test.each(named(allOperations).map(([name, operation], turn) => [name, operation, turn] as const))(
  'rejects invalid queries and names the parameters: %s [API-4] [API-15]',
  async (_, operation, turn) => {
    // Queries are validated before the resource is looked up.
    const request = requestOf(operation, unknownParams(operation), headers)
    const bad = queryParametersOf(operation).flatMap(({ name, schema }) =>
      [
        ...badQueryValues(schema).map((value) => ({
          path: name,
          query: `${name}=${encodeURIComponent(value)}`,
        })),
        ...brokenEscapes.map((broken) => ({ path: name, query: `${name}=${broken}` })),
        { path: name, query: `${name}=1&${name}=1` },
        { path: name.toUpperCase(), query: `${name.toUpperCase()}=1` },
      ].map((each) => ({ ...each, rule: `${JSON.stringify(schema)} ${each.query}` })),
    )
    const queries = [...notMadeBefore(queriesBefore, bad), ...rotatingSubset(unknownQueries, turn, 2)]
    await expectRefused(
      running,
      queries.map(({ path, query }) => ({
        title: query.slice(0, 60),
        request: { ...request, path: `${request.path}?${query}` },
        code: 'InvalidRequest',
        path,
      })),
    )
  },
)

test.each(brokenEscapes)(
  'returns 404 for an address that cannot be decoded: %s [API-1] [API-3]',
  async (broken) => {
    for (const path of [`/api/v1/Agent/${broken}`, `/${broken}?Search=a`]) {
      const answer = await call({ method: 'GET', path, headers })
      expectProblem(answer, 'NotFound')
      expect(answer.headers.get('ratelimit-limit')).not.toBeNull()
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    }
  },
)

test('rejects oversized bodies [API-14] [API-15]', async () => {
  for (const [turn, [, operation]] of creating.entries()) {
    const request = requestOf(operation, await makeParams(operation, running), headers)
    await expectRefused(running, rotatingSubset(hugeBodies, turn, 1).map(sentTo(request)))
  }
}, 60_000)

test.each(creating)('never fails internally for any JSON body: %s [API-15]', async (_, operation) => {
  const example = operation.body && exampleOf(operation.body)
  const fields = Object.keys(alternativesOf(bodySchemaOf(operation))[0]?.properties ?? {})
  const changed = fc.dictionary(fc.constantFrom(...fields), anything, { maxKeys: 2 })
  const body = fc.oneof(
    { weight: 1, arbitrary: anything },
    { weight: 3, arbitrary: changed.map((values) => ({ ...(example as object), ...values })) },
  )
  const request = requestOf(operation, await makeParams(operation, running), headers)
  await fc.assert(
    fc.asyncProperty(body, async (value) => {
      const answer = await call({ ...request, body: JSON.stringify(value) })
      if (answer.status !== operation.status)
        expect(['InvalidRequest', 'Forbidden', 'NotFound', ...(operation.errors ?? [])]).toContain(
          outcomeOf(answer),
        )
    }),
    // Fifteen runs for each of some twenty operations, with different values every time.
    { numRuns: 15 },
  )
})

test.each([
  ['application/json; charset=utf-8', '{"title":"T"}'],
  ['APPLICATION/JSON', ' {"title":"T"}\r\n'],
  ['application/json', '\ufeff{"title":"T"}'],
])('accepts JSON as %s: %j [API-14]', async (mediaType, body) => {
  const typed = { ...headers, 'content-type': mediaType }
  expect((await call({ method: 'POST', path: '/api/v1/Task', headers: typed, body })).status).toBe(201)
})

test.each(named(allOperations.filter(({ method, body, form }) => method !== 'GET' && !body && !form)))(
  'accepts a JSON media type on an operation without a body: %s [API-14]',
  async (_, operation) => {
    const typed = { ...headers, 'content-type': json }
    const request = requestOf(operation, await makeParams(operation, running), typed)
    expect((await call({ ...request, body: '' })).status).toBe(operation.status)
  },
)

test('accepts at most 64 levels, and accepts a list of 500000 items [API-14]', async () => {
  const agentWith = (body: string) =>
    `{"name":"A","tools":[{"kind":"http","name":"t","description":"d","request":{"method":"GET","url":"https://example.com/","body":${body}}}]}`
  const levelsAbove = 4
  expect((await post('/api/v1/Agent', agentWith(nested(64 - levelsAbove, '[', ']')))).status).toBe(201)
  const deeper = await post('/api/v1/Agent', agentWith(nested(65 - levelsAbove, '[', ']')))
  expect(expectProblem(deeper, 'InvalidRequest').errors?.[0]?.path).toMatch(/^tools\[0]\.request\.body\[0]/)
  expect((await post('/api/v1/Agent', agentWith(`[${'0,'.repeat(499_999)}0]`))).status).toBe(201)
})

test.each(unusualTexts)('accepts unusual text and returns it unchanged: %j [API-14]', async (text) => {
  // Names have one line (API-26). Other text accepts control characters too.
  const name = text.replaceAll(/\p{Cc}/gu, '') || 'A title'
  const task = { title: name, description: text, result: text }
  const path = `/api/v1/Task/external/${encodeURIComponent(`${name}/?#%`)}`
  const put = await running.client.call<{ id: string }>('PUT', path, { body: task })
  expect(put.body).toMatchObject({ ...task, externalId: `${name}/?#%` })
  const got = await running.client.call('GET', `/api/v1/Task/${put.body.id}`)
  expect(got.body).toEqual(put.body)
  const found = await running.client.call<{ items: { id: string }[] }>(
    'GET',
    `/api/v1/Task?Search=${encodeURIComponent(text)}`,
  )
  expect(found.body.items.map(({ id }) => id)).toContain(put.body.id)
})

test.each(['__proto__', 'constructor', 'toString'])(
  'accepts a tool named %s and keeps its header values [API-14]',
  async (name) => {
    const request = {
      method: 'GET',
      url: 'https://example.com/',
      headers: { 'X-Token': 'secret', constructor: 'a' },
    }
    const parameters = { type: 'object', properties: { constructor: { type: 'string' } } }
    const tools = [{ kind: 'http', name, description: 'd', parameters, request }]
    const made = await running.client.call<{ id: string; tools: object[] }>('POST', '/api/v1/Agent', {
      body: { name: 'A', tools },
    })
    const headerNames = ['X-Token', 'constructor']
    expect(made.body.tools).toMatchObject([{ name, parameters, request: { headerNames } }])
    const put = await running.client.call('PUT', `/api/v1/Agent/${made.body.id}`, { body: made.body })
    expect(put.body.tools).toEqual(made.body.tools)
    const stored = await running.service.database.stores.agents.find(running.organizationId, made.body.id)
    expect(
      Object.entries(stored?.toolSecrets ?? {}).map(([tool, values]) => [tool, Object.keys(values).sort()]),
    ).toEqual([[name, headerNames]])
  },
)

test.each(unusualMoments)('accepts an unusual timestamp: %s [API-19]', async (dueAt) => {
  const made = await running.client.call('POST', '/api/v1/Task', { body: { title: 'T', dueAt } })
  expect(made.body.dueAt).toBe(new Date(dueAt).toISOString())
  expect((await running.client.call('GET', `/api/v1/Task/${made.body.id}`)).body).toEqual(made.body)
})

test.each(named(allOperations.filter(isPaged)))(
  'accepts the largest Offset: %s [API-2]',
  async (_, operation) => {
    const { path } = requestOf(operation, await makeParams(operation, running))
    const answer = await running.client.call('GET', `${path}?Offset=999999999&Limit=200`)
    expect(answer.body).toMatchObject({ items: [], offset: 999_999_999, limit: 200 })
  },
)
