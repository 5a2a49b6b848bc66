import { allOperations, type ErrorCode, type Operation } from '@parley/contract'
import { exampleOf } from '@parley/contract/openapi'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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
  paramNamesOf,
  requestOf,
} from '../../support/http/operation-requests.js'
import { expectRefused } from '../../support/http/refused-requests.js'
import { type RawRequest, send } from '../../support/http/send.js'
import { type RunningService, startService } from '../../support/start-service.js'

const mebibyte = 1024 * 1024
const json = 'application/json'

const named = (operations: readonly Operation[]) =>
  operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const)
const withBody = named(allOperations.filter(({ body }) => body))
const creating = withBody.filter(
  ([, operation]) =>
    operation.method === 'POST' || paramNamesOf(operation).some((name) => chosenParams.includes(name)),
)

type BadBody = readonly [title: string, body: string | Uint8Array, code: ErrorCode, mediaType?: string]

const nested = (depth: number, open: string, close: string) => `${open.repeat(depth)}0${close.repeat(depth)}`
const bytesIn = (...bytes: readonly number[]) =>
  new Uint8Array(Buffer.concat([Buffer.from('{"name":"'), Uint8Array.from(bytes), Buffer.from('"}')]))

/** Bodies that no operation takes. */
const badBodies: readonly BadBody[] = [
  ['nothing', '', 'InvalidRequest'],
  ['white space', ' \n ', 'InvalidRequest'],
  ['an array', '[]', 'InvalidRequest'],
  ['a text', '"text"', 'InvalidRequest'],
  ['a number', '7', 'InvalidRequest'],
  ['true', 'true', 'InvalidRequest'],
  ['null', 'null', 'InvalidRequest'],
  ['an object cut off', '{"name":"', 'InvalidRequest'],
  ['a comma too many', '{"name":"a",}', 'InvalidRequest'],
  ['single quotes', "{'name':'a'}", 'InvalidRequest'],
  ['two values', '{}{}', 'InvalidRequest'],
  ['NaN', '{"name":NaN}', 'InvalidRequest'],
  ['a raw NUL', '{"name":"a\0b"}', 'InvalidRequest'],
  ['a raw line break in a text', '{"name":"a\nb"}', 'InvalidRequest'],
  ['a byte that is no UTF-8', bytesIn(0xff), 'InvalidRequest'],
  ['half a surrogate pair as UTF-8', bytesIn(0xed, 0xa0, 0x80), 'InvalidRequest'],
  ['an overlong slash', bytesIn(0xc0, 0xaf), 'InvalidRequest'],
  ['a character cut off', bytesIn(0xe2, 0x82), 'InvalidRequest'],
  ['UTF-16', new Uint8Array(Buffer.from('{"name":"a"}', 'utf16le')), 'InvalidRequest'],
  ['a __proto__ field', '{"__proto__":{"isAdmin":true}}', 'InvalidRequest'],
  ['a constructor.prototype field', '{"constructor":{"prototype":{"isAdmin":true}}}', 'InvalidRequest'],
  ['70 levels of arrays', nested(70, '[', ']'), 'InvalidRequest'],
  ['70 levels of objects', nested(70, '{"a":', '}'), 'InvalidRequest'],
  ['a byte more than 1 MiB', '{}'.padEnd(mebibyte + 1), 'TooLarge'],
  ['a form', 'name=a', 'UnsupportedMediaType', 'application/x-www-form-urlencoded'],
  ['a file', '--a--', 'UnsupportedMediaType', 'multipart/form-data; boundary=a'],
  ['plain text', '{}', 'UnsupportedMediaType', 'text/plain'],
  ['something like JSON', '{}', 'UnsupportedMediaType', 'application/jsonx'],
  ['no media type at all', '{}', 'UnsupportedMediaType', ''],
  ['what is no media type', '{}', 'UnsupportedMediaType', 'json'],
]

/** The same, too large to send to every operation. */
const hugeBodies: readonly BadBody[] = [
  ['200000 levels of arrays', nested(200_000, '[', ']'), 'InvalidRequest'],
  ['150000 levels of objects', nested(150_000, '{"a":', '}'), 'InvalidRequest'],
  ['an array of 500000 items', `[${'0,'.repeat(499_999)}0]`, 'InvalidRequest'],
  ['10 MB', '{}'.padEnd(10_000_000), 'TooLarge'],
]

const brokenEscapes = ['%', '%z', '%zz', '%ff', '%C3', '%ED%A0%80', '%u0041']

