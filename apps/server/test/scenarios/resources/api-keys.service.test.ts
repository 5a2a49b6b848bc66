import { createHash } from 'node:crypto'
import { type ApiKey, type Page, type Problem, type Scope, scopes } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ApiClient } from '../../support/api-client.js'
import { addOrganization } from '../../support/organizations.js'
import { type RunningService, startService } from '../../support/start-service.js'
import { makeTestClock } from '../../support/test-clock.js'

type CreatedApiKey = ApiKey & { readonly key: string }

const clock = makeTestClock()
const minute = 60_000
const inMinutes = (minutes: number) => new Date(clock.now().getTime() + minutes * minute).toISOString()

let running: RunningService
let owner: ApiClient

beforeAll(async () => {
  running = await startService({ clock })
  owner = running.client
})

afterAll(() => running.close())

const path = '/api/v1/ApiKey'
const at = (key: { readonly id: string }) => `${path}/${key.id}`

async function create(fields: object = {}, by = owner): Promise<CreatedApiKey> {
  const body = { name: 'A key', scopes: ['agent:read'], ...fields }
  const answer = await by.call<CreatedApiKey>('POST', path, { body })
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}

/** Returns a client with a new key that may create keys. */
async function manager(fields: { scopes?: Scope[]; expiresAt?: string } = {}): Promise<ApiClient> {
  const held = { ...fields, scopes: ['org:manage', ...(fields.scopes ?? [])] }
  return owner.as({ apiKey: (await create(held)).key })
}

const statusWith = async (apiKey: string) => (await owner.as({ apiKey }).call('GET', '/api/v1/Agent')).status

describe('an API key', () => {
  test('has the form prl_<8>_<43>, and its prefix is a field [ACC-1]', async () => {
    const created = await create({
      name: 'Booking system',
      scopes: ['agent:read', 'task:write', 'agent:read'],
    })
    expect(created.key).toMatch(/^prl_[A-Za-z0-9]{8}_[A-Za-z0-9_-]{43}$/)
    expect(created).toEqual({
      id: expect.any(String),
      createdAt: clock.now().toISOString(),
      updatedAt: clock.now().toISOString(),
      name: 'Booking system',
      prefix: created.key.split('_')[1],
      scopes: ['agent:read', 'task:write'],
      expiresAt: null,
      lastUsedAt: null,
      key: created.key,
    })
    expect((await create()).key).not.toBe(created.key)
  })

  test('allows only the operations of its scopes [5-3]', async () => {
    const { key } = await create({ scopes: ['task:write'] })
    const by = owner.as({ apiKey: key })
    expect((await by.call('POST', '/api/v1/Task', { body: { title: 'Task' } })).status).toBe(201)
    expect((await by.call('GET', '/api/v1/Task')).status).toBe(200)
    for (const other of ['Agent', 'Connection', 'ApiKey', 'AuditLog'])
      expect((await by.call('GET', `/api/v1/${other}`)).status).toBe(403)
  })

  test('is shown once, and neither the key nor its hash can be read again [5-4] [ACC-1]', async () => {
    const { key, ...read } = await create()
    const hash = createHash('sha256').update(key).digest('hex')
    const answers = [
      await owner.call('GET', at(read)),
      await owner.call('GET', path),
      await owner.call('GET', '/api/v1/AuditLog'),
    ]
    expect(answers[0]?.body).toEqual(read)
    for (const { status, text } of answers) {
      expect(status).toBe(200)
      expect(text).not.toContain(key)
      expect(text).not.toContain(hash)
    }
  })

  test('is stored only as a SHA-256 hash [ACC-1]', async () => {
    const { key, prefix } = await create()
    const stored = await running.service.database.stores.apiKeys.findByPrefix(prefix)
    expect(stored?.hash).toBe(createHash('sha256').update(key).digest('hex'))
    expect(JSON.stringify(stored)).not.toContain(key.slice('prl_12345678_'.length))
  })

  test.each([
    ['one letter more', (key: string) => `${key}A`],
    ['one letter less', (key: string) => key.slice(0, -1)],
    ['the first letter of its secret changed', (key: string) => change(key, 13)],
    ['the last letter changed', (key: string) => change(key, key.length - 1)],
    ['another prefix', (key: string) => change(key, 4)],
    ['only its prefix', (key: string) => key.slice(0, 12)],
  ])('works only if it is complete and unchanged: %s [ACC-1]', async (_how, spoil) => {
    const { key } = await create()
    expect(await statusWith(key)).toBe(200)
    expect(await statusWith(spoil(key))).toBe(401)
  })

  test('is listed newest first and can be read only by its own organization', async () => {
    const stranger = owner.as(await addOrganization(running))
    const own = await create({ scopes: ['org:manage'] }, stranger)
    const next = await create({ name: 'Next' }, stranger)
    const page = (await stranger.call<Page<ApiKey>>('GET', `${path}?Limit=2`)).body
    expect(page.items.map(({ id }) => id)).toEqual([next.id, own.id])
    expect(page.totalCount).toBe(3)
    for (const method of ['GET', 'DELETE']) {
      expect((await owner.call(method, at(own))).status).toBe(404)
      expect((await owner.call(method, `${path}/${uuid()}`)).status).toBe(404)
    }
    expect((await stranger.call('GET', at(own))).status).toBe(200)
  })

  test.each<[string, object]>([
    ['name', { scopes: ['agent:read'] }],
    ['name', { name: ' ', scopes: ['agent:read'] }],
    ['scopes', { name: 'A' }],
    ['scopes', { name: 'A', scopes: [] }],
    ['scopes[1]', { name: 'A', scopes: ['agent:read', 'agent:delete'] }],
    ['expiresAt', { name: 'A', scopes: ['agent:read'], expiresAt: 'never' }],
    ['key', { name: 'A', scopes: ['agent:read'], key: 'prl_mine' }],
  ])('is rejected if %s is invalid (%#) [API-15]', async (field, body) => {
    const answer = await owner.call<Problem>('POST', path, { body })
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toMatchObject([{ path: field }])
  })

  test('is not stored for an Idempotency-Key, because the response contains a secret', async () => {
    const options = { body: { name: 'A', scopes: ['agent:read'] }, headers: { 'idempotency-key': 'once' } }
    const [one, other] = [await owner.call('POST', path, options), await owner.call('POST', path, options)]
    expect([one.status, other.status]).toEqual([201, 201])
    expect(one.body.key).not.toBe(other.body.key)
  })

  function change(key: string, place: number): string {
    return `${key.slice(0, place)}${key[place] === 'A' ? 'B' : 'A'}${key.slice(place + 1)}`
  }
})

