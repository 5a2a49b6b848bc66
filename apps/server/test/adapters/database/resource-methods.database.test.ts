import { v7 as uuid } from 'uuid'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Stores } from '#server/ports/database.js'
import { databaseKinds } from '../../support/start-service.js'
import { makeAgent, makeApiKey, makeConnection, makeTask } from '../../support/stores/records.js'
import { makeGate, newOrganization } from '../../support/stores/store-database.js'
import { useStoreDatabase } from '../../support/stores/use-store-database.js'

const firstPage = { offset: 0, limit: 50 }
const later = '2030-01-02T03:04:06.789Z'

describe.each(databaseKinds)('resource stores on the %s database [DB-1]', (kind) => {
  const kept = useStoreDatabase(kind)
  let anotherId: string

  beforeEach(async () => {
    anotherId = await newOrganization(kept.database)
  })

  /** Runs both at once. The second begins when the first reports that it holds its lock. */
  async function whileHeld(
    first: (stores: Stores, hold: () => Promise<void>) => Promise<void>,
    second: () => Promise<unknown>,
  ): Promise<readonly string[]> {
    const order: string[] = []
    const isHeld = makeGate()
    const holding = kept.database.transaction(async (inner) => {
      await first(inner, async () => {
        isHeld.open()
        // Long enough in database turns for the second to arrive and wait.
        for (let turn = 0; turn < 20; turn += 1) await inner.installation.find()
      })
      order.push('first')
    })
    await isHeld.opened
    await Promise.all([holding, second().then(() => order.push('second'))])
    return order
  }

  describe('the agent store', () => {
    test('finds the existing agents among many ids at once', async () => {
      const agents = [
        makeAgent(kept.organizationId),
        makeAgent(kept.organizationId),
        makeAgent(kept.organizationId),
      ]
      const foreign = makeAgent(anotherId)
      for (const agent of [...agents, foreign]) await kept.stores.agents.insert(agent)
      const [deleted, ...present] = agents
      if (deleted) await kept.stores.agents.remove({ ...deleted, version: 2 }, 1)
      const ids = [...agents, foreign].map(({ id }) => id)
      const found = await kept.stores.agents.findMany(kept.organizationId, [...ids, uuid()])
      expect([...found].sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual(present)
      expect(await kept.stores.agents.findMany(kept.organizationId, [])).toEqual([])
    })

    test('finds agents by external id, and frees the external id of a deleted agent [CODE-1]', async () => {
      const { agents } = kept.stores
      const agent = makeAgent(kept.organizationId, { externalId: unusualId })
      const find = () => agents.findByExternalIdLocked(kept.organizationId, unusualId)
      expect(await agents.insert(agent)).toBe('written')
      expect(await agents.insert(makeAgent(anotherId, { externalId: unusualId }))).toBe('written')
      expect(await agents.insert(makeAgent(kept.organizationId, { externalId: unusualId }))).toBe('duplicate')
      expect(await find()).toEqual(agent)
      await agents.remove({ ...agent, version: 2 }, 1)
      expect(await find()).toBeNull()
      expect(await agents.insert(makeAgent(kept.organizationId, { externalId: unusualId }))).toBe('written')
    })

    test('counts agents by connection, by name or as the default', async () => {
      const connection = makeConnection(kept.organizationId)
      await kept.stores.connections.insert(connection)
      const using = makeAgent(kept.organizationId, { connectionId: connection.id })
      const deleted = makeAgent(kept.organizationId, { connectionId: connection.id })
      for (const agent of [using, deleted, makeAgent(kept.organizationId), makeAgent(anotherId)])
        await kept.stores.agents.insert(agent)
      await kept.stores.agents.remove({ ...deleted, version: 2 }, 1)
      expect(await kept.stores.agents.countUsing(kept.organizationId, connection.id, false)).toBe(1)
      expect(await kept.stores.agents.countUsing(kept.organizationId, connection.id, true)).toBe(2)
      expect(await kept.stores.agents.countUsing(kept.organizationId, uuid(), false)).toBe(0)
      expect(await kept.stores.agents.countUsing(anotherId, connection.id, false)).toBe(0)
    })
  })

  test('stores the latest tools of an MCP server per agent, name and address', async () => {
    const agent = makeAgent(kept.organizationId)
    await kept.stores.agents.insert(agent)
    const listing = {
      agentId: agent.id,
      toolName: 'crm',
      address: 'https://crm.example/mcp',
      tools: [],
      listedAt: later,
    }
    const find = (fields: Partial<typeof listing> = {}) => {
      const { agentId: id, toolName, address } = { ...listing, ...fields }
      return kept.stores.mcpListings.find(id, toolName, address)
    }
    await kept.stores.mcpListings.save(listing)
    expect(await find()).toEqual(listing)
    for (const elsewhere of [{ agentId: uuid() }, { toolName: 'shop' }, { address: 'https://other.example' }])
      expect(await find(elsewhere)).toBeNull()
    const moved = { ...listing, address: 'https://other.example' }
    await kept.stores.mcpListings.save(moved)
    expect([await find(), await find(moved)]).toEqual([null, moved])
  })

  describe('the connection store', () => {
    test('does not remove a locked connection before the transaction ends', async () => {
      const connection = makeConnection(kept.organizationId)
      await kept.stores.connections.insert(connection)
      expect(await kept.stores.connections.holdExisting(kept.organizationId, connection.id)).toBe(true)
      expect(await kept.stores.connections.holdExisting(kept.organizationId, uuid())).toBe(false)
      expect(await kept.stores.connections.holdExisting(anotherId, connection.id)).toBe(false)
      const order = await whileHeld(
        async (inner, hold) => {
          await inner.connections.holdExisting(kept.organizationId, connection.id)
          await hold()
        },
        async () => expect(await kept.stores.connections.remove(connection, 1)).toBe('written'),
      )
      expect(order).toEqual(['first', 'second'])
    })

    test('counts the embedded connections that speak for a chat connection', async () => {
      const other = makeConnection(kept.organizationId)
      await kept.stores.connections.insert(other)
      expect(await kept.stores.connections.countVoiceConnections(kept.organizationId, other.id)).toBe(0)
      for (const name of ['one', 'two'])
        await kept.stores.connections.insert(
          makeConnection(kept.organizationId, { name, kind: 'embedded', chatConnectionId: other.id }),
        )
      expect(await kept.stores.connections.countVoiceConnections(kept.organizationId, other.id)).toBe(2)
      expect(await kept.stores.connections.countVoiceConnections(anotherId, other.id)).toBe(0)
    })

    test('keeps one default connection, also if several are set as default at the same time', async () => {
      const connections = Array.from({ length: 5 }, () => makeConnection(kept.organizationId))
      for (const connection of connections) await kept.stores.connections.insert(connection)
      const foreign = makeConnection(anotherId, { isDefault: true })
      await kept.stores.connections.insert(foreign)

      const losers = await Promise.all(
        connections.map((connection) =>
          kept.database.transaction(async (inner) => {
            await inner.connections.lockDefault(kept.organizationId)
            const cleared = await inner.connections.clearDefaultExcept(
              kept.organizationId,
              connection.id,
              later,
            )
            await inner.connections.update({ ...connection, isDefault: true, version: 2 }, 1)
            return cleared
          }),
        ),
      )
      const { items } = await kept.stores.connections.list(kept.organizationId, {}, firstPage)
      const winner = items.find(({ isDefault }) => isDefault)
      expect(items.filter(({ isDefault }) => isDefault)).toHaveLength(1)
      // Each of the other connections was the default once and lost the mark in a separate change.
      const others = items.filter(({ isDefault }) => !isDefault)
      expect(losers.flat().sort()).toEqual(others.map(({ id }) => id).sort())
      for (const other of others) expect(other).toMatchObject({ version: 3, updatedAt: later })
      expect(await kept.stores.connections.findForAgent(kept.organizationId, null)).toEqual(winner)
      expect(await kept.stores.connections.findForAgent(anotherId, null)).toEqual(foreign)
    })

    test('rejects a second default connection', async () => {
      await kept.stores.connections.insert(makeConnection(kept.organizationId, { isDefault: true }))
      const second = makeConnection(kept.organizationId, { isDefault: true })
      expect(await kept.stores.connections.insert(second)).toBe('duplicate')
      await kept.stores.connections.insert({ ...second, isDefault: false })
      expect(await kept.stores.connections.update({ ...second, version: 2 }, 1)).toBe('duplicate')
    })

    test('finds the connection of an agent by name within the organization', async () => {
      const connection = makeConnection(kept.organizationId)
      await kept.stores.connections.insert(connection)
      expect(await kept.stores.connections.findForAgent(kept.organizationId, connection.id)).toEqual(
        connection,
      )
      expect(await kept.stores.connections.findForAgent(kept.organizationId, uuid())).toBeNull()
      expect(await kept.stores.connections.findForAgent(kept.organizationId, null)).toBeNull()
      expect(await kept.stores.connections.findForAgent(anotherId, connection.id)).toBeNull()
    })

    test('distinguishes connections from the environment from others', async () => {
      await kept.stores.connections.insert(makeConnection(kept.organizationId))
      expect(await kept.stores.connections.lockFromEnvironment(kept.organizationId)).toEqual([])
      const connection = makeConnection(kept.organizationId, { isFromEnvironment: true })
      await kept.stores.connections.insert(connection)
      expect(await kept.stores.connections.lockFromEnvironment(kept.organizationId)).toEqual([connection])
      expect(await kept.stores.connections.lockFromEnvironment(anotherId)).toEqual([])
    })

    test('clears the connection of its agents when a connection is removed', async () => {
      const connection = makeConnection(kept.organizationId)
      await kept.stores.connections.insert(connection)
      const agent = makeAgent(kept.organizationId, { connectionId: connection.id })
      await kept.stores.agents.insert(agent)
      expect(await kept.stores.connections.remove(connection, 1)).toBe('written')
      expect(await kept.stores.agents.find(kept.organizationId, agent.id)).toEqual({
        ...agent,
        connectionId: null,
      })
    })
  })

  describe('the task store', () => {
    test('lists tasks by status, agent and time, separately and combined', async () => {
      const agent = makeAgent(kept.organizationId)
      await kept.stores.agents.insert(agent)
      const dueAt = '2030-05-05T05:05:05.005Z'
      const rows = [
        { title: 'mine', status: 'open', agentId: agent.id, dueAt },
        { title: 'late', status: 'open', agentId: null, dueAt: '2030-05-05T05:05:05.006Z' },
        { title: 'done', status: 'done', agentId: agent.id, dueAt: null },
      ] as const
      for (const row of rows) await kept.stores.tasks.insert(makeTask(kept.organizationId, row))
      await kept.stores.tasks.insert(makeTask(anotherId, { status: 'open', dueAt }))
      const expected = [
        [{ status: 'open' }, ['late', 'mine']],
        [{ agentId: agent.id }, ['done', 'mine']],
        [{ dueBefore: '2030-05-05T05:05:05.006Z' }, ['mine']],
        [{ dueBefore: dueAt }, []],
        [{ dueBefore: '2030-05-05T07:05:05.007+02:00' }, ['late', 'mine']],
        [
          { status: 'open', agentId: agent.id, search: 'MIN', dueBefore: later.replace('-01-', '-12-') },
          ['mine'],
        ],
        [{ status: 'failed' }, []],
        [{ status: undefined, agentId: undefined }, ['done', 'late', 'mine']],
      ] as const
      for (const [filter, titles] of expected) {
        const { items, totalCount } = await kept.stores.tasks.list(kept.organizationId, filter, firstPage)
        expect(items.map(({ title }) => title)).toEqual(titles)
        expect(totalCount).toBe(titles.length)
      }
    })

    test('rejects a duplicate external id within an organization', async () => {
      const task = makeTask(kept.organizationId, { externalId: unusualId })
      expect(await kept.stores.tasks.insert(task)).toBe('written')
      expect(await kept.stores.tasks.insert(makeTask(kept.organizationId, { externalId: unusualId }))).toBe(
        'duplicate',
      )
      expect(
        await kept.stores.tasks.insertUnlessTaken(makeTask(kept.organizationId, { externalId: unusualId })),
      ).toBe(false)
      expect(await kept.stores.tasks.insertUnlessTaken(makeTask(anotherId, { externalId: unusualId }))).toBe(
        true,
      )
      for (let count = 0; count < 2; count += 1)
        expect(
          await kept.stores.tasks.insertUnlessTaken(makeTask(kept.organizationId, { externalId: null })),
        ).toBe(true)
      const find = (organization: string, externalId: string) =>
        kept.stores.tasks.findByExternalIdLocked(organization, externalId)
      expect(await find(kept.organizationId, unusualId)).toEqual(task)
      expect(await find(kept.organizationId, unusualId.toUpperCase())).toBeNull()
      const other = makeTask(kept.organizationId)
      await kept.stores.tasks.insert(other)
      expect(await kept.stores.tasks.update({ ...other, externalId: unusualId, version: 2 }, 1)).toBe(
        'duplicate',
      )
    })

    test('creates one task if several with the same external id are inserted at the same time', async () => {
      const outcomes = await Promise.all(
        Array.from({ length: 6 }, () =>
          kept.database.transaction(async (inner) => {
            const isNew = await inner.tasks.insertUnlessTaken(
              makeTask(kept.organizationId, { externalId: 'one' }),
            )
            const stored = await inner.tasks.findByExternalIdLocked(kept.organizationId, 'one')
            return { isNew, id: stored?.id }
          }),
        ),
      )
      expect(outcomes.filter(({ isNew }) => isNew)).toHaveLength(1)
      expect(new Set(outcomes.map(({ id }) => id)).size).toBe(1)
    })
  })

  describe('the API key store', () => {
    test('finds a key by its prefix in any organization and records its use', async () => {
      const key = makeApiKey(kept.organizationId)
      await kept.stores.apiKeys.insert(key)
      await kept.stores.apiKeys.insert(makeApiKey(anotherId))
      expect(await kept.stores.apiKeys.findByPrefix(key.prefix)).toStrictEqual(key)
      expect(await kept.stores.apiKeys.findByPrefix('nobody')).toBeNull()
      await kept.stores.apiKeys.touch(key.id, later)
      expect(await kept.stores.apiKeys.find(kept.organizationId, key.id)).toEqual({
        ...key,
        lastUsedAt: later,
      })
      expect(await kept.stores.apiKeys.insert(makeApiKey(anotherId, { prefix: key.prefix }))).toBe(
        'duplicate',
      )
    })

    test('counts unexpired keys that can manage their organization [ACC-7]', async () => {
      const { apiKeys } = kept.stores
      const managing = ['agent:read', 'org:manage'] as const
      const count = () => apiKeys.countManaging(kept.organizationId, later)
      const before = await count()
      const keys = [later, '2039-01-01T00:00:00.000Z', null].map((expiresAt) =>
        makeApiKey(kept.organizationId, { scopes: [...managing], expiresAt }),
      )
      for (const key of [...keys, makeApiKey(kept.organizationId), makeApiKey(anotherId)])
        expect(await apiKeys.insert(key)).toBe('written')
      expect(await count()).toBe(before + 2)
      for (const key of keys.slice(2)) await apiKeys.remove({ ...key, version: 2 }, 1)
      expect(await count()).toBe(before + 1)
    })

    test('finds many keys at once inside a transaction', async () => {
      const key = makeApiKey(kept.organizationId)
      await kept.stores.apiKeys.insert(key)
      const found = await Promise.all(
        Array.from({ length: 8 }, () =>
          kept.database.transaction(async (inner) => (await inner.apiKeys.findByPrefix(key.prefix))?.id),
        ),
      )
      expect(found).toEqual(Array(8).fill(key.id))
    })
  })
})

const unusualId = 'Ünïcode/%25?& id'
