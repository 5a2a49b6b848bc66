import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { makeHttpToolExecutor } from '#server/adapters/http-tools/http-tool-executor.js'
import { makeOutbound } from '#server/adapters/outbound/outbound.js'
import type { HttpTool, ToolInvocation } from '#server/ports/tool-executor.js'
import { type ScriptedHttpServer, startScriptedHttpServer } from '../../support/scripted-http-server.js'
import { httpTool, invocationOf } from '../../support/tools/invocations.js'

const outbound = makeOutbound({ allowedPrivateHosts: ['127.0.0.1'] })
const executor = makeHttpToolExecutor(outbound)
let server: ScriptedHttpServer

beforeAll(async () => {
  server = await startScriptedHttpServer()
})
afterEach(() => server.verify())
afterAll(async () => {
  await outbound.close()
  await server.close()
})

/** Runs a tool whose url is a path of the scripted server. */
function run(
  request: Partial<HttpTool['request']>,
  given: Readonly<Record<string, unknown>> = {},
  changes: Partial<ToolInvocation> = {},
) {
  const url = `${server.url}${request.url ?? '/'}`
  return executor.run(httpTool({ ...request, url }), invocationOf(given, changes))
}

describe('[TOOL-5] where arguments go', () => {
  test.each([
    ['/users/{id}', { id: 'a b/ü?#&' }, '/users/a%20b%2F%C3%BC%3F%23%26'],
    ['/users/{id}.json', { id: 7 }, '/users/7.json'],
    ['/{a}/{b}', { a: true, b: '{a}' }, '/true/%7Ba%7D'],
    ['/?q={text}&page=1', { text: 'x&admin=1#' }, '/?q=x%26admin%3D1%23&page=1'],
    ['/?q={text}&page=1', {}, '/?page=1'],
    ['/?q={text}', { text: null }, '/'],
    ['/?filter={filter}', { filter: { a: [1] } }, '/?filter=%7B%22a%22%3A%5B1%5D%7D'],
    ['/users', { name: 'a', tags: ['x', 2], none: null }, '/users?name=a&tags=%5B%22x%22%2C2%5D'],
    ['/users?fixed=1', { fixed: '2', free: '3' }, '/users?fixed=1&free=3'],
    ['/half/{id}', { id: '\ud800' }, '/half/%EF%BF%BD'],
    ['/dots/{id}', { id: 'a..b' }, '/dots/a..b'],
    ['/dots/{id}', { id: '...' }, '/dots/...'],
  ])('%s with %j becomes %s', async (url, given, path) => {
    const arrival = server.expect(`GET ${path}`, { body: 'fine' })
    expect(await run({ url }, given)).toEqual({ ok: true, output: 'fine' })
    expect((await arrival).body).toBe('')
  })

  test('query parameters have placeholders; one that lacks its argument is left out', async () => {
    void server.expect('GET /?q=cats%20%26%20dogs&sort=by-name&fixed=1')
    const query = { q: '{text}', sort: 'by-{field}', fixed: '1', cursor: '{cursor}' }
    expect(await run({ query }, { text: 'cats & dogs', field: 'name' })).toMatchObject({ ok: true })
  })

  test.each(['POST', 'PUT', 'PATCH'] as const)('what is left is the JSON body of a %s', async (method) => {
    const arrival = server.expect(`${method} /users/7?mode=fast`)
    const given = { id: 7, mode: 'fast', name: 'Ada', tags: ['x'] }
    await run({ method, url: '/users/{id}', query: { mode: '{mode}' } }, given)
    const { body, headers } = await arrival
    expect(JSON.parse(body)).toEqual({ name: 'Ada', tags: ['x'] })
    expect(headers['content-type']).toBe('application/json')
  })

  test('what is left is in the query of a DELETE', async () => {
    const arrival = server.expect('DELETE /users/7?reason=old')
    await run({ method: 'DELETE', url: '/users/{id}' }, { id: 7, reason: 'old' })
    expect((await arrival).headers['content-type']).toBeUndefined()
  })

  test('a body of its own takes arguments with their types, and nothing else', async () => {
    const arrival = server.expect('POST /')
    const body = {
      user: { name: '{name}', greeting: 'Dear {name}, {missing}!' },
      tags: ['{tag}', '{missing}'],
      count: '{count}',
      list: '{list}',
      absent: '{missing}',
      nothing: '{nothing}',
      inherited: '{constructor}',
      fixed: 1,
    }
    const given = { name: '{count}"', count: 3, tag: true, list: [{ a: 1 }], nothing: null, extra: 'no' }
    await run({ method: 'POST', body }, given)
    expect(JSON.parse((await arrival).body)).toEqual({
      user: { name: '{count}"', greeting: 'Dear {count}", !' },
      tags: [true, null],
      count: 3,
      list: [{ a: 1 }],
      nothing: null,
      fixed: 1,
    })
  })
})

