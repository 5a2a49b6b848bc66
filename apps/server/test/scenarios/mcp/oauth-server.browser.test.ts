import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { type AuditLogRecord, type McpGrant, mcpScopes, type Page } from '@parley/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { findAccessibilityIssues } from '../../support/browser/accessibility-issues.js'
import { openConsole } from '../../support/console/open-console.js'
import { expectProblem } from '../../support/http/expect-problem.js'
import { send } from '../../support/http/send.js'
import { connectMcp } from '../../support/mcp/mcp-clients.js'
import { consentAddress, decideInConsole, type Granted, obtainTokens } from '../../support/mcp/oauth-flow.js'
import { makeVisitor, type SignedInPerson, signedIn } from '../../support/people/signed-in.js'
import { useQuestionService } from '../../support/questions/question-service.js'
import { makeTestClock } from '../../support/test-clock.js'

const clock = makeTestClock()
const questionService = useQuestionService(() => ({ clock }))
let owner: SignedInPerson

beforeAll(async () => {
  owner = await signedIn(questionService.running, 'owner', clock)
})

const auditOf = async (action: string) => {
  const path = `/api/v1/AuditLog?Action=${action}&Limit=5`
  return (await questionService.running.client.call<Page<AuditLogRecord>>('GET', path)).body.items
}

const grantsOf = async (person: SignedInPerson) =>
  (JSON.parse((await person.call('GET', '/api/v1/Me/mcp-grant')).text) as Page<McpGrant>).items

const listWith = (token: string) =>
  send(questionService.running.url, {
    method: 'POST',
    path: '/mcp',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  })

describe('a client that discovers the server', () => {
  test('gets from a 401 to a call in the name of a person, through the console and with the official library [MCP-9]', async () => {
    const { provider, asked: addresses } = makeProvider()
    const connect = () =>
      new StreamableHTTPClientTransport(new URL('/mcp', questionService.running.url), {
        authProvider: provider,
      })
    const client = new Client(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    )
    const first = connect()
    await expect(client.connect(first)).rejects.toThrow(UnauthorizedError)
    const [address] = addresses
    if (address === undefined) throw new Error('The client opened no console address.')
    const { callback, shown } = await decideInConsole(questionService.running, owner, address)
    expect(shown).toEqual({ clientName: 'Claude', redirectHost: '127.0.0.1:4444', scopes: mcpScopes })
    await first.finishAuth(callback.searchParams)
    const again = new Client(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    )
    await again.connect(connect())
    const made = await again.callTool({ name: 'create_task', arguments: { title: 'From Claude' } })
    expect(made.isError).not.toBe(true)
    expect((await auditOf('task.create'))[0]).toMatchObject({
      actor: { type: 'person', id: owner.person.id },
      details: { channel: 'mcp', client: 'Claude' },
    })
    expect(await grantsOf(owner)).toMatchObject([
      { clientName: 'Claude', personId: owner.person.id, organizationName: expect.any(String) },
    ])
    await again.close()
  })

  test('gets the requested scopes and rotating tokens with an independent library [MCP-9]', async () => {
    const granted = await obtainTokens(questionService.running, owner, 'agent:read unheard:of')
    // People see this name when they decide.
    expect(granted.shown).toMatchObject({ clientName: 'Independent client', scopes: ['agent:read'] })
    expect(granted.tokens).toMatchObject({ token_type: 'bearer', expires_in: 900, scope: 'agent:read' })
    const client = await connectMcp(questionService.running.url, 'greeted', granted.tokens.access_token)
    expect((await client.tools()).map(({ name }) => name)).toEqual(['list_agents'])
    const renewed = await granted.renew()
    expect(renewed.access_token).not.toBe(granted.tokens.access_token)
    expect((await listWith(renewed.access_token)).status).toBe(200)
    // Running work with the previous token continues for a few minutes.
    expect((await listWith(granted.tokens.access_token)).status).toBe(200)
    await client.close()
  })

  test("sees only what its person's role covers, including later changes [MCP-9]", async () => {
    const viewer = await signedIn(questionService.running, 'viewer', clock)
    const { tokens } = await obtainTokens(questionService.running, viewer)
    expect(tokens.scope).toBe('agent:read conversation:read')
    const member = { body: { role: 'approver' } }
    await owner.call('PATCH', `/api/v1/Member/${viewer.memberId}`, member)
    expect((await listWith(tokens.access_token)).text).toContain('list_approvals')
    expect((await listWith(tokens.access_token)).text).not.toContain('decide_approval')
  })

  test('receives a denial, and a visitor who is not signed in or not a member cannot decide [MCP-9]', async () => {
    const { address } = await consentAddress(questionService.running)
    const { callback } = await decideInConsole(questionService.running, owner, address, 'deny')
    expect(Object.fromEntries(callback.searchParams)).toMatchObject({ error: 'access_denied', state: '1e5' })
    const foreign = { ...questionService.running, organizationId: '01a1de5c-bd02-7c30-8fd5-792c5d3c8d1e' }
    await expect(decideInConsole(foreign, owner, address)).rejects.toThrow('not a member')
    const visitor = { ...owner, ...makeVisitor(questionService.running) }
    await expect(decideInConsole(questionService.running, visitor, address)).rejects.toThrow(
      'Unauthenticated',
    )
  })
})