/** What is wrong for a parameter of a query, where everything is text. */
function badQueryValues(schema: JsonSchema): string[] {
  const [plain = {}] = alternativesOf(schema)
  if (plain.type !== 'integer') return badTexts(plain).filter((text) => text.isWellFormed())
  const beyond = [(plain.minimum ?? 0) - 1, (plain.maximum ?? 0) + 1].map(String)
  return [...beyond, '', ' ', 'many', '1.5', '1e1', '0x1', '+1', ' 1', '1,2', 'NaN', '9'.repeat(30), '1\0']
}

/** Texts that look like trouble and are none. */
const unusualTexts = [
  'Ω ≈ ç √ ∫ µ',
  'مرحبا بالعالم',
  'เด็กที่มีปัญหาทางการเรียนรู้',
  '👩‍👩‍👧‍👦 🏴‍☠️ 🇺🇳 𝒳𝒴𝒵',
  'e\u0301 is not \u00e9',
  '\u0001\u001f\u007f\u0085',
  '\u202eright to left\u202c',
  '\ufeffa mark and \ufffd and \uffff and \u{10ffff}',
  'two\u2028lines and\u2029paragraphs',
  "Robert'); drop table task;--",
  '%00 \\u0000 $1 {{7*7}} <b>&amp;</b>',
  '__proto__',
  'constructor',
  'null',
  '  inner  and outer space  ',
]

const unusualMoments = [
  '1970-01-01T00:00:00Z',
  '2000-02-29T23:59:59.999+14:00',
  '2030-01-31T09:00:00.123456789Z',
  '2030-01-31T09:00:00-00:00',
  '9999-12-31T23:59:59Z',
  '9999-12-31T23:59:59.9999999Z',
]

const anything = fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' })

let running: RunningService
let headers: Record<string, string>

beforeAll(async () => {
  running = await startService({ env: { LOG_LEVEL: 'error' } })
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

describe.each(withBody)('%s', (_, operation) => {
  let request: RawRequest

  beforeAll(async () => {
    request = requestOf(operation, await makeParams(operation, running), headers)
  })

  test('[API-15] [API-4] refuses every mistake in every field, names the field, writes nothing', async () => {
    const example = operation.body && exampleOf(operation.body)
    const mistakes = mistakesIn(bodySchemaOf(operation), example, '').filter(({ path }) => path !== '')
    const properties = alternativesOf(bodySchemaOf(operation))[0]?.properties ?? {}
    const fields = Object.values(properties).filter(({ readOnly }) => !readOnly)
    expect(mistakes.length).toBeGreaterThan(5 * fields.length)
    await expectRefused(
      running,
      mistakes.map(({ title, path, value }) => ({
        title: `${path} ${title}`,
        request: { ...request, body: JSON.stringify(value) },
        code: 'InvalidRequest',
        path,
      })),
    )
  })

  test('[API-14] [API-15] refuses bodies that are none, writes nothing', async () => {
    await expectRefused(running, badBodies.map(sentTo(request)))
  })

  test('[API-14] takes a body of exactly 1 MiB', async () => {
    const body = String(request.body).padEnd(mebibyte)
    expect((await call({ ...request, body })).status).toBe(operation.status)
  })
})

test.each(named(allOperations))(
  '[API-4] [API-15] refuses bad queries, by their names: %s',
  async (_, operation) => {
    const request = requestOf(operation, await makeParams(operation, running), headers)
    const parameters = queryParametersOf(operation)
    const queries = [
      ...parameters.flatMap(({ name, schema }) => [
        ...badQueryValues(schema).map((value) => [name, `${name}=${encodeURIComponent(value)}`]),
        ...brokenEscapes.map((broken) => [name, `${name}=${broken}`]),
        [name, `${name}=1&${name}=1`],
        [name.toUpperCase(), `${name.toUpperCase()}=1`],
      ]),
      ['unknown', 'unknown=1'],
      ['unknown', 'unknown'],
      ['__proto__', '__proto__=1'],
      ['constructor', 'constructor=1'],
      ['a\0', 'a%00=1'],
      ['%zz', '%zz=1'],
    ]
    await expectRefused(
      running,
      queries.map(([path = '', query = '']) => ({
        title: query.slice(0, 60),
        request: { ...request, path: `${request.path}?${query}` },
        code: 'InvalidRequest',
        path,
      })),
    )
  },
)

test.each(brokenEscapes)('[API-1] [API-3] an address that cannot be decoded is 404: %s', async (broken) => {
  for (const path of [`/api/v1/Agent/${broken}`, `/${broken}?Search=a`]) {
    const answer = await call({ method: 'GET', path, headers })
    expectProblem(answer, 'NotFound')
    expect(answer.headers.get('ratelimit-limit')).not.toBeNull()
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  }
})

test.each(creating)('[API-14] [API-15] refuses huge bodies: %s', async (_, operation) => {
  const request = requestOf(operation, await makeParams(operation, running), headers)
  await expectRefused(running, hugeBodies.map(sentTo(request)))
})

test.each(creating)('[API-15] whatever JSON comes, it is no accident: %s', async (_, operation) => {
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
        expect(['InvalidRequest', 'Forbidden', 'NotFound', ...(operation.refusals ?? [])]).toContain(
          outcomeOf(answer),
        )
    }),
    { numRuns: 100 },
  )
})

