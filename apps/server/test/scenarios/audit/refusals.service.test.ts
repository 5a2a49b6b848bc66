import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Credentials } from '../../support/api-client.js'
import { patiently, readRecords } from '../../support/audit/audit-fixture.js'
import { addApiKey, addOrganization } from '../../support/organizations.js'
import { withPostgresClient } from '../../support/services/postgres-connection.js'
import type { PostgresDatabase } from '../../support/services/postgres-database.js'
import { migratedDatabase, type RunningService, startService } from '../../support/start-service.js'

let database: PostgresDatabase
let running: RunningService
/** The organization whose keys are rejected. `elsewhere` is another organization. */
let home: Credentials
let elsewhere: Credentials

let now = Date.now()
const clock = { now: () => new Date(now) }

beforeAll(async () => {
  database = await migratedDatabase()
  running = await startService({ env: { DATABASE_URL: database.url } })
  home = await addOrganization(running)
  elsewhere = await addOrganization(running)
})

afterAll(async () => {
  await running.close()
  await database.drop()
})

function countRows(): Promise<number> {
  return withPostgresClient(database.url, async (client) => {
    const { rows } = await client.query<{ count: number }>('select count(*)::int as count from audit_record')
    return rows[0]?.count ?? 0
  })
}

const stores = () => running.service.database.stores

async function deletedKey(): Promise<string> {
  const client = running.client.as(home)
  const made = await client.call<{ id: string; key: string }>('POST', '/api/v1/ApiKey', {
    body: { name: 'Test key', scopes: ['agent:read'] },
  })
  await client.call('DELETE', `/api/v1/ApiKey/${made.body.id}`)
  return made.body.key
}

interface Refusal {
  readonly reason: string
  readonly key: () => Promise<string>
  readonly organizationId?: () => string
  readonly call: readonly [method: string, path: string, body?: object]
  readonly status: number
  readonly record: { readonly resourceType: string; readonly operation: string; readonly detail: string }
}

const listAgents = ['GET', '/api/v1/Agent'] as const
const ofListAgents = { resourceType: 'Agent', operation: 'listAgents' }

const refusals: readonly Refusal[] = [
  {
    reason: 'lacks the scope',
    key: () => addApiKey(stores(), home.organizationId, ['agent:read']),
    call: ['DELETE', '/api/v1/Task/019a0000-0000-7000-8000-000000000000'],
    status: 403,
    record: {
      resourceType: 'Task',
      operation: 'deleteTask',
      detail: expect.stringContaining('task:write'),
    },
  },
  {
    reason: 'names another organization',
    key: async () => home.apiKey,
    organizationId: () => elsewhere.organizationId,
    call: listAgents,
    status: 403,
    record: { ...ofListAgents, detail: expect.stringContaining('X-Org-Id') },
  },
  {
    reason: 'names an invalid organization',
    key: async () => home.apiKey,
    organizationId: () => 'nobody',
    call: listAgents,
    status: 403,
    record: { ...ofListAgents, detail: expect.stringContaining('X-Org-Id') },
  },
  {
    reason: 'names no organization',
    key: async () => home.apiKey,
    organizationId: () => '',
    call: listAgents,
    status: 403,
    record: { ...ofListAgents, detail: 'X-Org-Id is required. Send the id of your organization.' },
  },
  {
    reason: 'has expired',
    key: () => addApiKey(stores(), home.organizationId, ['agent:read'], '2020-01-01T00:00:00.000Z'),
    call: listAgents,
    status: 401,
    record: { ...ofListAgents, detail: expect.stringContaining('expired') },
  },
  {
    reason: 'was deleted',
    key: deletedKey,
    call: listAgents,
    status: 401,
    record: { ...ofListAgents, detail: expect.stringContaining('deleted') },
  },
  {
    reason: 'requests a key with more scopes than its own',
    key: () => addApiKey(stores(), home.organizationId, ['org:manage']),
    call: ['POST', '/api/v1/ApiKey', { name: 'More', scopes: ['task:write', 'org:manage'] }],
    status: 403,
    record: {
      resourceType: 'ApiKey',
      operation: 'createApiKey',
      detail: expect.stringContaining('task:write'),
    },
  },
  {
    reason: 'requests a key that expires later than itself',
    key: () => addApiKey(stores(), home.organizationId, ['org:manage'], '2100-01-01T00:00:00.000Z'),
    call: ['POST', '/api/v1/ApiKey', { name: 'Longer', scopes: ['org:manage'] }],
    status: 403,
    record: {
      resourceType: 'ApiKey',
      operation: 'createApiKey',
      detail: expect.stringContaining('2100-01-01T00:00:00.000Z'),
    },
  },
]