test('the console shows who asks and where the person is sent, then redirects there [MCP-9]', {
  timeout: 60_000,
}, async () => {
  const { address } = await consentAddress(questionService.running)
  const { page, pageErrors } = await openConsole(questionService.running, { as: owner, colorScheme: 'light' })
  let brought = ''
  await page.route(
    ({ port }) => port === '5555',
    async (route) => {
      brought = route.request().url()
      await route.fulfill({ body: 'Back at the client.' })
    },
  )
  await page.goto(address.href)
  await page.getByRole('heading', { name: 'Authorize Independent client?' }).waitFor()
  await page.getByText('127.0.0.1:5555').waitFor()
  await page.getByText('Ask agents questions in text').waitFor()
  expect(await findAccessibilityIssues(page, { part: ':root', rules: 'all' })).toEqual([])
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByText('Back at the client.').waitFor()
  expect(new URL(brought).searchParams.get('code')).toMatch(/^[\w-]{43}$/)
  expect(new URL(brought).searchParams.get('state')).toBe('1e5')
  expect(pageErrors.filter((each) => !each.startsWith('asked http://127.0.0.1:5555'))).toEqual([])
})

describe('a token', () => {
  const ways: readonly (readonly [string, (granted: Granted, person: SignedInPerson) => Promise<unknown>])[] =
    [
      ['that has expired', async () => clock.advance(15 * 60_000)],
      [
        'that its person has revoked',
        async (_, person) => {
          const [grant] = await grantsOf(person)
          return person.call('DELETE', `/api/v1/Me/mcp-grant/${grant?.id}`)
        },
      ],
      [
        'that its organization has revoked',
        async (_, person) => {
          const [grant] = await grantsOf(person)
          return questionService.running.client.call('DELETE', `/api/v1/McpGrant/${grant?.id}`)
        },
      ],
      ['that its client has returned', ({ revoke, tokens }) => revoke(tokens.refresh_token ?? '')],
      ['of a person who has left', (_, { memberId }) => owner.call('DELETE', `/api/v1/Member/${memberId}`)],
      [
        'whose refresh token was used twice',
        ({ renew }) => renew().then(() => renew().catch(() => undefined)),
      ],
      ['whose code was used twice', ({ repeatExchange }) => repeatExchange()],
    ]

  test.each(ways)('%s is rejected by /mcp and by the API [MCP-10]', async (_, end) => {
    const person = await signedIn(questionService.running, 'builder', clock)
    const granted = await obtainTokens(questionService.running, person)
    const { access_token: token } = granted.tokens
    expect((await listWith(token)).status).toBe(200)
    await end(granted, person)
    const refused = await listWith(token)
    expectProblem(refused, 'Unauthenticated')
    expect(refused.headers.get('www-authenticate')).toMatch(
      /^Bearer error="invalid_token", resource_metadata="http:\/\/[^"]+\/\.well-known\/oauth-protected-resource\/mcp"/,
    )
  })

  test('is not an API key: the API rejects it in every header, and /mcp rejects a refresh token [MCP-10]', async () => {
    const { tokens } = await obtainTokens(questionService.running, owner)
    const { access_token: token, refresh_token: refreshToken = '' } = tokens
    const { organizationId, url } = questionService.running
    for (const headers of [{ authorization: `Bearer ${token}` }, { 'x-api-key': token }])
      for (const path of ['/api/v1/Agent', '/api/v1/Me', '/api/v1/ApiKey'])
        expectProblem(
          await send(url, { method: 'GET', path, headers: { ...headers, 'x-org-id': organizationId } }),
          path === '/api/v1/Me' && 'x-api-key' in headers ? 'Forbidden' : 'Unauthenticated',
        )
    for (const bad of [refreshToken, `${token}a`, `prt_${'a'.repeat(43)}`, token.toUpperCase()])
      expectProblem(await listWith(bad), 'Unauthenticated')
    const other = { 'x-org-id': '01a1de5c-bd02-7c30-8fd5-792c5d3c8d1e', authorization: `Bearer ${token}` }
    const elsewhere = await send(url, {
      ...{ method: 'POST', path: '/mcp', body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' },
      headers: { 'content-type': 'application/json', ...other },
    })
    expectProblem(elsewhere, 'Forbidden')
  })

  test('is not stored in plain text, and the end of a grant is audited [MCP-10]', async () => {
    const { tokens } = await obtainTokens(questionService.running, owner)
    const { rows } = await readGrants()
    expect(rows).not.toContain(tokens.access_token)
    expect(rows).not.toContain(tokens.refresh_token)
    expect((await auditOf('mcp_grant.create'))[0]).toMatchObject({
      actor: { type: 'person' },
      details: { client: 'Independent client', scopes: expect.arrayContaining(['question:ask']) },
    })
    expect(await auditOf('mcp_grant.end')).toHaveLength(2)
  })

  async function readGrants() {
    const { stores } = questionService.running.service.database
    const page = { offset: 0, limit: 200 }
    const grants = await stores.mcpGrants.list({ personId: owner.person.id }, '1970-01-01T00:00:00Z', page)
    return { rows: JSON.stringify(grants) }
  }
})

