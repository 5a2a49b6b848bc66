import type { ServerResponse } from 'node:http'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeOidcIssuer } from '#server/adapters/oidc/oidc-issuer.js'
import type { IdentityIssuer } from '#server/ports/oauth.js'
import { makeIssuerBrowser } from '../../support/people/issuer-browser.js'
import { clientId, clientSecret, startTestIssuer, type TestIssuer } from '../../support/people/test-issuer.js'
import { makeTestTimers } from '../../support/test-timers.js'

const publicUrl = 'https://parley.example'
const proof = { state: 'a state', nonce: 'a nonce', codeVerifier: 'v'.repeat(43) }
const discoveryPath = '/.well-known/openid-configuration'
const timers = makeTestTimers()
let server: TestIssuer
let issuer: IdentityIssuer

beforeAll(async () => {
  server = await startTestIssuer()
})
beforeEach(() => {
  server.asked.length = 0
  server.faults = {}
  issuer = makeIssuer({ timeoutSeconds: 10 })
})
afterEach(() => issuer.close())

const makeIssuer = ({ timeoutSeconds }: { timeoutSeconds: number }) =>
  makeOidcIssuer({
    ...{ issuer: server.url, clientId, clientSecret, name: 'Us', scopes: 'openid' },
    ...{ allowedPrivateHosts: [], timers, timeoutSeconds },
  })

const locate = () => issuer.locate('me', { ...proof, redirectUri: `${publicUrl}/back` })

async function redeem() {
  const located = await locate()
  if (!located.ok) throw new Error(located.detail)
  const back = await makeIssuerBrowser(publicUrl).visit(located.url)
  return issuer.redeem('me', { ...proof, url: new URL(`${publicUrl}${back}`) })
}

/** Serves a discovery document with wrong fields. */
const says = (wrong: object) => (response: ServerResponse) => {
  const endpoints = { issuer: server.url, authorization_endpoint: `${server.url}/authorize` }
  const more = { token_endpoint: `${server.url}/token`, jwks_uri: `${server.url}/jwks` }
  const body = JSON.stringify({ ...endpoints, ...more, ...wrong })
  response.writeHead(200, { 'content-type': 'application/json' }).end(body)
}

describe('the OpenID Connect issuer [PPL-22]', () => {
  test('is discovered once for concurrent callers, and again after an hour', async () => {
    const both = await Promise.all([locate(), locate()])
    expect(both).toMatchObject([{ ok: true }, { ok: true }])
    expect(server.asked).toEqual([discoveryPath])
    timers.advance(60 * 60 * 1000 - 1)
    await locate()
    expect(server.asked).toHaveLength(1)
    timers.advance(1)
    await locate()
    expect(server.asked).toHaveLength(2)
  })

  test('times out after two tries of discovery, and at the token and key endpoints', async () => {
    const never = () => undefined
    await issuer.close()
    issuer = makeIssuer({ timeoutSeconds: 0.4 })
    server.faults = { at: { [discoveryPath]: never } }
    expect(await locate()).toMatchObject({ ok: false, reason: 'unavailable' })
    expect(server.asked).toEqual([discoveryPath, discoveryPath])
    for (const path of ['/token', '/jwks']) {
      server.faults = { at: { [path]: never } }
      expect(await redeem()).toMatchObject({ ok: false, reason: 'unavailable' })
    }
    server.faults = {}
    server.account = { sub: 'kim' }
    expect(await redeem()).toMatchObject({ ok: true, identity: { issuer: server.url, subject: 'kim' } })
  })

  test.each([
    ['another issuer', { issuer: 'https://evil.example' }, 'issuer'],
    ['a JavaScript URL as its page', { authorization_endpoint: 'javascript:alert(1)' }, 'HTTP'],
    ['no page', { authorization_endpoint: undefined }, 'authorization_endpoint'],
  ])('is rejected if its discovery document names %s', async (_title, wrong, detail) => {
    server.faults = { at: { [discoveryPath]: says(wrong) } }
    expect(await locate()).toMatchObject({ ok: false, detail: expect.stringContaining(detail) })
  })

  test('may use its own private host but no other private host', async () => {
    const elsewhere = { token_endpoint: server.url.replace('127.0.0.1', '127.0.0.2') }
    server.faults = { at: { [discoveryPath]: says(elsewhere) } }
    const detail = expect.stringContaining('is not a public address')
    expect(await redeem()).toMatchObject({ ok: false, reason: 'unavailable', detail })
  })
})
