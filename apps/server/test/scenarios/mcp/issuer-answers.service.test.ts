import {
  type McpAuthorization,
  type McpConsentOutcome,
  mcpConsentPath,
  type ToolTrial,
} from '@parley/contract'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { consentTo } from '../../support/mcp/consent-to-server.js'
import { type GuardedMcpServer, startGuardedMcpServer } from '../../support/mcp/guarded-mcp-server.mjs'
import { useQuestionService } from '../../support/questions/question-service.js'
import type { PostgresDatabase } from '../../support/services/postgres-database.js'
import { startTcpProxy, type TcpProxy } from '../../support/services/tcp-proxy.js'
import { migratedDatabase } from '../../support/start-service.js'
import { makeTestClock } from '../../support/test-clock.js'

const clock = makeTestClock()
let postgres: PostgresDatabase
let proxy: TcpProxy
let shop: GuardedMcpServer
let agentId: string

beforeAll(async () => {
  postgres = await migratedDatabase()
  const { hostname, port } = new URL(postgres.url)
  proxy = await startTcpProxy(hostname, Number(port))
  shop = await startGuardedMcpServer()
})

// Registered before the service's own hook, so that the database is closed after the service.
afterAll(async () => {
  await proxy.close()
  await postgres.drop()
  await shop.close()
})

const questionService = useQuestionService(() => ({
  ...{ clock, env: { DATABASE_URL: proxy.rewriteUrl(postgres.url) } },
}))

beforeAll(async () => {
  const tool = { kind: 'mcp', name: 'shop', server: { url: shop.url } }
  shop.seen.redirectUris = [`${questionService.running.url}${mcpConsentPath}`]
  agentId = await questionService.makeAgent({ tools: [tool] })
})

afterEach(async () => {
  await proxy.restore()
  shop.seen.answer = {}
  shop.seen.beforeRenewal = async () => undefined
  shop.seen.renewals.length = 0
})

const pathOf = (id: string) => `/api/v1/McpAuthorization/${id}`

const read = async (id: string) =>
  (await questionService.running.client.call<McpAuthorization>('GET', pathOf(id))).body

async function authorize(): Promise<{ readonly id: string; readonly outcome: McpConsentOutcome }> {
  const { client } = questionService.running
  // Uses a client without registration, because the issuer limits registrations.
  const body = { serverUrl: shop.url, clientId: 'known', scope: 'shop' }
  const { id } = (await client.call<McpAuthorization>('POST', '/api/v1/McpAuthorization', { body })).body
  const answer = await consentTo(questionService.running, id)
  const completed = await client.call<McpConsentOutcome>('PUT', `${pathOf(id)}/consent`, { body: answer })
  expect(completed.status).toBe(200)
  return { id, outcome: completed.body }
}

const remove = (id: string) => questionService.running.client.call('DELETE', pathOf(id))

const find = async (value: string) =>
  (
    await questionService.running.client.call<ToolTrial>(
      'POST',
      `/api/v1/Agent/${agentId}/tool/shop__find/test`,
      {
        body: { arguments: { value }, dryRun: false },
      },
    )
  ).body

test.each([
  [1e18, null],
  [1e308, null],
  [8.64e12, null],
  [253_402_300_800, null],
  [315_360_001, null],
  [-5, null],
  ['soon', null],
  [null, null],
  [[], null],
  [315_360_000, 315_360_000],
  ['3600', 3600],
  [0, 0],
])(
  "an issuer's expires_in %j is read as %j seconds, or null if it is not usable [MCP-15]",
  async (given, seconds) => {
    shop.seen.answer = { expires_in: given }
    const { id, outcome } = await authorize()
    expect(outcome.isAuthorized).toBe(true)
    const { expiresAt } = await read(id)
    expect(expiresAt === null ? null : Date.parse(expiresAt)).toBe(
      seconds === null ? null : clock.now().getTime() + seconds * 1000,
    )
    await remove(id)
  },
)

test('calls continue after a renewal with an unusable expires_in [MCP-15]', async () => {
  const { id } = await authorize()
  shop.seen.answer = { expires_in: 1e18 }
  shop.forgetAccess()
  expect(await find('it')).toMatchObject({ isSuccess: true, output: 'found it' })
  expect(await find('more')).toMatchObject({ isSuccess: true, output: 'found more' })
  expect(shop.seen.renewals).toHaveLength(1)
  expect(await read(id)).toMatchObject({ state: 'authorized', expiresAt: null, failure: null })
  await remove(id)
})

test('a consent fails with the reason if no header can carry its token [MCP-15]', async () => {
  for (const token of ['a\nb', 'a\r\nX-Other: b', ' a', 'é', 'a\u0000', '']) {
    shop.seen.answer = { access_token: token }
    const { id, outcome } = await authorize()
    expect(outcome).toMatchObject({ isAuthorized: false, detail: expect.stringContaining('access token') })
    expect(await read(id)).toMatchObject({ state: 'new' })
    await remove(id)
  }
})

test('the new refresh token is kept if the new access token cannot be sent [MCP-15]', async () => {
  const { id } = await authorize()
  shop.forgetAccess()
  shop.seen.answer = { access_token: 'a\nb' }
  expect(await find('it')).toMatchObject({
    isSuccess: false,
    output: expect.stringContaining('not valid in an HTTP header'),
  })
  expect(await read(id)).toMatchObject({ failure: expect.stringContaining('not valid in an HTTP header') })
  shop.seen.answer = {}
  expect(await find('it')).toMatchObject({ isSuccess: true, output: 'found it' })
  expect(await read(id)).toMatchObject({ state: 'authorized', failure: null })
  await remove(id)
})

test('renewed tokens are stored when the database returns after an outage [MCP-15]', {
  timeout: 60_000,
}, async () => {
  const { id } = await authorize()
  shop.forgetAccess()
  const cut = new Promise<void>((resolve) => {
    shop.seen.beforeRenewal = async () => {
      await proxy.cut()
      resolve()
    }
  })
  const first = find('it').catch(() => null)
  await cut
  const ready = () => fetch(`${questionService.running.url}/readyz`).then(({ status }) => status)
  await expect.poll(ready, { timeout: 20_000 }).toBe(503)
  await proxy.restore()
  await expect.poll(ready, { timeout: 20_000 }).toBe(200)
  await first
  expect(await find('it')).toMatchObject({ isSuccess: true, output: 'found it' })
  expect(shop.seen.renewals).toHaveLength(1)
  expect(await read(id)).toMatchObject({ state: 'authorized', failure: null })
  await remove(id)
})