describe('a rejected request with a known key', () => {
  test.each(refusals)(
    "is recorded in the key's organization if the key $reason ($status) [AUD-2]",
    async ({ key, organizationId, call, status, record }) => {
      const apiKey = await key()
      const presented = await stores().apiKeys.findByPrefix(apiKey.slice(4, 12))
      const [method, path, body] = call
      const before = await countRows()
      const answer = await running.client
        .as({ apiKey, organizationId: organizationId?.() ?? home.organizationId })
        .call(method, path, { ...(body && { body }), headers: { 'x-request-id': 'refused-1' } })
      expect(answer).toMatchObject({
        status,
        body: { status, detail: record.detail, requestId: 'refused-1' },
      })

      expect(await countRows()).toBe(before + 1)
      const [newest] = await readRecords(running.client.as(home))
      const { resourceType, ...details } = record
      expect(newest).toMatchObject({
        actor: { type: 'api_key', id: presented?.id, name: presented?.name },
        action: 'access.refused',
        outcome: 'refused',
        resourceType,
        resourceId: null,
        ipAddress: '127.0.0.1',
        requestId: 'refused-1',
      })
      expect(newest?.details).toEqual(details)
      expect(JSON.stringify(newest)).not.toContain(apiKey)
    },
  )

  const late: readonly [reason: string, key: () => Promise<string>][] = [
    ['was deleted', deletedKey],
    [
      'has expired',
      () => addApiKey(stores(), home.organizationId, ['agent:read'], '2020-01-01T00:00:00.000Z'),
    ],
  ]

  test.each(late)(
    'is recorded once a minute if the key %s, however often it is used [AUD-2]',
    async (_, key) => {
      const passing = await startService({ env: { DATABASE_URL: database.url }, clock })
      const client = passing.client.as({ ...home, apiKey: await key() })
      const before = await countRows()
      for (let count = 0; count < 20; count += 1) expect((await client.call(...listAgents)).status).toBe(401)
      expect(await countRows()).toBe(before + 1)
      now += 60_000
      for (let count = 0; count < 20; count += 1) await client.call('GET', '/api/v1/Task')
      expect(await countRows()).toBe(before + 2)
      await passing.close()
    },
  )

  test('is not recorded in the organization that it named [AUD-2]', async () => {
    const attack = running.client.as({ ...home, organizationId: elsewhere.organizationId })
    await attack.call(...listAgents)
    expect(await readRecords(running.client.as(elsewhere))).toEqual([])
  })

  test('has a record that is sealed like any other [AUD-2]', async () => {
    await running.client.as({ ...home, organizationId: elsewhere.organizationId }).call(...listAgents)
    await expect
      .poll(async () => (await readRecords(running.client.as(home)))[0], patiently)
      .toMatchObject({ action: 'access.refused', sequence: expect.any(Number) })
  })
})

describe('a request of an unknown caller', () => {
  const strangers = [
    ['without a key', () => ''],
    ['with an invalid key', () => 'password'],
    ['with an unknown key', () => `prl_Unknown1_${'x'.repeat(43)}`],
    ['with the prefix of a known key', () => `${home.apiKey.slice(0, 13)}${'x'.repeat(43)}`],
  ] as const

  test.each(strangers)('causes no record: %s [AUD-2]', async (_, key) => {
    const before = await countRows()
    const stranger = running.client.as({ ...home, apiKey: key() })
    for (const [method, path] of [listAgents, ['DELETE', '/api/v1/ApiKey/none']] as const)
      expect((await stranger.call(method, path)).status).toBe(401)
    expect(await countRows()).toBe(before)
  })
})
