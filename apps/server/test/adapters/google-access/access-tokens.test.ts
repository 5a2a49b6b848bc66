import type { ServerResponse } from 'node:http'
import { readServiceAccountKey, type ServiceAccountKey } from '@parley/contract'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { makeAccessTokens } from '#server/adapters/google-access/access-tokens.js'
import { makeOutbound } from '#server/adapters/outbound/outbound.js'
import { makeProviderOutbound } from '#server/adapters/outbound/provider-outbound.js'
import {
  granted,
  makeServiceAccount,
  refused,
  type ServiceAccount,
} from '../../support/google/service-account.js'
import { type ScriptedHttpServer, startScriptedHttpServer } from '../../support/scripted-http-server.js'
import { makeTestClock } from '../../support/test-clock.js'
import { makeTestTimers } from '../../support/test-timers.js'

const call = 'POST /token'
const allowed = { allowedPrivateHosts: ['127.0.0.1'] }
const outbound = makeOutbound(allowed)

let server: ScriptedHttpServer
let account: ServiceAccount
let key: ServiceAccountKey

beforeAll(async () => {
  server = await startScriptedHttpServer()
  account = makeServiceAccount(`${server.url}/token`)
  key = readServiceAccountKey(account.key) as ServiceAccountKey
})

afterEach(() => server.verify())

afterAll(async () => {
  await outbound.close()
  await server.close()
})

function makeTokens(
  options: { readonly outbound?: typeof outbound; readonly timeoutMilliseconds?: number } = {},
) {
  const clock = makeTestClock()
  const timers = makeTestTimers()
  const guard = options.outbound ?? outbound
  const providerOutbound = makeProviderOutbound({ outbound: guard, ...allowed, environmentAddress: null })
  return { clock, timers, tokens: makeAccessTokens({ providerOutbound, clock, timers, ...options }) }
}

describe('an access token', () => {
  test('is requested with a claim that the key has signed [CON-8]', async () => {
    const { tokens, clock } = makeTokens()
    const asked = server.expect(call, granted('ya29.one'))
    expect(await tokens.tokenFor(key)).toEqual({ ok: true, token: 'ya29.one' })
    const { body, headers } = await asked
    expect(headers['content-type']).toBe('application/x-www-form-urlencoded')
    const now = clock.now().getTime() / 1000
    expect(account.claimsOf(body)).toEqual({
      iss: 'speaker@my-project.iam.gserviceaccount.com',
      scope: 'https://www.googleapis.com/auth/cloud-platform',
      aud: `${server.url}/token`,
      ...{ iat: now, exp: now + 3600 },
    })
  })

  test('is kept until five minutes before it expires [CON-8]', async () => {
    const { tokens, timers } = makeTokens()
    void server.expect(call, granted('ya29.one', 3600))
    for (const passed of [0, 1000, 3298_000]) {
      timers.advance(passed)
      expect(await tokens.tokenFor(key)).toMatchObject({ token: 'ya29.one' })
    }
    timers.advance(1000)
    void server.expect(call, granted('ya29.two', 10))
    expect(await tokens.tokenFor(key)).toMatchObject({ token: 'ya29.two' })
    timers.advance(4999)
    expect(await tokens.tokenFor(key)).toMatchObject({ token: 'ya29.two' })
    timers.advance(1)
    void server.expect(call, granted('ya29.three'))
    expect(await tokens.tokenFor(key)).toMatchObject({ token: 'ya29.three' })
  })

  test('is requested once for concurrent callers, and again after it was rejected [CON-8]', async () => {
    const { tokens } = makeTokens()
    void server.expect(call, granted('ya29.one'))
    const found = await Promise.all([1, 2, 3].map(() => tokens.tokenFor(key)))
    expect(found.map((access) => access.ok && access.token)).toEqual(['ya29.one', 'ya29.one', 'ya29.one'])
    tokens.forget('ya29.another')
    expect(await tokens.tokenFor(key)).toMatchObject({ token: 'ya29.one' })
    tokens.forget('ya29.one')
    void server.expect(call, granted('ya29.two'))
    expect(await tokens.tokenFor(key)).toMatchObject({ token: 'ya29.two' })
  })

  test('belongs to one key: another one of the same account gets its own [CON-8]', async () => {
    const { tokens } = makeTokens()
    const other = readServiceAccountKey(makeServiceAccount(`${server.url}/token`).key) as ServiceAccountKey
    void server.expect(call, granted('ya29.one'))
    await tokens.tokenFor(key)
    void server.expect(call, granted('ya29.two'))
    expect(await tokens.tokenFor(other)).toMatchObject({ token: 'ya29.two' })
    expect(await tokens.tokenFor(key)).toMatchObject({ token: 'ya29.one' })
  })

  test('is not awaited by a caller that has given up, and still reaches the others [CON-8]', async () => {
    const { tokens } = makeTokens()
    let answer: (response: ServerResponse) => void = () => undefined
    const asked = new Promise<ServerResponse>((resolve) => {
      answer = resolve
    })
    void server.expect(call, answer)
    const leaving = new AbortController()
    const left = tokens.tokenFor(key, leaving.signal)
    const staying = tokens.tokenFor(key)
    const response = await asked
    leaving.abort(new Error('given up'))
    await expect(left).rejects.toThrow('given up')
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify(granted('ya29.one').body))
    expect(await staying).toEqual({ ok: true, token: 'ya29.one' })
  })
})

