import { v7 as uuid } from 'uuid'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database, Stores } from '#server/ports/database.js'
import type { ResourceRecord, ResourceStore } from '#server/ports/resource-store.js'
import { databaseKinds } from '../../support/start-service.js'
import {
  makeAgent,
  makeAgentTest,
  makeApiKey,
  makeConnection,
  makeConversation,
  makeTask,
  makeTestRun,
} from '../../support/stores/records.js'
import {
  newOrganization,
  type StoreDatabase,
  sharedStoreDatabase,
} from '../../support/stores/store-database.js'

interface ResourceCase {
  readonly name: string
  readonly storeOf: (stores: Stores) => ResourceStore<ResourceRecord, object>
  /** A record that is not stored yet. The records that it refers to are stored. */
  readonly make: (database: Database, organizationId: string) => Promise<ResourceRecord>
  /** Fields that an update may change besides the version. */
  readonly change: object
}

const cases: readonly ResourceCase[] = [
  {
    name: 'agents',
    storeOf: (stores) => stores.agents,
    async make({ stores }, organizationId) {
      const connection = makeConnection(organizationId)
      await stores.connections.insert(connection)
      return makeAgent(organizationId, { connectionId: connection.id })
    },
    change: { name: 'Another', tools: [], subAgentIds: [], connectionId: null, voice: null },
  },
  {
    name: 'connections',
    storeOf: (stores) => stores.connections,
    make: async (_, organizationId) => makeConnection(organizationId),
    change: { name: 'Another', kind: 'embedded', baseUrl: null, sealedApiKey: null, realtimeEnabled: false },
  },
  {
    name: 'tasks',
    storeOf: (stores) => stores.tasks,
    async make({ stores }, organizationId) {
      const agent = makeAgent(organizationId)
      await stores.agents.insert(agent)
      return makeTask(organizationId, { agentId: agent.id })
    },
    change: { title: 'Another', status: 'done', dueAt: null, externalId: null, agentId: null },
  },
  {
    name: 'tests of agents',
    storeOf: (stores) => stores.agentTests,
    async make({ stores }, organizationId) {
      const agent = makeAgent(organizationId)
      await stores.agents.insert(agent)
      return makeAgentTest(organizationId, agent.id)
    },
    change: { name: 'Another', definition: 'tests: []', tests: [] },
  },
  {
    name: 'test runs',
    storeOf: (stores) => stores.agentTestRuns,
    async make({ stores }, organizationId) {
      const agent = makeAgent(organizationId)
      await stores.agents.insert(agent)
      return makeTestRun(organizationId, agent.id)
    },
    change: { state: 'failed', failure: 'It was lost.', endedAt: '2030-01-02T03:04:06.000Z' },
  },
  {
    name: 'API keys',
    storeOf: (stores) => stores.apiKeys,
    make: async (_, organizationId) => makeApiKey(organizationId),
    change: { name: 'Another', scopes: [], expiresAt: null, lastUsedAt: null },
  },
  {
    name: 'conversations',
    storeOf: (stores) => stores.conversations,
    async make({ stores }, organizationId) {
      const agent = makeAgent(organizationId)
      await stores.agents.insert(agent)
      return makeConversation(organizationId, agent.id)
    },
    change: { title: null, messageCount: 3, lastMessageAt: '2030-01-02T03:04:06.000Z' },
  },
]

const firstPage = { offset: 0, limit: 50 }

