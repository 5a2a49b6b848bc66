import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { makeHttpToolExecutor } from '#server/adapters/http-tools/http-tool-executor.js'
import { makeOutbound } from '#server/adapters/outbound/outbound.js'
import { noTracing } from '#server/adapters/system/tracing.js'
import { useHttpTools } from '../../support/tools/http-tools.js'
import { httpTool, invocationOf } from '../../support/tools/invocations.js'

const http = useHttpTools()
const { run } = http

describe('responses of an HTTP tool [TOOL-5]', () => {
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
  ])('returns %s as text', async (type, body, output) => {
    void http.server.expect('GET /', { body, headers: { 'content-type': type } })
    expect(await run({})).toEqual({ ok: true, output })
  })

  test('decodes text in another charset and compressed text', async () => {
    void http.server.expect('GET /', (response) => {
      response.writeHead(200, {
        'content-type': 'text/plain; charset=ISO-8859-1',
        'content-encoding': 'gzip',
      })
      response.end(gzipSync(Buffer.from([0x66, 0xfc, 0x72])))
    })
    expect(await run({})).toEqual({ ok: true, output: 'für' })
  })

  test('returns an empty text for a response without content', async () => {
    void http.server.expect('GET /', { status: 204 })
    expect(await run({})).toEqual({ ok: true, output: 'The tool answered HTTP 204 with no content.' })
  })

  test.each([
    [{ 'content-type': 'image/png' }, '3 bytes of image/png'],
    [{}, '3 bytes of content of an unknown type'],
  ])('describes a binary body (%j)', async (headers, told) => {
    void http.server.expect('GET /', (response) => {
      response.writeHead(200, headers)
      response.end(Buffer.from([0, 0xff, 1]))
    })
    expect(await run({})).toMatchObject({ ok: true, output: expect.stringContaining(told) })
  })

  test('treats a body without a content type as text', async () => {
    void http.server.expect('GET /', (response) => response.end('hello'))
    expect(await run({})).toEqual({ ok: true, output: 'hello' })
  })

  test.each([301, 302, 303])('fails if a POST is redirected with %i [OUT-7]', async (status) => {
    void http.server.expect('POST /', { status, headers: { location: '/done' } })
    expect(await run({ method: 'POST' }, { amount: 3 })).toEqual({
      ok: false,
      output: expect.stringContaining(`redirects the POST request with status ${status}`),
    })
  })

  test.each([307, 308])('repeats a POST that is redirected with %i [OUT-7]', async (status) => {
    void http.server.expect('POST /', { status, headers: { location: '/there' } })
    const there = http.server.expect('POST /there', {
      body: 'paid',
      headers: { 'content-type': 'text/plain' },
    })
    const headers = { Authorization: 'Bearer secret-token' }
    expect(await run({ method: 'POST' }, { amount: 3 }, { headers })).toEqual({ ok: true, output: 'paid' })
    expect(await there).toMatchObject({
      body: '{"amount":3}',
      headers: { authorization: 'Bearer secret-token' },
    })
  })

  test('cuts a long text and says so', async () => {
    void http.server.expect('GET /', { body: 'x'.repeat(100_000) })
    const { ok, output } = await run({})
    expect(ok).toBe(true)
    expect(output).toHaveLength(64 * 1024)
    expect(output).toMatch(/x\n\[Truncated: the answer has 100000 characters\.\]$/)
  })

  test('compacts a string of nearly one mebibyte like any other text', async () => {
    void http.server.expect('GET /', { body: ['x'.repeat(1_000_000)] })
    expect((await run({})).output).toMatch(/^\["x+/)
  })

  test('removes white space of any length from JSON', async () => {
    const spaces = ' \n'.repeat(240_000)
    const headers = { 'content-type': 'application/json' }
    void http.server.expect('GET /', { headers, body: `[${spaces}1,${spaces}"a b"]` })
    expect((await run({})).output).toBe('[1,"a b"]')
  })

  test('fails if the response has more than one mebibyte', async () => {
    void http.server.expect('GET /', { body: 'x'.repeat(1024 * 1024 + 1) })
    expect(await run({})).toEqual({
      ok: false,
      output: 'The response is larger than 1048576 bytes.',
      isUnknown: true,
    })
  })

  test.each([
    [404, 'no such user', 'HTTP 404: no such user'],
    [500, '', 'HTTP 500'],
    [302, 'nowhere', 'HTTP 302: nowhere'],
    [503, 'y'.repeat(5000), `HTTP 503: ${'y'.repeat(2000)}`],
    [500, 'z'.repeat(3_000_000), `HTTP 500: ${'z'.repeat(2000)}`],
  ])('fails with the beginning of the body if the status is %i', async (status, body, output) => {
    void http.server.expect('GET /', { status, body })
    expect(await run({})).toEqual({ ok: false, output })
  })

  test('does not retry a failed call', async () => {
    void http.server.expect('POST /', { status: 503 })
    await run({ method: 'POST' })
    expect(http.server.requests).toHaveLength(1)
  })
})

