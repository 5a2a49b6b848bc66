import {
  type AuditLogRecord,
  type McpAuthorization,
  type McpConsent,
  type McpConsentOutcome,
  type OfferedTool,
  type Page,
  scopes,
  type ToolTrial,
} from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runParley } from '#server/parley.js'
import { consentTo } from '../../support/mcp/consent-to-server.js'
import { type GuardedMcpServer, startGuardedMcpServer } from '../../support/mcp/guarded-mcp-server.mjs'
import { addApiKey } from '../../support/organizations.js'
import { useQuestionService } from '../../support/questions/question-service.js'
import { makeTestClock } from '../../support/test-clock.js'

const clock = makeTestClock()
const questionService = useQuestionService(() => ({ clock }))
let shop: GuardedMcpServer
let agentId: string

beforeAll(async () => {
  shop = await startGuardedMcpServer()
  const tool = { kind: 'mcp', name: 'shop', server: { url: shop.url }, destructiveApprovalRequired: true }
  agentId = await questionService.makeAgent({ tools: [tool] })
})

afterAll(() => shop.close())

async function call<Body>(method: string, path: string, body?: object): Promise<Body> {
  const answer = await questionService.running.client.call<Body>(method, path, body && { body })
  if (answer.status >= 400) throw new Error(answer.text)
  return answer.body
}

const offered = async () =>
  (await call<{ items: OfferedTool[] }>('GET', `/api/v1/Agent/${agentId}/tool`)).items

const find = (value: string) =>
  call<ToolTrial>('POST', `/api/v1/Agent/${agentId}/tool/shop__find/test`, {
    arguments: { value },
    dryRun: false,
  })

const authorizationPath = (id: string) => `/api/v1/McpAuthorization/${id}`
const read = (id: string) => call<McpAuthorization>('GET', authorizationPath(id))

const consent = (id: string) => consentTo(questionService.running, id)

async function authorize(): Promise<string> {
  const { id } = await call<McpAuthorization>('POST', '/api/v1/McpAuthorization', { serverUrl: shop.url })
  const outcome = await call<McpConsentOutcome>('PUT', `${authorizationPath(id)}/consent`, await consent(id))
  expect(outcome).toEqual({ isAuthorized: true, detail: `Agents can use ${shop.url} now.` })
  return id
}

