import type { ErrorCode, Problem } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { expectProblem } from '../../support/http/expect-problem.js'
import { exchange } from '../../support/http/raw-socket.js'
import type { RawRequest } from '../../support/http/send.js'
import { useService, uuidV7 } from '../../support/http/use-service.js'
import { startService } from '../../support/start-service.js'

const http = useService()
const { call } = http

describe('error responses', () => {
  const json = { 'content-type': 'application/json' }
  const post = (path: string, body: string, more = {}) => ({
    method: 'POST',
    path,
    headers: { ...http.headers, ...json, ...more },
    body,
  })
  const nobody = '/api/v1/Agent/01890f5e-8c7d-7b2e-9c3a-1f2e3d4c5b6a'

  test.each<[ErrorCode, () => RawRequest]>([
    ['InvalidRequest', () => post('/api/v1/Task', '{"title":""}')],
    ['Unauthenticated', () => ({ method: 'GET', path: '/api/v1/Task' })],
    [
      'Forbidden',
      () => ({ method: 'GET', path: '/api/v1/Task', headers: { ...http.headers, 'x-org-id': '' } }),
    ],
    ['NotFound', () => ({ method: 'GET', path: nobody, headers: http.headers })],
    ['NotFound', () => ({ method: 'GET', path: '/nothing/here' })],
    ['MethodNotAllowed', () => ({ method: 'PROPFIND', path: '/api/v1/Task', headers: http.headers })],
    ['Conflict', () => post('/api/v1/Task', '{"title":"T","externalId":"taken"}')],
    ['TooLarge', () => post('/api/v1/Task', ' '.repeat(1024 * 1024 + 1))],
    ['UnsupportedMediaType', () => post('/api/v1/Task', '{}', { 'content-type': 'text/html' })],
  ])('%s has the shape of all errors [API-3] [API-5] [API-6] [OPS-9]', async (code, request) => {
    await http.client.call('POST', '/api/v1/Task', { body: { title: 'T', externalId: 'taken' } })
    const answer = await call(request())
    expectProblem(answer, code)
    expect(answer.headers.get('ratelimit-limit')).toBe('100000')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('an error reaches a client that is still sending, and the connection serves the next request [API-25]', async () => {
    const fields = Object.entries({ host: 'service', ...http.headers, ...json })
    const head = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    const body = ' '.repeat(8 * 1024 ** 2)
    const refused = `POST /api/v1/Task HTTP/1.1\r\n${head}content-length: ${body.length}\r\n\r\n${body}`
    const next = `GET /api/v1/Task HTTP/1.1\r\n${head}connection: close\r\n\r\n`
    const answer = await exchange(http.running.url, `${refused}${next}`)
    expect(`${answer.head}${answer.body}`.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200'])
  })

  test.each([
    ['PATCH', '/api/v1/Task', 'GET, POST'],
    ['POST', nobody, 'DELETE, GET, PATCH, PUT'],
    ['GET', '/api/v1/Task/external/a%20b?x=1', 'PUT'],
    ['DELETE', '/readyz', 'GET'],
    ['POST', '/openapi.json', 'GET'],
  ])('%s %s returns 405 and lists the allowed methods [API-23]', async (method, path, allowed) => {
    const answer = await call({ method, path, headers: http.headers })
    expectProblem(answer, 'MethodNotAllowed')
    expect(answer.headers.get('allow')).toBe(allowed)
  })

  test.each([
    ['/api/v1/Agent/', 'Did you mean /api/v1/Agent or /api/v1/Agent/{agentId}?'],
    ['/api/v1/Task/?Limit=5', 'Did you mean /api/v1/Task or /api/v1/Task/{taskId}?'],
    ['/api/v1//Agent', 'Did you mean /api/v1/Agent?'],
    ['//api/v1/ApiKey', 'Did you mean /api/v1/ApiKey?'],
    [`${nobody}/`, 'Did you mean /api/v1/Agent/{agentId}?'],
    ['/api/v1/Agent//question', 'Did you mean /api/v1/Agent/{agentId}/question?'],
    ['/api/v1/agent', 'Did you mean /api/v1/Agent?'],
    ['/api/v1/Agents', 'Did you mean /api/v1/Agent?'],
    ['/Agent', 'Did you mean /api/v1/Agent?'],
    ['/health', 'Did you mean /healthz or /readyz?'],
    ['/api/v1/status', 'Did you mean /healthz or /readyz?'],
    ['/api/v1/Invoice', null],
  ])('GET %s returns 404 and suggests the right path [API-24]', async (path, hint) => {
    const answer = await call({ method: 'GET', path, headers: http.headers })
    const parts = ['Path not found.', hint, 'See GET /openapi.json for all paths.']
    expect(expectProblem(answer, 'NotFound').detail).toBe(parts.filter((part) => part !== null).join(' '))
  })

  test('the response lists at most 100 mistakes [API-3]', async () => {
    const body = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`unknown${index}`, 1]))
    const answer = await http.running.client.call<Problem>('POST', '/api/v1/Task', {
      body: { title: 'x', ...body },
    })
    expect(answer.body).toMatchObject({ status: 400, detail: expect.stringContaining('500') })
    expect(answer.body.errors).toHaveLength(100)
  })

  test('the response names every mistake [API-3]', async () => {
    const tools = [{ kind: 'http', name: 'a b', description: '', request: { method: 'GET', url: 'x' } }]
    const answer = await call(post('/api/v1/Agent', JSON.stringify({ imageUrl: 'x', tools, colour: 'red' })))
    const paths = expectProblem(answer, 'InvalidRequest').errors?.map(({ path }) => path)
    const inTool = ['tools[0].name', 'tools[0].description', 'tools[0].request.url']
    expect(paths?.sort()).toEqual(['colour', 'imageUrl', 'name', ...inTool].sort())
  })

  test('the response suggests the right name for a field in the wrong letter case [API-4]', async () => {
    const answer = await call({ method: 'GET', path: '/api/v1/Task?status=open', headers: http.headers })
    const message = 'is not a known field; did you mean Status?'
    expect(expectProblem(answer, 'InvalidRequest').errors).toEqual([{ path: 'status', message }])
  })

  test.each(['a', 'A.b_c:d-9', 'x'.repeat(128)])(
    "the response has the caller's request id: %s [API-5]",
    async (id) => {
      const answer = await call({
        method: 'GET',
        path: nobody,
        headers: { ...http.headers, 'x-request-id': id },
      })
      expect(expectProblem(answer, 'NotFound').requestId).toBe(id)
    },
  )

  test.each(['', 'a b', 'a/b', '<b>', '\xe9', 'x'.repeat(129)])(
    'the response has a new request id instead of %j [API-5]',
    async (id) => {
      const answer = await call({
        method: 'GET',
        path: nobody,
        headers: { ...http.headers, 'x-request-id': id },
      })
      expect(expectProblem(answer, 'NotFound').requestId).toMatch(uuidV7)
    },
  )

  test('the headers count down and say how long to wait [API-6]', async () => {
    const limited = await startService({ env: { PARLEY_RATE_LIMIT_PER_MINUTE: '2' } })
    const get = () => limited.client.call('GET', '/api/v1/Agent')
    try {
      const left = [await get(), await get()].map((answer) => answer.headers.get('ratelimit-remaining'))
      expect(left).toEqual(['1', '0'])
      const refused = await get()
      expectProblem(refused, 'RateLimited')
      const [reset, retry] = ['ratelimit-reset', 'retry-after'].map((name) => refused.headers.get(name))
      expect(Number(reset)).toBeGreaterThan(0)
      expect(Number(reset)).toBeLessThanOrEqual(60)
      expect(retry).toBe(reset)
    } finally {
      await limited.close()
    }
  })
})