describe('the issuer', () => {
  const post = (path: string, body: string, type = 'application/x-www-form-urlencoded') =>
    send(questionService.running.url, { method: 'POST', path, headers: { 'content-type': type }, body })
  const registration = (fields: object) => post('/oauth/register', JSON.stringify(fields), 'application/json')

  test.each<[string, object, string]>([
    ['no address', {}, 'invalid_client_metadata'],
    ['six addresses', { redirect_uris: Array(6).fill('https://a.example/') }, 'invalid_client_metadata'],
    ['a script', { redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
    ['http elsewhere', { redirect_uris: ['http://a.example/'] }, 'invalid_redirect_uri'],
    ['a fragment', { redirect_uris: ['https://a.example/#x'] }, 'invalid_redirect_uri'],
    [
      'a secret',
      { redirect_uris: ['https://a.example/'], token_endpoint_auth_method: 'client_secret_basic' },
      'invalid_client_metadata',
    ],
  ])('rejects the registration of %s [MCP-11]', async (_, fields, error) => {
    const answer = await registration(fields)
    expect([answer.status, JSON.parse(answer.text).error]).toEqual([400, error])
  })

  test('registers only web addresses, reverse-domain schemes and known apps [MCP-11]', async () => {
    const statusOf = async (uri: string) => (await registration({ redirect_uris: [uri] })).status
    for (const uri of [
      ...[
        'https://a.example/back',
        'http://127.0.0.1:1/back',
        'com.example.app:/back',
        'app.example.b-2://back',
      ],
      ...['cursor://anysphere.cursor-mcp/oauth/callback', 'vscode://vscode.example/back', 'claude://back'],
    ])
      expect([uri, await statusOf(uri)]).toEqual([uri, 201])
    for (const uri of [
      ...[
        'search-ms:query=x&crumb=location:evil',
        'ms-msdt:/id',
        'intent://x',
        'filesystem:http://a.example/',
      ],
      ...['chrome://x', 'jar:http://a.example/!/', 'tel:1', 'feed:javascript:alert(1)', 'C:/x', 'cursor:x#y'],
      ...['data:text/html,x', 'file:///etc/passwd', 'com.example:x#y', 'https://me@a.example/', '.com:/x'],
    ])
      expect([uri, await statusOf(uri)]).toEqual([uri, 400])
  })

  test('rejects unregistered redirect addresses and unknown clients [MCP-11]', async () => {
    const { client_id: clientId } = JSON.parse(
      (await registration({ redirect_uris: ['https://a.example/back', 'cursor://app/back'] })).text,
    )
    const authorize = (fields: Readonly<Record<string, string>>) => {
      const right = {
        ...{ client_id: clientId, redirect_uri: 'https://a.example/back', response_type: 'code' },
        ...{ code_challenge: 'c'.repeat(43), code_challenge_method: 'S256' },
      }
      const query = new URLSearchParams({ ...right, ...fields })
      return fetch(`${questionService.running.url}/oauth/authorize?${query}`, { redirect: 'manual' })
    }
    expect((await authorize({})).headers.get('location')).toContain('/#/authorize?')
    for (const fields of [
      { redirect_uri: 'https://a.example/back/../other' },
      { redirect_uri: 'https://b.example/back' },
      { client_id: `${clientId}x` },
      { client_id: 'prc_of-nobody-at-all-here' },
    ]) {
      const answer = await authorize(fields)
      expect([400, 401]).toContain(answer.status)
      expect(answer.headers.get('location')).toBeNull()
    }
  })

  test('shows errors on its own page and redirects only after a person has decided [MCP-11]', async () => {
    const back = 'https://a.example/back?<b>="x"'
    const registered = await registration({ redirect_uris: [back, 'cursor://app/back'] })
    const { client_id: clientId } = JSON.parse(registered.text)
    const authorize = (fields: Readonly<Record<string, string>>, accept: string) => {
      const right = {
        ...{ client_id: clientId, redirect_uri: back, response_type: 'code', state: '"><script>' },
        ...{ code_challenge: 'c'.repeat(43), code_challenge_method: 'S256' },
      }
      const query = new URLSearchParams({ ...right, ...fields })
      const headers = { accept }
      return fetch(`${questionService.running.url}/oauth/authorize?${query}`, { redirect: 'manual', headers })
    }
    for (const [fields, error] of [
      [{ code_challenge_method: 'plain' }, 'invalid_request'],
      [{ code_challenge: 'short' }, 'invalid_request'],
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ resource: 'https://elsewhere.example/mcp' }, 'invalid_target'],
      [{ scope: 'org:manage' }, 'invalid_scope'],
    ] as const) {
      const answer = await authorize(fields, 'application/json')
      expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
      expect(await answer.json()).toMatchObject({ error })
      const page = await authorize(fields, 'text/html')
      expect([page.status, page.headers.get('location')]).toEqual([400, null])
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
      const text = await page.text()
      const [, link = ''] = /<a href="([^"]+)"[^>]*>Continue to a\.example<\/a>/.exec(text) ?? []
      const address = new URL(link.replaceAll('&amp;', '&'))
      expect([address.host, address.searchParams.get('error')]).toEqual(['a.example', error])
      expect(text).not.toMatch(/<script|<b>/)
    }
    const program = await authorize({ redirect_uri: 'cursor://app/back', response_type: 'x' }, 'text/html')
    const text = await program.text()
    expect(text).toContain('<strong>cursor://app</strong>')
    expect(text).not.toContain('<a ')
    const unknown = await authorize({ redirect_uri: 'https://b.example/' }, 'text/html')
    expect([unknown.status, await unknown.text()]).toEqual([400, expect.not.stringContaining('b.example')])
  })

  test('rejects token requests that are not forms, have an unknown grant type or are too long [MCP-11]', async () => {
    for (const [body, error] of [
      ['grant_type=password&username=a', 'unsupported_grant_type'],
      ['grant_type=authorization_code', 'invalid_request'],
      ['grant_type=refresh_token&refresh_token=prr_x&client_id=a', 'invalid_grant'],
    ] as const) {
      const answer = await post('/oauth/token', body)
      expect([answer.status, JSON.parse(answer.text).error]).toEqual([400, error])
      expect(answer.headers.get('cache-control')).toBe('no-store')
    }
    expectProblem(await post('/oauth/token', `a=${'x'.repeat(20_000)}`), 'TooLarge')
    expectProblem(await post('/oauth/register', 'a=b'), 'UnsupportedMediaType')
  })
})

/** The memory of a client program. Instead of opening a browser, it stores the address. */
function makeProvider() {
  const addresses: URL[] = []
  const kept: {
    client?: Awaited<ReturnType<OAuthClientProvider['clientInformation']>>
    tokens?: Awaited<ReturnType<OAuthClientProvider['tokens']>>
    discovery?: OAuthDiscoveryState
    verifier: string
  } = { verifier: '' }
  const provider: OAuthClientProvider = {
    redirectUrl: 'http://127.0.0.1:4444/callback',
    clientMetadata: { client_name: 'Claude', redirect_uris: ['http://127.0.0.1:3333/callback'] },
    clientInformation: () => kept.client,
    saveClientInformation: (client) => {
      kept.client = client
    },
    tokens: () => kept.tokens,
    saveTokens: (tokens) => {
      kept.tokens = tokens
    },
    saveDiscoveryState: (state) => {
      kept.discovery = state
    },
    discoveryState: () => kept.discovery,
    redirectToAuthorization: (url) => void addresses.push(url),
    saveCodeVerifier: (verifier) => {
      kept.verifier = verifier
    },
    codeVerifier: () => kept.verifier,
  }
  return { provider, asked: addresses }
}