describe('a server that requires OAuth', () => {
  test('is authorized once by the caller that started it, and its tools are offered with its hints [MCP-12]', async () => {
    expect(await offered()).toEqual([])
    const made = await call<McpAuthorization>('POST', '/api/v1/McpAuthorization', { serverUrl: shop.url })
    expect(made).toMatchObject({ state: 'new', authorizedBy: null, hasClientSecret: false })
    const answer = await consent(made.id)
    expect(shop.seen).toMatchObject({
      registered: ['Parley'],
      consents: [{ scopes: ['shop'], resource: shop.url }],
    })
    const { service, organizationId, client } = questionService.running
    const apiKey = await addApiKey(service.database.stores, organizationId, [...scopes])
    const path = `${authorizationPath(made.id)}/consent`
    // Another caller that knows the address cannot complete the consent, and it can be completed only once.
    const stranger = await client.as({ apiKey }).call<McpConsentOutcome>('PUT', path, { body: answer })
    expect(stranger.body.isAuthorized).toBe(false)
    const wrong = { ...answer, state: `${made.id}.${'a'.repeat(43)}` }
    expect(await call<McpConsentOutcome>('PUT', path, wrong)).toMatchObject({ isAuthorized: false })
    expect(await call<McpConsentOutcome>('PUT', path, answer)).toMatchObject({ isAuthorized: true })
    expect(await call<McpConsentOutcome>('PUT', path, answer)).toMatchObject({ isAuthorized: false })
    expect(await read(made.id)).toMatchObject({ state: 'authorized', authorizedBy: { type: 'api_key' } })
    for (const act of ['create', 'begin', 'authorize']) {
      const path = `/api/v1/AuditLog?Action=mcp_authorization.${act}`
      const { items } = await call<Page<AuditLogRecord>>('GET', path)
      expect(items).toMatchObject([{ resourceId: made.id, details: { serverUrl: shop.url } }])
    }
    const tools = await offered()
    expect(tools.map(({ name, approvalRequired }) => [name, approvalRequired])).toEqual([
      ['shop__find', false],
      ['shop__add', false],
      ['shop__remove', true],
      ['shop__route', true],
      ['shop__fail', true],
      ['shop__hang', true],
    ])
    expect(tools[0]?.hints).toMatchObject({ readOnlyHint: true, destructiveHint: null })
    expect(await find('it')).toMatchObject({ isSuccess: true, output: 'found it' })
    await call('DELETE', authorizationPath(made.id))
    expect(shop.seen.revoked).toHaveLength(1)
  })

  test('has its token renewed once before it expires, under concurrent calls [MCP-12]', async () => {
    const id = await authorize()
    const { expiresAt } = await read(id)
    clock.advance(3600_000 - 30_000)
    const found = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(find))
    expect(found.map(({ output }) => output)).toEqual(
      ['a', 'b', 'c', 'd', 'e'].map((each) => `found ${each}`),
    )
    expect(shop.seen.renewals).toHaveLength(1)
    expect(Date.parse((await read(id)).expiresAt ?? '')).toBeGreaterThan(Date.parse(expiresAt ?? ''))
    await call('DELETE', authorizationPath(id))
  })

  test('gets a new token if it no longer accepts the old one, and the call is repeated [MCP-12]', async () => {
    const id = await authorize()
    shop.seen.renewals.length = 0
    shop.forgetAccess()
    expect(await find('again')).toMatchObject({ isSuccess: true, output: 'found again' })
    expect(shop.seen.renewals).toHaveLength(1)
    await call('DELETE', authorizationPath(id))
  })

  test('needs a new consent if its issuer rejects the renewal, and every place says so [MCP-12]', async () => {
    const id = await authorize()
    shop.forgetAccess()
    shop.forgetRefresh()
    const refused = await find('nothing')
    expect(refused).toMatchObject({
      isSuccess: false,
      output: expect.stringContaining('parley mcp authorize'),
    })
    expect(await read(id)).toMatchObject({
      state: 'expired',
      failure: expect.stringContaining('invalid_grant'),
    })
    const audit = '/api/v1/AuditLog?Action=mcp_authorization.expire'
    const [record] = (await call<Page<AuditLogRecord>>('GET', audit)).items
    expect(record).toMatchObject({ resourceId: id, details: { serverUrl: shop.url } })
    // Another consent to the same authorization repairs it.
    const path = `${authorizationPath(id)}/consent`
    expect(await call('PUT', path, await consent(id))).toMatchObject({ isAuthorized: true })
    expect(await find('it')).toMatchObject({ isSuccess: true })
  })

  test('has encrypted tokens that appear in no row and no response [MCP-12]', async () => {
    const id = await authorize()
    const { stores } = questionService.running.service.database
    const row = await stores.mcpAuthorizations.find(questionService.running.organizationId, id)
    expect(row?.sealedGrant).not.toBeNull()
    expect(JSON.stringify([row, await read(id), questionService.running.log])).not.toMatch(
      /[ar]t-[\da-f]{8}-/,
    )
  })

  test('explains what to provide if it has no registration, and needs nothing for a known client [MCP-12]', async () => {
    const closed = await startGuardedMcpServer({ canRegister: false })
    const { id } = await call<McpAuthorization>('POST', '/api/v1/McpAuthorization', { serverUrl: closed.url })
    const consentStart = await call<McpConsent>('POST', `${authorizationPath(id)}/consent`, {})
    expect(consentStart).toMatchObject({
      authorizationUrl: null,
      detail: expect.stringContaining('clientId'),
    })
    const redirectUri = 'http://127.0.0.1:7777/back'
    closed.seen.redirectUris = [redirectUri]
    const known = await call<McpAuthorization>('POST', '/api/v1/McpAuthorization', {
      ...{ serverUrl: closed.url, clientId: 'known', scope: 'shop' },
    })
    const path = `${authorizationPath(known.id)}/consent`
    const local = await call<McpConsent>('POST', path, { redirectUri })
    const sent = await fetch(local.authorizationUrl ?? local.detail, { redirect: 'manual' })
    const back = new URL(sent.headers.get('location') ?? '')
    expect(back.href).toContain(redirectUri)
    const { state, code } = Object.fromEntries(back.searchParams)
    expect(await call('PUT', path, { state, code })).toMatchObject({ isAuthorized: true })
    await closed.close()
  })

  test('can be authorized from a terminal, which waits for the browser [MCP-12]', async () => {
    let printed = ''
    const hear = (text: string) => {
      printed += text
    }
    const { url, organizationId: ORG, apiKey: KEY } = questionService.running
    const ended = runParley({
      args: ['mcp', 'authorize', shop.url, '--url', url],
      env: { ORG, KEY },
      namesFromFile: [],
      streams: { isTTY: false, out: hear, err: hear },
      talk: async () => undefined,
    })
    await expect.poll(() => printed, { timeout: 60_000 }).toContain('/authorize?')
    const consented = await fetch(/http:\S+\/authorize\?\S+/.exec(printed)?.[0] ?? '')
    expect(await consented.text()).toContain('go back to the terminal')
    expect(await ended).toBe(0)
    expect(printed).toContain(`Agents can use ${shop.url} now.`)
    expect(await find('it')).toMatchObject({ isSuccess: true })
  })
})