describe('the scopes and expiry that a key can grant', () => {
  const giving: [Scope[], Scope, 201 | 403][] = [
    [['agent:read'], 'agent:read', 201],
    [['agent:write'], 'agent:write', 201],
    [['agent:write'], 'agent:read', 201],
    [['agent:read'], 'agent:write', 403],
    [['agent:write'], 'task:read', 403],
    [['question:ask'], 'realtime:create', 403],
    [[], 'org:manage', 201],
    [[], 'audit:read', 403],
  ]

  test.each(giving)('a key with %j grants %s: %i [ACC-3]', async (held, given, expected) => {
    const by = await manager({ scopes: held })
    const body = { name: 'A', scopes: ['org:manage', given] }
    const answer = await by.call<Problem>('POST', path, { body })
    expect(answer.status).toBe(expected)
    if (expected === 403) expect(answer.body.detail).toContain(given)
  })

  test('the first key can grant every scope [ACC-3]', async () => {
    expect((await create({ scopes })).scopes).toEqual(scopes)
  })

  test.each<[string, number | null, 201 | 403]>([
    ['no end', null, 403],
    ['a later expiry', 10.001, 403],
    ['the same expiry', 10, 201],
    ['an earlier expiry', 9, 201],
  ])('an expiring key grants %s: %s leads to %i [ACC-3]', async (_what, minutes, expected) => {
    const by = await manager({ expiresAt: inMinutes(10) })
    const expiresAt = minutes === null ? null : inMinutes(minutes)
    const body = { name: 'A', scopes: ['org:manage'], expiresAt }
    const answer = await by.call<Problem>('POST', path, { body })
    expect(answer.status).toBe(expected)
    if (expected === 403) expect(answer.body.detail).toContain(inMinutes(10))
  })

  test('a rejected key is not created [ACC-3]', async () => {
    const by = await manager({ expiresAt: inMinutes(10) })
    const count = async () => (await owner.call<Page<ApiKey>>('GET', path)).body.totalCount
    const before = await count()
    await by.call('POST', path, { body: { name: 'A', scopes: ['org:manage'] } })
    await by.call('POST', path, { body: { name: 'A', scopes: ['task:read'], expiresAt: inMinutes(1) } })
    expect(await count()).toBe(before)
  })
})

