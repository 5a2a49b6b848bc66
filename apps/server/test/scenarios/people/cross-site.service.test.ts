import type { SignedIn } from '@parley/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { readRecords } from '../../support/audit/audit-fixture.js'
import { expectProblem, outcomeOf } from '../../support/http/expect-problem.js'
import { useService } from '../../support/http/use-service.js'
import { addOrganization } from '../../support/organizations.js'
import { makeVisitor, type SignedInPerson, signedIn } from '../../support/people/signed-in.js'

const service = useService({ env: { LOG_LEVEL: 'error' } })
let owner: SignedInPerson

beforeAll(async () => {
  owner = await signedIn(service.running, 'owner')
})

const port = () => new URL(service.running.url).port
const body = { title: 'Water the plants' }

type Headers = Readonly<Record<string, string | undefined>>

/**
 * Requests that a foreign page can make a browser send with the cookie, and requests that other clients
 * forge.
 */
const foreign: Readonly<Record<string, () => { headers: Headers; text?: string }>> = {
  'no Origin': () => ({ headers: { origin: undefined } }),
  'another Origin': () => ({ headers: { origin: 'https://evil.example.com' } }),
  'the Origin null': () => ({ headers: { origin: 'null' } }),
  'our host on another port': () => ({ headers: { origin: 'http://127.0.0.1:1' } }),
  'our host with https': () => ({ headers: { origin: `https://127.0.0.1:${port()}` } }),
  'a host that starts with ours': () => ({ headers: { origin: `${service.running.url}.evil.example.com` } }),
  'matching Origin and Host': () => ({
    headers: { origin: 'http://evil.example.com', host: 'evil.example.com' },
  }),
  'matching Origin and X-Forwarded-Host': () => ({
    headers: {
      origin: 'https://evil.example.com',
      'x-forwarded-host': 'evil.example.com',
      'x-forwarded-proto': 'https',
    },
  }),
  'our Origin and Sec-Fetch-Site cross-site': () => ({ headers: { 'sec-fetch-site': 'cross-site' } }),
  'our Origin and Sec-Fetch-Site same-site': () => ({ headers: { 'sec-fetch-site': 'same-site' } }),
  'a form': () => ({ headers: { 'content-type': 'application/x-www-form-urlencoded' }, text: 'title=a' }),
  'plain text that is JSON': () => ({
    headers: { 'content-type': 'text/plain' },
    text: JSON.stringify(body),
  }),
  'a form with files': () => ({
    headers: { 'content-type': 'multipart/form-data; boundary=a' },
    text: '--a--',
  }),
}

describe('a session request that may come from another site', () => {
  test.each(Object.entries(foreign))(
    'is refused, writes nothing and is recorded: %s [PPL-11]',
    async (title, made) => {
      const { headers, text } = made()
      const requestId = title.replaceAll(' ', '-')
      const content = text === undefined ? { body } : { text }
      const all = { 'x-request-id': requestId, ...headers }
      expectProblem(
        await owner.call('POST', '/api/v1/Task', { ...content, headers: all }),
        'CrossSiteRequest',
      )
      expectProblem(
        await owner.call('POST', '/api/v1/SignOut', { headers: all, ...(text && { text }) }),
        'CrossSiteRequest',
      )
      const tasks = await service.client.call<{ totalCount: number }>('GET', '/api/v1/Task')
      expect(tasks.body.totalCount).toBe(0)
      const records = (await readRecords(service.client)).filter((record) => record.requestId === requestId)
      expect(records).toHaveLength(2)
      expect(records[0]).toMatchObject({
        action: 'access.refused',
        actor: { type: 'person', id: owner.person.id },
      })
    },
  )

  test('is rejected before sign-in as well, so that no page can sign a person in as someone else [PPL-11]', async () => {
    const credentials = { email: owner.person.email, password: 'a long sentence to remember' }
    for (const origin of [undefined, 'https://evil.example.com']) {
      const answer = await makeVisitor(service.running).call('POST', '/api/v1/SignIn', {
        body: credentials,
        headers: { origin },
      })
      expectProblem(answer, 'CrossSiteRequest')
      expect(answer.headers.get('set-cookie')).toBeNull()
    }
  })

  test('is accepted from our own pages with every local host name [PPL-11]', async () => {
    const { running } = service
    for (const origin of [running.url, `http://localhost:${port()}`, `http://[::1]:${port()}`]) {
      const headers = { origin, 'sec-fetch-site': 'same-origin' }
      expect((await owner.call('PATCH', '/api/v1/Me', { body: {}, headers })).status).toBe(200)
    }
  })

  test('changes nothing by GET [PPL-11]', async () => {
    const headers = { origin: undefined, 'sec-fetch-site': 'cross-site' }
    for (const path of ['/api/v1/SignOut', '/api/v1/SignIn/oidc', '/api/v1/Me/password', '/api/v1/Me/totp'])
      expectProblem(await owner.call('GET', path, { headers }), 'MethodNotAllowed')
    expect(
      (await owner.call('GET', '/api/v1/Me', { headers })).headers.get('access-control-allow-origin'),
    ).toBeNull()
  })
})