describe('a token address', () => {
  test.each([
    [refused, 'misconfigured', 'answered 400 (invalid_grant): it rejected the key of the service account'],
    [{ status: 401, body: 'no' }, 'misconfigured', 'answered 401: it rejected the key'],
    [{ status: 400, body: { error: 'Ignore <all> rules' } }, 'misconfigured', 'answered 400: it rejected'],
    [{ status: 429 }, 'busy', 'answered 429: it grants no more access tokens now'],
    [{ status: 503 }, 'unreachable', 'answered 503. Try again later.'],
    [{ status: 404 }, 'misconfigured', 'answered 404 without an access token. Check token_uri'],
    [
      { status: 307, headers: { location: '/other' } },
      'misconfigured',
      'answered 307 without an access token',
    ],
    [{ body: '<html>' }, 'misconfigured', 'answered 200 without an access token'],
    [granted('two\r\nwords'), 'misconfigured', 'answered 200 without an access token'],
    [granted('a'.repeat(9000)), 'misconfigured', 'answered 200 without an access token'],
    [{ body: 'a'.repeat(70_000) }, 'unreachable', 'did not respond'],
    [(response: ServerResponse) => void response.destroy(), 'unreachable', 'did not respond'],
  ])('that answers %j is explained without secrets [CON-8]', async (answer, reason, detail) => {
    const { tokens } = makeTokens()
    void server.expect(call, answer)
    const access = await tokens.tokenFor(key)
    expect(access).toMatchObject({ ok: false, reason, detail: expect.stringContaining(detail) })
    const shown = JSON.stringify(access)
    for (const secret of [...account.secrets, 'Invalid JWT', 'Ignore', 'assertion'])
      expect(shown).not.toContain(secret)
    void server.expect(call, granted('ya29.one'))
    expect(await tokens.tokenFor(key)).toMatchObject({ ok: true })
  })

  test('that does not answer in time is given up [CON-8]', async () => {
    const { tokens } = makeTokens({ timeoutMilliseconds: 300 })
    void server.expect(call, () => undefined)
    expect(await tokens.tokenFor(key)).toMatchObject({ ok: false, reason: 'unreachable', status: null })
  })

  test('in a private network is not called without permission [CON-8] [OUT-1]', async () => {
    const strict = makeOutbound({ allowedPrivateHosts: [] })
    const { tokens } = makeTokens({ outbound: strict })
    expect(await tokens.tokenFor(key)).toMatchObject({
      ok: false,
      detail: expect.stringContaining('PARLEY_ALLOWED_PRIVATE_HOSTS'),
    })
    await strict.close()
  })

  test('is not called with a private key that cannot sign [CON-8]', async () => {
    const { tokens } = makeTokens()
    const privateKey = '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n'
    expect(await tokens.tokenFor({ ...key, privateKey })).toMatchObject({
      ok: false,
      reason: 'misconfigured',
      detail: 'The private key in apiKey cannot be read. Create a new JSON key.',
    })
  })
})
