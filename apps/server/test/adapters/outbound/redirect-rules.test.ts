import type { RequestListener } from 'node:http'
import { describe, expect, test } from 'vitest'
import type { OutboundMethod } from '#server/ports/outbound.js'
import { failureOf, limits, useOutbound } from '../../support/outbound/outbound-fixture.js'

const secrets = {
  Authorization: 'Bearer secret',
  'X-Api-Key': 'secret',
  Cookie: 'a=secret',
  'X-Custom': 'secret',
}

const redirect =
  (status: number, location: string): RequestListener =>
  (request, response) => {
    if (request.url === '/arrived') response.end('arrived')
    else response.writeHead(status, { location }).end('moved')
  }

describe('outbound redirects [OUT-3]', () => {
  const { serve, serveSecurely, guarded } = useOutbound()

  test.each([
    ['an address', (port: number) => `http://127.0.0.1:${port}/`],
    ['an unusual spelling', (port: number) => `http://0x7f.1:${port}/`],
    ['a mapped address', (port: number) => `http://[::ffff:127.0.0.1]:${port}/`],
    ['a local name', (port: number) => `http://localhost:${port}/`],
    ['a name with a private address', (port: number) => `http://b.test:${port}/`],
    ['the allowed name on another port', (port: number) => `http://a.test:${port}/`],
    ['another scheme', () => 'file:///etc/passwd'],
    ['a URL with a password', (port: number) => `http://user:password@a.test:${port}/`],
    ['an invalid URL', () => 'http://['],
  ])('do not lead from an allowed host to %s', async (_what, location) => {
    const target = await serve()
    const server = await serve(redirect(302, location(target.port)))
    const { fetch } = guarded({ allowedPrivateHosts: [`a.test:${server.port}`] })
    expect((await failureOf(fetch(`http://a.test:${server.port}/`, limits))).reason).toBe('refused')
    expect(server.hits).toHaveLength(1)
    expect(target.sockets).toEqual([])
  })

  test('lead to an allowed host, also without a scheme or a host', async () => {
    const target = await serve(redirect(302, '/arrived'))
    const server = await serve(redirect(301, `//b.test:${target.port}/`))
    const { fetch } = guarded({ allowedPrivateHosts: ['a.test', 'b.test'] })
    const response = await fetch(`http://a.test:${server.port}/`, limits)
    expect(await response.text()).toBe('arrived')
    expect(response.url).toBe(`http://b.test:${target.port}/arrived`)
  })

  test("keep the caller's headers within the origin", async () => {
    const target = await serve()
    const server = await serve((request, response) => {
      const location = request.url === '/' ? '/same-origin' : `http://a.test:${target.port}/`
      response.writeHead(307, { location }).end()
    })
    const { fetch } = guarded({ allowedPrivateHosts: ['a.test'] })
    await (await fetch(`http://a.test:${server.port}/`, { ...limits, headers: secrets })).text()
    for (const { headers } of server.hits) {
      expect(headers).toMatchObject({
        authorization: 'Bearer secret',
        'x-api-key': 'secret',
        'x-custom': 'secret',
      })
    }
    expect(server.hits).toHaveLength(2)
    expect(target.hits).toHaveLength(1)
    expect(JSON.stringify(target.hits)).not.toContain('secret')
  })

  test('do not restore dropped headers when they return to the first origin', async () => {
    const away = await serve((_request, response) => {
      response.writeHead(302, { location: `http://a.test:${home.port}/arrived` }).end()
    })
    const home = await serve(redirect(302, `http://b.test:${away.port}/`))
    const { fetch } = guarded({ allowedPrivateHosts: ['a.test', 'b.test'] })
    await (await fetch(`http://a.test:${home.port}/`, { ...limits, headers: secrets })).text()
    expect(home.hits.map(({ headers }) => headers.authorization)).toEqual(['Bearer secret', undefined])
  })

  test.each([301, 302, 303, 307, 308])(
    'do not send the body to another origin after a %i',
    async (status) => {
      const target = await serve()
      const server = await serve(redirect(status, `http://b.test:${target.port}/`))
      const { fetch } = guarded({ allowedPrivateHosts: ['a.test', 'b.test'] })
      const call = fetch(`http://a.test:${server.port}/`, { ...limits, method: 'PUT', body: 'private' })
      expect((await failureOf(call)).detail).toContain(`http://b.test:${target.port}`)
      expect(target.sockets).toEqual([])
    },
  )

  const contentOf = (method: OutboundMethod) =>
    ['HEAD', 'DELETE', 'GET'].includes(method)
      ? { content: '', request: { ...limits, method } }
      : {
          content: 'text',
          request: { ...limits, method, body: 'text', headers: { 'Content-Type': 'text/plain' } },
        }

  const asked: readonly OutboundMethod[] = ['GET', 'HEAD']
  const made: readonly OutboundMethod[] = ['POST', 'PUT', 'PATCH', 'DELETE']
  const pairs = (statuses: readonly number[], methods: readonly OutboundMethod[]) =>
    statuses.flatMap((status) => methods.map((method) => [status, method] as const))

  test.each([...pairs([301, 302, 303, 307, 308], asked), ...pairs([307, 308], made)])(
    'keep the method if a %i answers a %s [OUT-7]',
    async (status, method) => {
      const server = await serve(redirect(status, '/arrived'))
      const { fetch } = guarded({ allowedPrivateHosts: ['a.test'] })
      const { request, content } = contentOf(method)
      await (await fetch(`http://a.test:${server.port}/`, request)).text()
      expect(server.hits).toHaveLength(2)
      expect(server.hits[1]).toMatchObject({ method, body: content })
      expect(server.hits[1]?.headers['content-type']).toBe(content === '' ? undefined : 'text/plain')
    },
  )

  test.each(pairs([301, 302, 303], made))(
    'end the call instead of changing to GET if a %i answers a %s [OUT-7]',
    async (status, method) => {
      const server = await serve(redirect(status, '/arrived?secret'))
      const { fetch } = guarded({ allowedPrivateHosts: ['a.test'] })
      const call = fetch(`http://a.test:${server.port}/`, contentOf(method).request)
      const { reason, detail } = await failureOf(call)
      expect(reason).toBe('refused')
      expect(detail).toContain(`redirects the ${method} request with status ${status}`)
      expect(detail).not.toContain('secret')
      expect(server.hits).toHaveLength(1)
    },
  )

  test('are followed five times and fail at the sixth', async () => {
    const server = await serve((request, response) => {
      const left = Number(request.url?.slice(1))
      if (left === 0) response.end('arrived')
      else response.writeHead(302, { location: `/${left - 1}` }).end()
    })
    const { fetch } = guarded({ allowedPrivateHosts: ['a.test'] })
    expect(await (await fetch(`http://a.test:${server.port}/5`, limits)).text()).toBe('arrived')
    expect((await failureOf(fetch(`http://a.test:${server.port}/6`, limits))).reason).toBe('refused')
    expect(server.hits).toHaveLength(6 + 6)
  })

  test.each([
    [304, '/arrived'],
    [300, '/arrived'],
    [200, '/arrived'],
  ])('do not include a %i with a location, and the caller gets that response', async (status, location) => {
    const server = await serve((_request, response) => response.writeHead(status, { location }).end())
    const { fetch } = guarded({ allowedPrivateHosts: ['a.test'] })
    const response = await fetch(`http://a.test:${server.port}/`, limits)
    response.discard()
    expect(response.status).toBe(status)
    expect(response.headers.get('location')).toBe(location)
  })

  test('do not include a redirect without a location, and the caller gets that response', async () => {
    const server = await serve((_request, response) => response.writeHead(302).end('nowhere'))
    const { fetch } = guarded({ allowedPrivateHosts: ['a.test'] })
    expect(await (await fetch(`http://a.test:${server.port}/`, limits)).text()).toBe('nowhere')
  })

  test('do not lead from https: to http:, even on an allowed host', async () => {
    const target = await serve()
    const server = await serveSecurely(redirect(302, `http://a.test:${target.port}/`))
    const { fetch } = guarded({ allowedPrivateHosts: ['secure.test', 'a.test'] })
    const failure = await failureOf(fetch(`https://secure.test:${server.port}/`, limits))
    expect(failure).toMatchObject({ reason: 'refused', detail: expect.stringContaining('https: to http:') })
    expect(server.hits).toHaveLength(1)
    expect(target.sockets).toEqual([])
  })

  test("lead from http: to https: without the caller's headers", async () => {
    const target = await serveSecurely()
    const server = await serve(redirect(301, `https://secure.test:${target.port}/`))
    const { fetch } = guarded({ allowedPrivateHosts: ['secure.test', 'a.test'] })
    const response = await fetch(`http://a.test:${server.port}/`, { ...limits, headers: secrets })
    expect(await response.text()).toBe('hello')
    expect(JSON.stringify(target.hits)).not.toContain('secret"')
    expect(target.hits[0]?.headers.authorization).toBeUndefined()
  })
})