test.each([
  ['application/json; charset=utf-8', '{"title":"T"}'],
  ['APPLICATION/JSON', ' {"title":"T"}\r\n'],
  ['application/json', '\ufeff{"title":"T"}'],
])('[API-14] takes JSON as %s: %j', async (mediaType, body) => {
  const typed = { ...headers, 'content-type': mediaType }
  expect((await call({ method: 'POST', path: '/api/v1/Task', headers: typed, body })).status).toBe(201)
})

test.each(named(allOperations.filter(({ method, body, form }) => method !== 'GET' && !body && !form)))(
  '[API-14] what takes no body minds no JSON media type: %s',
  async (_, operation) => {
    const typed = { ...headers, 'content-type': json }
    const request = requestOf(operation, await makeParams(operation, running), typed)
    expect((await call({ ...request, body: '' })).status).toBe(operation.status)
  },
)

test('[API-14] takes 64 levels and no more, and a list of 500000 items', async () => {
  const agentWith = (body: string) =>
    `{"name":"A","tools":[{"kind":"http","name":"t","description":"d","request":{"method":"GET","url":"https://example.com/","body":${body}}}]}`
  const levelsAbove = 4
  expect((await post('/api/v1/Agent', agentWith(nested(64 - levelsAbove, '[', ']')))).status).toBe(201)
  const deeper = await post('/api/v1/Agent', agentWith(nested(65 - levelsAbove, '[', ']')))
  expect(expectProblem(deeper, 'InvalidRequest').errors?.[0]?.path).toMatch(/^tools\[0]\.request\.body\[0]/)
  expect((await post('/api/v1/Agent', agentWith(`[${'0,'.repeat(499_999)}0]`))).status).toBe(201)
})

test.each(unusualTexts)('[API-14] takes unusual text and gives it back unchanged: %j', async (text) => {
  const task = { title: text, description: text, result: text }
  const path = `/api/v1/Task/external/${encodeURIComponent(`${text}/?#%`)}`
  const put = await running.client.call<{ id: string }>('PUT', path, { body: task })
  expect(put.body).toMatchObject({ ...task, externalId: `${text}/?#%` })
  const got = await running.client.call('GET', `/api/v1/Task/${put.body.id}`)
  expect(got.body).toEqual(put.body)
  const found = await running.client.call<{ items: { id: string }[] }>(
    'GET',
    `/api/v1/Task?Search=${encodeURIComponent(text)}`,
  )
  expect(found.body.items.map(({ id }) => id)).toContain(put.body.id)
})

test.each(['__proto__', 'constructor', 'toString'])(
  '[API-14] a tool may be called %s, and keeps its header values',
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

test.each(unusualMoments)('[API-19] takes an unusual moment: %s', async (dueAt) => {
  const made = await running.client.call('POST', '/api/v1/Task', { body: { title: 'T', dueAt } })
  expect(made.body.dueAt).toBe(new Date(dueAt).toISOString())
  expect((await running.client.call('GET', `/api/v1/Task/${made.body.id}`)).body).toEqual(made.body)
})

test.each(named(allOperations.filter(isPaged)))(
  '[API-2] takes the largest Offset: %s',
  async (_, operation) => {
    const { path } = requestOf(operation, await makeParams(operation, running))
    const answer = await running.client.call('GET', `${path}?Offset=999999999&Limit=200`)
    expect(answer.body).toMatchObject({ items: [], offset: 999_999_999, limit: 200 })
  },
)