describe('an HTTP tool that does not respond', () => {
  test('fails if the connection is dropped', async () => {
    void http.server.expect('POST /', (response) => response.destroy())
    const outcome = await run({ method: 'POST' })
    expect(outcome).toMatchObject({
      ok: false,
      output: expect.stringContaining('did not answer properly'),
      isUnknown: true,
    })
    expect(http.server.requests).toHaveLength(1)
  })

  test.each([
    ['headers', () => undefined],
    ['the rest of a body', (response: { write(text: string): unknown }) => void response.write('half')],
  ])('fails if the time is up before %s', async (_what, answer) => {
    void http.server.expect('GET /', answer)
    expect(await run({}, {}, { timeoutMilliseconds: 100 })).toEqual({
      ok: false,
      output: 'The tool did not respond within 0.1 seconds.',
      isUnknown: true,
    })
  })

  test('reports that a connection was not accepted in time', async () => {
    const slow = makeOutbound({
      allowedPrivateHosts: [],
      resolver: () => new Promise(() => undefined),
      connectTimeoutMilliseconds: 50,
    })
    const outcome = await makeHttpToolExecutor(slow, noTracing).run(httpTool({}), invocationOf())
    expect(outcome).toEqual({
      ok: false,
      output: 'The host a.test did not accept a connection in time.',
    })
    await slow.close()
  })

  test('stops immediately if the call is aborted', async () => {
    const controller = new AbortController()
    const arrival = http.server.expect('GET /', () => undefined)
    const running = run({}, {}, { signal: controller.signal })
    await arrival
    controller.abort()
    expect(await running).toMatchObject({ ok: false, output: 'The call was cancelled.' })
  })
})

describe('secrets in a response [TOOL-6]', () => {
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

  test.each([200, 500])('are concealed if the response has status %i', async (status) => {
    void http.server.expect('GET /', { status, body: echo })
    const { output } = await run({}, {}, { headers })
    const shown = JSON.parse(output.replace(/^HTTP 500: /, ''))
    const all = Object.keys(echo).map((name) => [name, name === 'one' ? 1 : '[secret]'])
    expect(shown).toEqual(Object.fromEntries(all))
  })

  test('are concealed before the text is cut', async () => {
    const body = `${'x'.repeat(1995)}${headers.Authorization}`
    void http.server.expect('GET /', { status: 400, body })
    expect((await run({}, {}, { headers })).output).toBe(`HTTP 400: ${'x'.repeat(1995)}[secr`)
  })

  test('are not shown in part at the end of a failed response', async () => {
    const secret = 's'.repeat(7000)
    void http.server.expect('GET /', { status: 400, body: `${secret}-`.repeat(100) })
    const { output } = await run({}, {}, { headers: { 'X-Long': secret } })
    expect(output).not.toContain('ss')
  })
})