describe('[TOOL-5] what is refused before anything is sent', () => {
  test.each([
    ['/users/{id}/private', { id: '..' }],
    ['/users/{id}/private', { id: '.' }],
    ['/users/{id}/private', { id: '%2e%2E' }],
    ['/users/{id}/private', { id: '%252e%252e' }],
    ['/users/{id}/private', { id: '../admin' }],
    ['/users/{id}/private', { id: 'a/../../admin' }],
    ['/users/{id}/private', { id: 'a\\..\\admin' }],
    ['/users/{id}/private', { id: '..%2fadmin' }],
    ['/users/{id}/private', { id: '..;/admin' }],
    ['/users/.{id}/private', { id: '.' }],
    ['/users/%2e{id}/private', { id: '.' }],
    ['/users/{id}{other}/private', { id: '.', other: '.' }],
    ['/users/{id}/private', { id: `%${'25'.repeat(100_000)}2e` }],
    ['/users/{id}/private', { id: '' }],
    ['/users/{id}/private', {}],
    ['/users/{id}/private', { id: null }],
    ['/users/{id}/private', { id: ['a'] }],
    ['/users/{constructor}/private', {}],
  ])('%s with %j', async (url, given) => {
    const outcome = await run({ url }, given)
    expect(outcome).toMatchObject({ ok: false, output: expect.stringMatching(/argument/) })
    expect(server.requests).toEqual([])
  })

  test('a placeholder that would choose the host', async () => {
    const tool = httpTool({})
    for (const url of [`http://{host}:${server.port}/`, `http://127.0.0.1:{host}/`, '{host}']) {
      const outcome = await executor.run(
        { ...tool, request: { ...tool.request, url } },
        invocationOf({ host: '127.0.0.1' }),
      )
      expect(outcome.ok).toBe(false)
    }
    expect(server.requests).toEqual([])
  })
})

describe('[TOOL-5] the headers', () => {
  test('hold the key of the call, what is accepted, and the own ones of the tool', async () => {
    const arrival = server.expect('POST /')
    await run({ method: 'POST' }, {}, { headers: { Authorization: 'Bearer one', 'X-Team': 'blue' } })
    expect((await arrival).headers).toMatchObject({
      'idempotency-key': 'key-of-the-call',
      accept: 'application/json, text/plain;q=0.9, */*;q=0.5',
      'content-type': 'application/json',
      authorization: 'Bearer one',
      'x-team': 'blue',
    })
  })

  test('of the tool go before ours, except for the key', async () => {
    const arrival = server.expect('POST /')
    const headers = { ACCEPT: 'text/csv', 'Content-Type': 'application/vnd.api+json', 'Idempotency-Key': 'x' }
    await run({ method: 'POST' }, {}, { headers })
    expect((await arrival).headers).toMatchObject({
      accept: 'text/csv',
      'content-type': 'application/vnd.api+json',
      'idempotency-key': 'key-of-the-call',
    })
  })
})