describe('the expiry of a key', () => {
  test.each([
    ['past', -1],
    ['now', 0],
  ])('cannot be in the past or now: %s [ACC-3]', async (_when, minutes) => {
    const body = { name: 'A', scopes: ['agent:read'], expiresAt: inMinutes(minutes) }
    const answer = await owner.call<Problem>('POST', path, { body })
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toEqual([{ path: 'expiresAt', message: 'must be in the future' }])
  })

  test('takes effect at the exact millisecond [5-6]', async () => {
    const { key, expiresAt } = await create({ expiresAt: inMinutes(10) })
    expect(expiresAt).toBe(inMinutes(10))
    clock.advance(10 * minute - 1)
    expect(await statusWith(key)).toBe(200)
    clock.advance(1)
    expect(await statusWith(key)).toBe(401)
  })

  test('a deletion takes effect immediately, without waiting for the expiry [5-3]', async () => {
    const created = await create()
    expect(await statusWith(created.key)).toBe(200)
    expect((await owner.call('DELETE', at(created))).status).toBe(204)
    expect(await statusWith(created.key)).toBe(401)
    for (const method of ['GET', 'DELETE']) expect((await owner.call(method, at(created))).status).toBe(404)
    const page = (await owner.call<Page<ApiKey>>('GET', `${path}?Limit=200`)).body
    expect(page.items.map(({ id }) => id)).not.toContain(created.id)
  })
})

describe('the last key that can manage the organization', () => {
  /** Returns an organization with a single managing key. Its other keys cannot manage it or have expired. */
  async function lonely() {
    const client = owner.as(await addOrganization(running))
    const expired = await create({ scopes: ['org:manage'], expiresAt: inMinutes(1) }, client)
    clock.advance(minute)
    const [first] = (await client.call<Page<ApiKey>>('GET', `${path}?Offset=1`)).body.items
    if (first === undefined) throw new Error('The new organization has no key.')
    await create({ scopes: ['agent:write'] }, client)
    return { client, first, expired }
  }
  const remove = (by: ApiClient, key: { readonly id: string }) => by.call<Problem>('DELETE', at(key))

  test('is not deleted and keeps working [ACC-7]', async () => {
    const { client, first } = await lonely()
    const { status, body } = await remove(client, first)
    expect([status, body.errorCode]).toEqual([409, 'LastManagingKey'])
    expect(body.detail).toContain('org:manage')
    expect((await client.call('GET', at(first))).status).toBe(200)
    const { text } = await client.call('GET', '/api/v1/AuditLog?Action=api_key.delete')
    expect(text).not.toContain(first.id)
  })

  test('can be deleted once another one exists, which is then the last [ACC-7]', async () => {
    const { client, first } = await lonely()
    const other = await create({ scopes: ['org:manage'], expiresAt: inMinutes(10) }, client)
    expect((await remove(client, first)).status).toBe(204)
    const by = client.as({ apiKey: other.key })
    expect((await remove(by, other)).status).toBe(409)
  })

  test('does not count an expired key or a key with other scopes, which can be deleted [ACC-7]', async () => {
    const { client, expired } = await lonely()
    const other = await create({ scopes: ['agent:read'] }, client)
    for (const key of [expired, other]) expect((await remove(client, key)).status).toBe(204)
  })

  test('remains if the last two keys delete themselves concurrently [ACC-7]', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { client, first } = await lonely()
      const other = await create({ scopes: ['org:manage'] }, client)
      const both = await Promise.all([remove(client, first), remove(client.as({ apiKey: other.key }), other)])
      expect(both.map(({ status }) => status).sort()).toEqual([204, 409])
    }
  })
})

describe('the last use of a key', () => {
  test('is recorded to the minute [ACC-4]', async () => {
    const created = await create()
    const lastUsedAt = async () => (await owner.call<ApiKey>('GET', at(created))).body.lastUsedAt
    const useUntil = async (expected: string) => {
      expect(await statusWith(created.key)).toBe(200)
      // The service records the use in parallel with the response.
      await expect.poll(lastUsedAt).toBe(expected)
    }
    expect(await lastUsedAt()).toBeNull()
    const first = clock.now().toISOString()
    await useUntil(first)
    // If this use were recorded, the next one a millisecond later would not be.
    clock.advance(minute - 1)
    await useUntil(first)
    clock.advance(1)
    await useUntil(clock.now().toISOString())
  })

  test('is not recorded for a rejected request [ACC-4]', async () => {
    const created = await create()
    const by = owner.as({ apiKey: created.key })
    expect((await by.call('GET', '/api/v1/Task')).status).toBe(403)
    expect((await by.as({ organizationId: uuid() }).call('GET', '/api/v1/Agent')).status).toBe(403)
    // If a rejection were recorded, this use a second later would not be.
    clock.advance(1000)
    expect(await statusWith(created.key)).toBe(200)
    const lastUsedAt = async () => (await owner.call<ApiKey>('GET', at(created))).body.lastUsedAt
    await expect.poll(lastUsedAt).toBe(clock.now().toISOString())
  })
})
