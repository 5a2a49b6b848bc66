import { createServer } from 'node:http'
import { Problem } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { answerBrokenRequest } from '#server/edge/http/request/raw-request.js'
import { exchange } from '../../support/http/raw-socket.js'
import { useService } from '../../support/http/use-service.js'

const http = useService()
const { call } = http

describe('hardened HTTP server', () => {
  test.each(['/', '/api/v1/Agent', '/healthz', '/readyz', '/metrics', '/openapi.json', '/docs/', '/nothing'])(
    'responses carry security headers: %s [OPS-9]',
    async (path) => {
      const { headers: answered } = await call({ method: 'GET', path })
      expect(answered.get('x-content-type-options')).toBe('nosniff')
      expect(answered.get('referrer-policy')).toBe('no-referrer')
      expect(answered.get('content-security-policy')).toContain("default-src 'none'")
      expect(answered.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(answered.get('strict-transport-security')).toBe('max-age=31536000')
      expect(answered.get('x-powered-by')).toBeNull()
      expect(answered.get('server')).toBeNull()
    },
  )

  test.each(['/api/v1/Agent', '/api/v1/AuditLog/export', '/api/v1/nothing', '/healthz', '/api/v1/Agent/%ff'])(
    'forbids caches to store an API response: %s [OPS-26]',
    async (path) => {
      const { organizationId, apiKey } = http.running
      const headers = { 'x-org-id': organizationId, 'x-api-key': apiKey }
      const { headers: answered } = await call({ method: 'GET', path, headers })
      expect(answered.get('cache-control')).toBe('no-store')
    },
  )

  test.each(['/sdk/v1/parley-agent.js', '/docs/js/scalar.js'])(
    'lets caches store a file that is the same for all users: %s [OPS-26]',
    async (path) => {
      const { headers: answered } = await call({ method: 'GET', path })
      expect(answered.get('cache-control')).toContain('public')
    },
  )

  const host = 'Host: example.com\r\n'
  test.each([
    ['a request that is not HTTP', 'Hello there\r\n\r\n', 400],
    ['an unsupported HTTP version', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['an unknown method', `STEAL /api/v1/Agent HTTP/1.1\r\n${host}\r\n`, 400],
    ['a header without a name', `GET / HTTP/1.1\r\n${host}: empty\r\n\r\n`, 400],
    ['a NUL in a header', `GET / HTTP/1.1\r\n${host}X-Api-Key: a\0b\r\n\r\n`, 400],
    [
      'two body lengths',
      `POST / HTTP/1.1\r\n${host}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    ['a length that is not a number', `POST / HTTP/1.1\r\n${host}Content-Length: many\r\n\r\n`, 400],
    ['oversized headers', `GET / HTTP/1.1\r\n${host}X-Long: ${'a'.repeat(20_000)}`, 431],
  ])('ends %s with an error response [OPS-9] [API-5]', async (_, bytes, status) => {
    const { head, body } = await exchange(http.running.url, bytes)
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(head).toContain('Content-Type: application/problem+json; charset=utf-8')
    const problem = Problem.strict().parse(JSON.parse(body))
    expect(problem).toMatchObject({ status, errorCode: 'InvalidRequest' })
    expect(head).toContain(`X-Request-Id: ${problem.requestId}`)
    expect((await call({ method: 'GET', path: '/healthz' })).status).toBe(200)
  })

  test('waits at most a minute for slow requests, and less for their headers [OPS-9]', () => {
    const { headersTimeout, requestTimeout } = http.running.service.app.server
    expect(headersTimeout).toBe(15_000)
    expect(requestTimeout).toBe(60_000)
  })

  test('ends a request that does not arrive in time with an error response [OPS-9]', async () => {
    const impatient = { headersTimeout: 20, requestTimeout: 20, connectionsCheckingInterval: 10 }
    const server = createServer(impatient).on('clientError', answerBrokenRequest)
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const { head, body } = await exchange(`http://127.0.0.1:${port}`, `GET / HTTP/1.1\r\n${host}X-Slow: `)
    expect(head).toMatch(/^HTTP\/1\.1 408 /)
    expect(Problem.parse(JSON.parse(body)).status).toBe(408)
    server.close()
  })
})
