import { describe, expect, test } from 'vitest'
import { useHttpTools } from '../../support/tools/http-tools.js'
import { httpTool, invocationOf, onlyArguments } from '../../support/tools/invocations.js'

const http = useHttpTools()
const { run } = http

describe('placement of arguments [TOOL-5]', () => {
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
  ])('fills %s with %j to get %s', async (url, given, path) => {
    const arrival = http.server.expect(`GET ${path}`, { body: 'fine' })
    expect(await run({ url }, given)).toEqual({ ok: true, output: 'fine' })
    expect((await arrival).body).toBe('')
  })

  test('omits a query parameter whose placeholder has no argument', async () => {
    void http.server.expect('GET /?q=cats%20%26%20dogs&sort=by-name&fixed=1')
    const query = { q: '{text}', sort: 'by-{field}', fixed: '1', cursor: '{cursor}' }
    expect(await run({ query }, { text: 'cats & dogs', field: 'name' })).toMatchObject({ ok: true })
  })

  test.each(['POST', 'PUT', 'PATCH'] as const)(
    'sends the remaining arguments as the JSON body of a %s',
    async (method) => {
      const arrival = http.server.expect(`${method} /users/7?mode=fast`)
      const given = { id: 7, mode: 'fast', name: 'Ada', tags: ['x'] }
      await run({ method, url: '/users/{id}', query: { mode: '{mode}' } }, given)
      const { body, headers } = await arrival
      expect(JSON.parse(body)).toEqual({ name: 'Ada', tags: ['x'] })
      expect(headers['content-type']).toBe('application/json')
    },
  )

  test('sends the remaining arguments in the query of a DELETE', async () => {
    const arrival = http.server.expect('DELETE /users/7?reason=old')
    await run({ method: 'DELETE', url: '/users/{id}' }, { id: 7, reason: 'old' })
    expect((await arrival).headers['content-type']).toBeUndefined()
  })

  test('fills a body template with typed arguments and adds no others', async () => {
    const arrival = http.server.expect('POST /')
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

describe('rejection before a request is sent [TOOL-5]', () => {
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
  ])('rejects %s with %j', async (url, given) => {
    const outcome = await run({ url }, given)
    expect(outcome).toMatchObject({ ok: false, output: expect.stringMatching(/argument/) })
    expect(http.server.requests).toEqual([])
  })

  test('rejects a placeholder in the host', async () => {
    const tool = httpTool({})
    for (const url of [`http://{host}:${http.server.port}/`, `http://127.0.0.1:{host}/`, '{host}']) {
      const outcome = await http.executor.run(
        { ...tool, request: { ...tool.request, url } },
        invocationOf({ host: '127.0.0.1' }),
      )
      expect(outcome.ok).toBe(false)
    }
    expect(http.server.requests).toEqual([])
  })
})

describe('request headers [TOOL-5]', () => {
  test("contain the idempotency key, the accepted types and the tool's own headers", async () => {
    const arrival = http.server.expect('POST /')
    await run({ method: 'POST' }, {}, { headers: { Authorization: 'Bearer one', 'X-Team': 'blue' } })
    expect((await arrival).headers).toMatchObject({
      'idempotency-key': 'key-of-the-call',
      accept: 'application/json, text/plain;q=0.9, */*;q=0.5',
      'content-type': 'application/json',
      authorization: 'Bearer one',
      'x-team': 'blue',
    })
  })

  test("let the tool's headers override the defaults, except for the idempotency key", async () => {
    const arrival = http.server.expect('POST /')
    const headers = { ACCEPT: 'text/csv', 'Content-Type': 'application/vnd.api+json', 'Idempotency-Key': 'x' }
    await run({ method: 'POST' }, {}, { headers })
    expect((await arrival).headers).toMatchObject({
      accept: 'text/csv',
      'content-type': 'application/vnd.api+json',
      'idempotency-key': 'key-of-the-call',
    })
  })
})

describe('a preview of a request', () => {
  test('returns the request of a call and sends nothing', () => {
    const tool = httpTool({ method: 'POST', url: `${http.server.url}/users/{id}` })
    expect(http.executor.preview(tool, onlyArguments({ id: 7, name: 'Ada' }))).toEqual({
      ok: true,
      request: { method: 'POST', url: `${http.server.url}/users/7`, body: '{"name":"Ada"}' },
    })
    expect(
      http.executor.preview(
        { ...tool, request: { ...tool.request, method: 'GET' } },
        onlyArguments({ id: 7 }),
      ),
    ).toMatchObject({
      request: { body: null },
    })
    expect(http.server.requests).toEqual([])
  })

  test('explains why no request would be sent', () => {
    const problem = (url: string, id: string) =>
      http.executor.preview(httpTool({ url }), onlyArguments({ id }))
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