describe('[TOOL-5] what comes of an answer', () => {
  test.each([
    ['text/plain', ' as it is \n', ' as it is \n'],
    [
      'application/json',
      '{ "a" : [ 1, "b  \\" c" ],\n "n": 12345678901234567890 }',
      '{"a":[1,"b  \\" c"],"n":12345678901234567890}',
    ],
    ['application/problem+json; charset=utf-8', '{ "a": 1 }', '{"a":1}'],
    ['application/json', 'not { JSON', 'not{JSON'],
    ['text/html', '<p>hello</p>', '<p>hello</p>'],
    ['application/xml', '<a> </a>', '<a> </a>'],
  ])('%s is text', async (type, body, output) => {
    void server.expect('GET /', { body, headers: { 'content-type': type } })
    expect(await run({})).toEqual({ ok: true, output })
  })

  test('text in another encoding, and compressed', async () => {
    void server.expect('GET /', (response) => {
      response.writeHead(200, {
        'content-type': 'text/plain; charset=ISO-8859-1',
        'content-encoding': 'gzip',
      })
      response.end(gzipSync(Buffer.from([0x66, 0xfc, 0x72])))
    })
    expect(await run({})).toEqual({ ok: true, output: 'für' })
  })

  test('no content', async () => {
    void server.expect('GET /', { status: 204 })
    expect(await run({})).toEqual({ ok: true, output: 'The tool answered HTTP 204 with no content.' })
  })

  test.each([
    [{ 'content-type': 'image/png' }, 'image/png of 3 bytes'],
    [{}, 'an unnamed type of 3 bytes'],
  ])('a binary body (%j) is told of', async (headers, told) => {
    void server.expect('GET /', (response) => {
      response.writeHead(200, headers)
      response.end(Buffer.from([0, 0xff, 1]))
    })
    expect(await run({})).toMatchObject({ ok: true, output: expect.stringContaining(told) })
  })

  test('text without a type is text', async () => {
    void server.expect('GET /', (response) => response.end('hello'))
    expect(await run({})).toEqual({ ok: true, output: 'hello' })
  })

  test('a long text is cut, and says so', async () => {
    void server.expect('GET /', { body: 'x'.repeat(100_000) })
    const { ok, output } = await run({})
    expect(ok).toBe(true)
    expect(output).toHaveLength(64 * 1024)
    expect(output).toMatch(/x\n\[The answer was cut: it has 100000 characters\.\]$/)
  })

  test('one string of nearly a mebibyte is compacted like any other', async () => {
    void server.expect('GET /', { body: ['x'.repeat(1_000_000)] })
    expect((await run({})).output).toMatch(/^\["x+/)
  })

  test('more than a mebibyte is a failure', async () => {
    void server.expect('GET /', { body: 'x'.repeat(1024 * 1024 + 1) })
    expect(await run({})).toEqual({ ok: false, output: 'The answer is larger than 1048576 bytes.' })
  })

  test.each([
    [404, 'no such user', 'HTTP 404: no such user'],
    [500, '', 'HTTP 500'],
    [302, 'nowhere', 'HTTP 302: nowhere'],
    [503, 'y'.repeat(5000), `HTTP 503: ${'y'.repeat(2000)}`],
    [500, 'z'.repeat(3_000_000), `HTTP 500: ${'z'.repeat(2000)}`],
  ])('%i is a failure with the beginning of its body', async (status, body, output) => {
    void server.expect('GET /', { status, body })
    expect(await run({})).toEqual({ ok: false, output })
  })

  test('a failure is not tried again', async () => {
    void server.expect('POST /', { status: 503 })
    await run({ method: 'POST' })
    expect(server.requests).toHaveLength(1)
  })
})

describe('what comes of no answer', () => {
  test('a dropped connection', async () => {
    void server.expect('POST /', (response) => response.destroy())
    const outcome = await run({ method: 'POST' })
    expect(outcome).toMatchObject({
      ok: false,
      output: expect.stringContaining('did not answer properly'),
    })
    expect(server.requests).toHaveLength(1)
  })

  test.each([
    ['headers', () => undefined],
    ['the rest of a body', (response: { write(text: string): unknown }) => void response.write('half')],
  ])('time that is up before %s', async (_what, answer) => {
    void server.expect('GET /', answer)
    expect(await run({}, {}, { timeoutMilliseconds: 100 })).toEqual({
      ok: false,
      output: 'The tool did not answer within 0.1 seconds.',
    })
  })

  test('a connection that is not accepted in time is told as such', async () => {
    const slow = makeOutbound({
      allowedPrivateHosts: [],
      resolver: () => new Promise(() => undefined),
      connectTimeoutMilliseconds: 50,
    })
    const outcome = await makeHttpToolExecutor(slow).run(httpTool({}), invocationOf())
    expect(outcome).toEqual({
      ok: false,
      output: 'The host a.test did not accept a connection in time.',
    })
    await slow.close()
  })

  test('a call that is given up ends at once', async () => {
    const controller = new AbortController()
    const arrival = server.expect('GET /', () => undefined)
    const running = run({}, {}, { signal: controller.signal })
    await arrival
    controller.abort()
    expect(await running).toMatchObject({ ok: false, output: 'The call was given up.' })
  })
})

describe('[TOOL-6] secrets', () => {
  const password = 'p"ß\\ /word'
  const headers = {
    Authorization: 'Bearer abc.def-ghi',
    'X-Api-Key': 'key"with\\quotes/é',
    'X-Basic': `Basic ${Buffer.from(`user:${password}`).toString('base64')}`,
    'X-Short': '1',
  }
  const echo = {
    bearer: headers.Authorization,
    token: 'abc.def-ghi',
    key: headers['X-Api-Key'],
    encoded: encodeURIComponent(headers['X-Api-Key']),
    basic: headers['X-Basic'],
    password,
    one: 1,
  }

  test.each([200, 500])('that an answer of %i gives back are concealed', async (status) => {
    void server.expect('GET /', { status, body: echo })
    const { output } = await run({}, {}, { headers })
    const shown = JSON.parse(output.replace(/^HTTP 500: /, ''))
    const all = Object.keys(echo).map((name) => [name, name === 'one' ? 1 : '[secret]'])
    expect(shown).toEqual(Object.fromEntries(all))
  })

  test('are concealed before the cut', async () => {
    const body = `${'x'.repeat(1995)}${headers.Authorization}`
    void server.expect('GET /', { status: 400, body })
    expect((await run({}, {}, { headers })).output).toBe(`HTTP 400: ${'x'.repeat(1995)}[secr`)
  })

  test('are not told in part where the reading of a failure ends', async () => {
    const secret = 's'.repeat(7000)
    void server.expect('GET /', { status: 400, body: `${secret}-`.repeat(100) })
    const { output } = await run({}, {}, { headers: { 'X-Long': secret } })
    expect(output).not.toContain('ss')
  })
})

describe('a preview', () => {
  test('is what a call would send, and sends nothing', () => {
    const tool = httpTool({ method: 'POST', url: `${server.url}/users/{id}` })
    expect(executor.preview(tool, { id: 7, name: 'Ada' })).toEqual({
      ok: true,
      request: { method: 'POST', url: `${server.url}/users/7`, body: '{"name":"Ada"}' },
    })
    expect(
      executor.preview({ ...tool, request: { ...tool.request, method: 'GET' } }, { id: 7 }),
    ).toMatchObject({
      request: { body: null },
    })
    expect(server.requests).toEqual([])
  })

  test('says why nothing would be sent', () => {
    const problem = (url: string, id: string) => executor.preview(httpTool({ url }), { id })
    expect(problem('https://a.test/{id}', '..')).toEqual({
      ok: false,
      problem: expect.stringContaining('argument id'),
    })
    expect(problem('http://10.0.0.1/{id}', 'x')).toEqual({
      ok: false,
      problem: expect.stringContaining('PARLEY_ALLOWED_PRIVATE_HOSTS'),
    })
  })
})