describe.each(databaseKinds)('resource stores on the %s database [DB-1]', (kind) => {
  let database: StoreDatabase

  beforeAll(async () => {
    database = await sharedStoreDatabase(kind)
  })

  describe.each(cases)('the store of $name', ({ storeOf, make, change }) => {
    let store: ResourceStore<ResourceRecord, object>
    let organizationId: string
    let record: ResourceRecord

    beforeEach(async () => {
      store = storeOf(database.stores)
      organizationId = await newOrganization(database)
      record = await make(database, organizationId)
      expect(await store.insert(record)).toBe('written')
    })

    const next = (version = record.version + 1) => ({
      ...record,
      ...change,
      version,
      updatedAt: '2030-01-02T03:04:06.789Z',
    })

    test('finds an inserted record with every field unchanged', async () => {
      expect(await store.find(organizationId, record.id)).toStrictEqual(record)
      expect(await store.findLocked(organizationId, record.id)).toStrictEqual(record)
      expect(await store.list(organizationId, {}, firstPage)).toStrictEqual({
        items: [record],
        totalCount: 1,
      })
    })

    test('keeps the order of keys in JSON columns', async () => {
      expect(JSON.stringify(await store.find(organizationId, record.id))).toBe(
        JSON.stringify(await store.findLocked(organizationId, record.id)),
      )
      const found: Readonly<Record<string, unknown>> = { ...(await store.find(organizationId, record.id)) }
      for (const [field, value] of Object.entries(record))
        expect(JSON.stringify(found[field])).toBe(JSON.stringify(value))
    })

    test('finds no record that is absent or belongs to another organization', async () => {
      const another = await newOrganization(database)
      for (const [organization, id] of [
        [organizationId, uuid()],
        [another, record.id],
      ] as const) {
        expect(await store.find(organization, id)).toBeNull()
        expect(await store.findLocked(organization, id)).toBeNull()
      }
      expect(await store.list(another, {}, firstPage)).toEqual({ items: [], totalCount: 0 })
    })

    test('changes and removes no record of another organization', async () => {
      const foreign = { ...next(), organizationId: await newOrganization(database) }
      expect(await store.update(foreign, 1)).toBe('stale')
      expect(await store.remove(foreign, 1)).toBe('stale')
      expect(await store.find(organizationId, record.id)).toEqual(record)
    })

    test('rejects a second record with the same id', async () => {
      expect(await store.insert(record)).toBe('duplicate')
      expect((await store.list(organizationId, {}, firstPage)).totalCount).toBe(1)
    })

    test('updates a record only if its version matches', async () => {
      expect(await store.update(next(), 1)).toBe('written')
      expect(await store.find(organizationId, record.id)).toStrictEqual(next())
      for (const version of [0, 1, 3]) expect(await store.update(next(9), version)).toBe('stale')
      expect(await store.update({ ...next(), id: uuid() }, 1)).toBe('stale')
      expect(await store.find(organizationId, record.id)).toEqual(next())
    })

    test('removes a record once, and only if its version matches', async () => {
      expect(await store.remove(next(), 2)).toBe('stale')
      expect(await store.find(organizationId, record.id)).toEqual(record)
      expect(await store.remove(next(), 1)).toBe('written')
      expect(await store.find(organizationId, record.id)).toBeNull()
      expect(await store.findLocked(organizationId, record.id)).toBeNull()
      expect(await store.list(organizationId, {}, firstPage)).toEqual({ items: [], totalCount: 0 })
      for (const version of [1, 2]) {
        expect(await store.remove(next(), version)).toBe('stale')
        expect(await store.update(next(), version)).toBe('stale')
      }
    })

    test('lists the newest records first, page by page, and counts all of them', async () => {
      const ids = [record.id]
      for (let count = 0; count < 4; count += 1) {
        const another = await make(database, organizationId)
        await store.insert(another)
        ids.unshift(another.id)
      }
      const page = async (offset: number, limit: number) => {
        const { items, totalCount } = await store.list(organizationId, {}, { offset, limit })
        expect(totalCount).toBe(5)
        return items.map(({ id }) => id)
      }
      expect(await page(0, 50)).toEqual(ids)
      expect(await page(0, 2)).toEqual(ids.slice(0, 2))
      expect(await page(3, 50)).toEqual(ids.slice(3))
      expect(await page(5, 2)).toEqual([])
    })

    test('loses no update if two arrive at the same time', async () => {
      const changes = Array.from({ length: 8 }, () =>
        database.transaction(async (stores) => {
          const current = await storeOf(stores).findLocked(organizationId, record.id)
          if (current === null) throw new Error('The record is gone.')
          const changed = { ...current, version: current.version + 1 }
          expect(await storeOf(stores).update(changed, current.version)).toBe('written')
        }),
      )
      await Promise.all(changes)
      expect((await store.find(organizationId, record.id))?.version).toBe(9)
    })

    test('lets one of several updates win that expect the same version', async () => {
      const outcomes = await Promise.all(Array.from({ length: 6 }, () => store.update(next(), 1)))
      expect(outcomes.sort()).toEqual([...Array(5).fill('stale'), 'written'])
      const removals = await Promise.all(Array.from({ length: 6 }, () => store.remove(next(3), 2)))
      expect(removals.sort()).toEqual([...Array(5).fill('stale'), 'written'])
    })
  })

  test('erases the secrets and texts of a record that is deleted but kept', async () => {
    const organizationId = await newOrganization(database)
    const agent = makeAgent(organizationId)
    const conversation = makeConversation(organizationId, agent.id)
    const apiKey = makeApiKey(organizationId)
    await database.stores.agents.insert(agent)
    await database.stores.conversations.insert(conversation)
    await database.stores.apiKeys.insert(apiKey)
    const deleted = { version: 2, updatedAt: '2030-01-02T03:04:06.789Z' }
    await database.stores.agents.remove({ ...agent, ...deleted }, 1)
    await database.stores.conversations.remove({ ...conversation, ...deleted }, 1)
    await database.stores.apiKeys.remove({ ...apiKey, ...deleted }, 1)

    const row = async (table: string, id: string) =>
      (await database.pool.query(`select * from ${table} where id = $1`, [id])).rows[0]
    const mark = { version: 2, deleted_at: new Date(deleted.updatedAt) }
    expect(await row('agent', agent.id)).toMatchObject({ ...mark, tool_secrets: {} })
    expect(await row('conversation', conversation.id)).toMatchObject({ ...mark, title: null })
    expect(await database.stores.apiKeys.findByPrefix(apiKey.prefix)).toMatchObject({
      version: 2,
      deletedAt: deleted.updatedAt,
    })
  })
})