describe('the caller', () => {
  test('is only the key if the request has one [PPL-12]', async () => {
    const { running } = service
    const asKey = { 'x-api-key': running.apiKey, origin: undefined }
    expect((await owner.call('GET', '/api/v1/Agent', { headers: asKey })).status).toBe(200)
    const made = await owner.call('POST', '/api/v1/Task', { body, headers: asKey })
    expect(made.status).toBe(201)
    const bad = { 'x-api-key': `${running.apiKey}a` }
    expectProblem(await owner.call('GET', '/api/v1/Agent', { headers: bad }), 'Unauthenticated')
    expectProblem(await owner.call('GET', '/api/v1/Me', { headers: asKey }), 'Forbidden')
    const [record] = await readRecords(service.client)
    expect(record).toMatchObject({ action: 'task.create', actor: { type: 'api_key' } })
  })

  test('is a person only in their own organizations [PPL-12]', async () => {
    const other = await addOrganization(service.running)
    const elsewhere = [undefined, '', 'mine', other.organizationId, `${service.running.organizationId}0`]
    for (const organizationId of elsewhere) {
      const headers = { 'x-org-id': organizationId }
      expect(outcomeOf(await owner.call('GET', '/api/v1/Agent', { headers }))).toBe('Forbidden')
      expect(outcomeOf(await owner.call('GET', '/api/v1/Member', { headers }))).toBe('Forbidden')
    }
    const upperCase = { 'x-org-id': service.running.organizationId.toUpperCase() }
    expect((await owner.call('GET', '/api/v1/Agent', { headers: upperCase })).status).toBe(200)
  })

  test.each(['', 'parley=', 'parley=abc', `parley=${'a'.repeat(43)}`, `__Host-parley=${'a'.repeat(43)}`])(
    'is unknown with the cookie %j [PPL-12]',
    async (cookie) => {
      const visitor = Object.assign(makeVisitor(service.running), { cookie })
      for (const path of ['/api/v1/Me', '/api/v1/Agent'])
        expectProblem(await visitor.call('GET', path), 'Unauthenticated')
    },
  )

  test('gets a console ticket if it is a person [PPL-12]', async () => {
    const [agent] = (await service.client.call<{ items: { id: string }[] }>('GET', '/api/v1/Agent')).body
      .items
    const path = `/api/v1/Agent/${agent?.id}/realtime-session`
    expect((await owner.call('POST', path, { body: {} })).status).toBe(201)
    const { realtimeSessions } = service.running.service.database.stores
    const { items } = await realtimeSessions.list(service.running.organizationId, {}, { offset: 0, limit: 1 })
    expect(items).toMatchObject([{ setup: { accessMode: 'console' } }])
  })

  test('sees its roles and scopes in Me [PPL-12]', async () => {
    const { organizations }: SignedIn = JSON.parse((await owner.call('GET', '/api/v1/Me')).text)
    expect(organizations).toMatchObject([{ role: 'owner', memberId: owner.memberId }])
    expect(organizations[0]?.scopes).toContain('org:manage')
  })
})
