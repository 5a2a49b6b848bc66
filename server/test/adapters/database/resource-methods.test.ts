import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Stores } from '#server/ports/database.js'
import { databaseKinds } from '../../support/start-service.js'
import {
  makeAgent,
  makeApiKey,
  makeConnection,
  makeConversation,
  makeTask,
} from '../../support/stores/records.js'
import {
  makeGate,
  newOrganization,
  openStoreDatabase,
  type StoreDatabase,
} from '../../support/stores/store-database.js'

const firstPage = { offset: 0, limit: 50 }
const later = '2030-01-02T03:04:06.789Z'

describe.each(databaseKinds)('[DB-1] on the %s database', (kind) => {
  let database: StoreDatabase
  let stores: Stores
  let organizationId: string
  let anotherId: string

  beforeAll(async () => {
    database = await openStoreDatabase(kind)
    stores = database.stores
  })

  beforeEach(async () => {
    organizationId = await newOrganization(database)
    anotherId = await newOrganization(database)
  })

  afterAll(() => database.close())

  /** Runs both at once; the second begins when the first says that it holds what it wanted. */
  async function whileHeld(
    first: (stores: Stores, hold: () => Promise<void>) => Promise<void>,
    second: () => Promise<unknown>,
  ): Promise<readonly string[]> {
    const order: string[] = []
    const isHeld = makeGate()
    const holding = database.transaction(async (inner) => {
      await first(inner, async () => {
        isHeld.open()
        // Long enough in turns of the database for the second one to arrive and wait.
        for (let turn = 0; turn < 20; turn += 1) await inner.installation.find()
      })
      order.push('first')
    })
    await isHeld.opened
    await Promise.all([holding, second().then(() => order.push('second'))])
    return order
  }

  describe('searching', () => {
    const names = [
      '100% sure',
      '100 sure',
      'a_b',
      'aXb',
      'back\\slash',
      'backXslash',
      '💡 Idea',
      'Äpfel',
      `it's "so"`,
    ]
    const searches = [
      ['0%', ['100% sure']],
      ['a_b', ['a_b']],
      ['\\', ['back\\slash']],
      ['SURE', ['100 sure', '100% sure']],
      ['💡', ['💡 Idea']],
      [`'s "`, [`it's "so"`]],
      ['%', ['100% sure']],
      ['Äpf', ['Äpfel']],
      ['', names],
      ['nothing like it', []],
    ] as const

    const searchable = [
      {
        where: 'names of agents',
        insert: (name: string) =>
          stores.agents.insert(makeAgent(organizationId, { name, description: null })),
        find: async (search: string) =>
          (await stores.agents.list(organizationId, { search }, firstPage)).items.map(({ name }) => name),
      },
      {
        where: 'descriptions of agents',
        insert: (description: string) => stores.agents.insert(makeAgent(organizationId, { description })),
        find: async (search: string) =>
          (await stores.agents.list(organizationId, { search }, firstPage)).items.map(
            (row) => row.description,
          ),
      },
      {
        where: 'names of connections',
        insert: (name: string) => stores.connections.insert(makeConnection(organizationId, { name })),
        find: async (search: string) =>
          (await stores.connections.list(organizationId, { search }, firstPage)).items.map(
            ({ name }) => name,
          ),
      },
      {
        where: 'titles of tasks',
        insert: (title: string) =>
          stores.tasks.insert(makeTask(organizationId, { title, description: null })),
        find: async (search: string) =>
          (await stores.tasks.list(organizationId, { search }, firstPage)).items.map(({ title }) => title),
      },
      {
        where: 'descriptions of tasks',
        insert: (description: string) => stores.tasks.insert(makeTask(organizationId, { description })),
        find: async (search: string) =>
          (await stores.tasks.list(organizationId, { search }, firstPage)).items.map(
            (row) => row.description,
          ),
      },
      {
        where: 'titles of conversations',
        async insert(title: string) {
          const agent = makeAgent(organizationId)
          await stores.agents.insert(agent)
          return stores.conversations.insert(makeConversation(organizationId, agent.id, { title }))
        },
        find: async (search: string) =>
          (await stores.conversations.list(organizationId, { search }, firstPage)).items.map(
            ({ title }) => title,
          ),
      },
    ]

    test.each(searchable)('in $where takes the text as it stands', async ({ insert, find }) => {
      for (const name of names) await insert(name)
      for (const [search, found] of searches) expect((await find(search)).sort()).toEqual([...found].sort())
    })
  })

  describe('agents', () => {
    test('are found by many ids at once, those that exist', async () => {
      const agents = [makeAgent(organizationId), makeAgent(organizationId), makeAgent(organizationId)]
      const foreign = makeAgent(anotherId)
      for (const agent of [...agents, foreign]) await stores.agents.insert(agent)
      const [deleted, ...present] = agents
      if (deleted) await stores.agents.remove({ ...deleted, version: 2 }, 1)
      const ids = [...agents, foreign].map(({ id }) => id)
      const found = await stores.agents.findMany(organizationId, [...ids, uuid()])
      expect([...found].sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual(present)
      expect(await stores.agents.findMany(organizationId, [])).toEqual([])
    })

    test('are counted by the connection they use, by name or as the default', async () => {
      const connection = makeConnection(organizationId)
      await stores.connections.insert(connection)
      const using = makeAgent(organizationId, { connectionId: connection.id })
      const deleted = makeAgent(organizationId, { connectionId: connection.id })
      for (const agent of [using, deleted, makeAgent(organizationId), makeAgent(anotherId)])
        await stores.agents.insert(agent)
      await stores.agents.remove({ ...deleted, version: 2 }, 1)
      expect(await stores.agents.countUsing(organizationId, connection.id, false)).toBe(1)
      expect(await stores.agents.countUsing(organizationId, connection.id, true)).toBe(2)
      expect(await stores.agents.countUsing(organizationId, uuid(), false)).toBe(0)
      expect(await stores.agents.countUsing(anotherId, connection.id, false)).toBe(0)
    })
  })

  describe('connections', () => {
    test('that are held cannot be removed before the transaction ends', async () => {
      const connection = makeConnection(organizationId)
      await stores.connections.insert(connection)
      expect(await stores.connections.holdExisting(organizationId, connection.id)).toBe(true)
      expect(await stores.connections.holdExisting(organizationId, uuid())).toBe(false)
      expect(await stores.connections.holdExisting(anotherId, connection.id)).toBe(false)
      const order = await whileHeld(
        async (inner, hold) => {
          await inner.connections.holdExisting(organizationId, connection.id)
          await hold()
        },
        async () => expect(await stores.connections.remove(connection, 1)).toBe('written'),
      )
      expect(order).toEqual(['first', 'second'])
    })

    test('are counted by whom they speak for', async () => {
      const other = makeConnection(organizationId)
      await stores.connections.insert(other)
      expect(await stores.connections.countSpeakingFor(organizationId, other.id)).toBe(0)
      for (const name of ['one', 'two'])
        await stores.connections.insert(
          makeConnection(organizationId, { name, kind: 'embedded', chatConnectionId: other.id }),
        )
      expect(await stores.connections.countSpeakingFor(organizationId, other.id)).toBe(2)
      expect(await stores.connections.countSpeakingFor(anotherId, other.id)).toBe(0)
    })

    test('have one default, which moves, also when several want it at once', async () => {
      const connections = Array.from({ length: 5 }, () => makeConnection(organizationId))
      for (const connection of connections) await stores.connections.insert(connection)
      const foreign = makeConnection(anotherId, { isDefault: true })
      await stores.connections.insert(foreign)

      const losers = await Promise.all(
        connections.map((connection) =>
          database.transaction(async (inner) => {
            await inner.connections.lockDefault(organizationId)
            const cleared = await inner.connections.clearDefaultExcept(organizationId, connection.id, later)
            await inner.connections.update({ ...connection, isDefault: true, version: 2 }, 1)
            return cleared
          }),
        ),
      )
      const { items } = await stores.connections.list(organizationId, {}, firstPage)
      const winner = items.find(({ isDefault }) => isDefault)
      expect(items.filter(({ isDefault }) => isDefault)).toHaveLength(1)
      // Each of the others had the mark once and lost it, as a change of its own.
      const others = items.filter(({ isDefault }) => !isDefault)
      expect(losers.flat().sort()).toEqual(others.map(({ id }) => id).sort())
      for (const other of others) expect(other).toMatchObject({ version: 3, updatedAt: later })
      expect(await stores.connections.findForAgent(organizationId, null)).toEqual(winner)
      expect(await stores.connections.findForAgent(anotherId, null)).toEqual(foreign)
    })

    test('are never two defaults, whoever forgets to ask', async () => {
      await stores.connections.insert(makeConnection(organizationId, { isDefault: true }))
      const second = makeConnection(organizationId, { isDefault: true })
      expect(await stores.connections.insert(second)).toBe('duplicate')
      await stores.connections.insert({ ...second, isDefault: false })
      expect(await stores.connections.update({ ...second, version: 2 }, 1)).toBe('duplicate')
    })

    test('are found for an agent by name, in its own organization', async () => {
      const connection = makeConnection(organizationId)
      await stores.connections.insert(connection)
      expect(await stores.connections.findForAgent(organizationId, connection.id)).toEqual(connection)
      expect(await stores.connections.findForAgent(organizationId, uuid())).toBeNull()
      expect(await stores.connections.findForAgent(organizationId, null)).toBeNull()
      expect(await stores.connections.findForAgent(anotherId, connection.id)).toBeNull()
    })

    test('of the environment are told from others', async () => {
      await stores.connections.insert(makeConnection(organizationId))
      expect(await stores.connections.findFromEnvironment(organizationId)).toBeNull()
      const connection = makeConnection(organizationId, { isFromEnvironment: true })
      await stores.connections.insert(connection)
      expect(await stores.connections.findFromEnvironment(organizationId)).toEqual(connection)
      expect(await stores.connections.findFromEnvironment(anotherId)).toBeNull()
    })

    test('leave their agents behind without one when they are removed', async () => {
      const connection = makeConnection(organizationId)
      await stores.connections.insert(connection)
      const agent = makeAgent(organizationId, { connectionId: connection.id })
      await stores.agents.insert(agent)
      expect(await stores.connections.remove(connection, 1)).toBe('written')
      expect(await stores.agents.find(organizationId, agent.id)).toEqual({ ...agent, connectionId: null })
    })
  })

  describe('tasks', () => {
    test('are listed by status, agent and moment, alone and together', async () => {
      const agent = makeAgent(organizationId)
      await stores.agents.insert(agent)
      const dueAt = '2030-05-05T05:05:05.005Z'
      const rows = [
        { title: 'mine', status: 'open', agentId: agent.id, dueAt },
        { title: 'late', status: 'open', agentId: null, dueAt: '2030-05-05T05:05:05.006Z' },
        { title: 'done', status: 'done', agentId: agent.id, dueAt: null },
      ] as const
      for (const row of rows) await stores.tasks.insert(makeTask(organizationId, row))
      await stores.tasks.insert(makeTask(anotherId, { status: 'open', dueAt }))
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
        const { items, totalCount } = await stores.tasks.list(organizationId, filter, firstPage)
        expect(items.map(({ title }) => title)).toEqual(titles)
        expect(totalCount).toBe(titles.length)
      }
    })

    test('have external ids that are unique in their organization', async () => {
      const task = makeTask(organizationId, { externalId: unusualId })
      expect(await stores.tasks.insert(task)).toBe('written')
      expect(await stores.tasks.insert(makeTask(organizationId, { externalId: unusualId }))).toBe('duplicate')
      expect(await stores.tasks.insertUnlessTaken(makeTask(organizationId, { externalId: unusualId }))).toBe(
        false,
      )
      expect(await stores.tasks.insertUnlessTaken(makeTask(anotherId, { externalId: unusualId }))).toBe(true)
      for (let count = 0; count < 2; count += 1)
        expect(await stores.tasks.insertUnlessTaken(makeTask(organizationId, { externalId: null }))).toBe(
          true,
        )
      const find = (organization: string, externalId: string) =>
        stores.tasks.findByExternalIdLocked(organization, externalId)
      expect(await find(organizationId, unusualId)).toEqual(task)
      expect(await find(organizationId, unusualId.toUpperCase())).toBeNull()
      const other = makeTask(organizationId)
      await stores.tasks.insert(other)
      expect(await stores.tasks.update({ ...other, externalId: unusualId, version: 2 }, 1)).toBe('duplicate')
    })

    test('under one external id wait for each other, and one is made', async () => {
      const outcomes = await Promise.all(
        Array.from({ length: 6 }, () =>
          database.transaction(async (inner) => {
            const isNew = await inner.tasks.insertUnlessTaken(makeTask(organizationId, { externalId: 'one' }))
            const stored = await inner.tasks.findByExternalIdLocked(organizationId, 'one')
            return { isNew, id: stored?.id }
          }),
        ),
      )
      expect(outcomes.filter(({ isNew }) => isNew)).toHaveLength(1)
      expect(new Set(outcomes.map(({ id }) => id)).size).toBe(1)
    })
  })

  describe('API keys', () => {
    test('are found by their prefix in whichever organization, and note their use', async () => {
      const key = makeApiKey(organizationId)
      await stores.apiKeys.insert(key)
      await stores.apiKeys.insert(makeApiKey(anotherId))
      expect(await stores.apiKeys.findByPrefix(key.prefix)).toStrictEqual(key)
      expect(await stores.apiKeys.findByPrefix('nobody')).toBeNull()
      await stores.apiKeys.touch(key.id, later)
      expect(await stores.apiKeys.find(organizationId, key.id)).toEqual({ ...key, lastUsedAt: later })
      expect(await stores.apiKeys.insert(makeApiKey(anotherId, { prefix: key.prefix }))).toBe('duplicate')
    })

    test('are found inside a transaction as well, many at once', async () => {
      const key = makeApiKey(organizationId)
      await stores.apiKeys.insert(key)
      const found = await Promise.all(
        Array.from({ length: 8 }, () =>
          database.transaction(async (inner) => (await inner.apiKeys.findByPrefix(key.prefix))?.id),
        ),
      )
      expect(found).toEqual(Array(8).fill(key.id))
    })
  })
})

const unusualId = 'Ünïcode/%25?& id'
