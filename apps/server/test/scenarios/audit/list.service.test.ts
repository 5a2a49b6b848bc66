import type { AuditLogRecord, Page, Problem } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ApiClient, Credentials } from '../../support/api-client.js'
import { callerOf, writeRecords } from '../../support/audit/audit-fixture.js'
import { addOrganization } from '../../support/organizations.js'
import { type RunningService, startService } from '../../support/start-service.js'
import { makeTestClock } from '../../support/test-clock.js'

const hour = 60 * 60 * 1000

let running: RunningService
let organization: Credentials
let client: ApiClient

/** One record per hour from midnight, with the hour as its resource id. */
beforeAll(async () => {
  running = await startService()
  organization = await addOrganization(running)
  client = running.client.as(organization)
  const { database } = running.service
  const clock = makeTestClock(new Date('2030-01-01T00:00:00.000Z'))
  const plan = [
    { by: 'Ann', action: 'agent.create', type: 'Agent' },
    { by: 'Bob', action: 'agent.update', type: 'Agent' },
    { by: 'Ann', action: 'task.create', type: 'Task' },
    { by: 'Bob', action: 'task.create', type: 'Task' },
    { by: 'Ann', action: 'access.refused', type: 'Task' },
    { by: 'Bob', action: 'access.refused', type: 'Agent' },
  ]
  for (const [index, { by, action, type }] of plan.entries()) {
    const change = { action, type, id: `${index}h`, details: {} }
    await writeRecords(database, callerOf(organization.organizationId, by), [change], clock)
    await writeRecords(database, callerOf(running.organizationId, by), [change], clock)
    clock.advance(hour)
  }
})

afterAll(() => running.close())

function list(query: Readonly<Record<string, string>>, by: ApiClient = client) {
  return by.call<Page<AuditLogRecord>>('GET', `/api/v1/AuditLog?${new URLSearchParams(query)}`)
}

const filters: readonly (readonly [query: Readonly<Record<string, string>>, found: readonly string[]])[] = [
  [{}, ['5h', '4h', '3h', '2h', '1h', '0h']],
  [{ From: '2030-01-01T03:00:00.000Z' }, ['5h', '4h', '3h']],
  [{ From: '2030-01-01T03:00:00.001Z' }, ['5h', '4h']],
  [{ To: '2030-01-01T03:00:00.000Z' }, ['2h', '1h', '0h']],
  [{ To: '2030-01-01T03:00:00.001Z' }, ['3h', '2h', '1h', '0h']],
  [{ From: '2030-01-01T04:00:00+02:00', To: '2029-12-31T22:00:00-06:00' }, ['3h', '2h']],
  [{ From: '2030-01-01T05:00:00Z', To: '2030-01-01T01:00:00Z' }, []],
  [{ Action: 'task.create' }, ['3h', '2h']],
  [{ Action: 'task' }, []],
  [{ Action: 'task.%' }, []],
  [{ ActorId: 'id of Ann' }, ['4h', '2h', '0h']],
  [{ ActorId: 'Ann' }, []],
  [{ ResourceType: 'Agent' }, ['5h', '1h', '0h']],
  [{ ResourceType: 'agent' }, []],
  [{ ActorId: 'id of Bob', ResourceType: 'Agent' }, ['5h', '1h']],
  [{ Action: 'access.refused', ActorId: 'id of Ann', ResourceType: 'Task' }, ['4h']],
  [
    { Action: 'task.create', ActorId: 'id of Bob', From: '2030-01-01T03:00:00Z', To: '2030-01-01T04:00:00Z' },
    ['3h'],
  ],
  [{ Action: 'agent.create', ResourceType: 'Task' }, []],
]

describe('the list', () => {
  test.each(filters)('returns the matching records: %o leads to %j [AUD-5]', async (query, found) => {
    const { status, body } = await list(query)
    expect(status).toBe(200)
    expect(body.items.map((record) => record.resourceId)).toEqual(found)
    expect(body).toMatchObject({ totalCount: found.length, offset: 0, limit: 50 })
  })

  test('is paged over the matching records [AUD-5]', async () => {
    const { body } = await list({ ResourceType: 'Task', Offset: '1', Limit: '1' })
    expect(body).toMatchObject({ items: [{ resourceId: '3h' }], totalCount: 3, offset: 1, limit: 1 })
  })

  test("contains only records of the caller's organization [AUD-5]", async () => {
    const other = running.client.as(await addOrganization(running))
    expect((await list({}, other)).body).toMatchObject({ items: [], totalCount: 0 })
    const first = await list({ ActorId: 'id of Ann' }, running.client)
    expect(first.body.items.map((record) => record.resourceId)).toEqual(['4h', '2h', '0h'])
    const ids = (await list({})).body.items.map((record) => record.id)
    expect(first.body.items.filter((record) => ids.includes(record.id))).toEqual([])
  })

  test('is not audited itself [AUD-5]', async () => {
    await list({})
    expect((await list({})).body.totalCount).toBe(6)
  })

  const mistakes = [
    ['From', 'yesterday'],
    ['To', '2030-02-30T00:00:00Z'],
    ['Action', 'x'.repeat(101)],
    ['ActorId', 'x'.repeat(201)],
    ['ResourceType', 'x'.repeat(101)],
    ['Actor', 'Ann'],
  ] as const

  test.each(mistakes)('rejects the filter %s=%s [AUD-5]', async (name, value) => {
    const answer = await client.call<Problem>('GET', `/api/v1/AuditLog?${name}=${value}`)
    expect(answer.status).toBe(400)
    expect(answer.body.errors?.map((error) => error.path)).toEqual([name])
  })
})
