import { describe, expect, test } from 'vitest'
import { databaseKinds } from '../../support/start-service.js'
import { makeAgent, makeConnection, makeConversation, makeTask } from '../../support/stores/records.js'
import { useStoreDatabase } from '../../support/stores/use-store-database.js'

const firstPage = { offset: 0, limit: 50 }

describe.each(databaseKinds)('resource search on the %s database [DB-1]', (kind) => {
  const kept = useStoreDatabase(kind)

  describe('the search filter', () => {
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
          kept.stores.agents.insert(makeAgent(kept.organizationId, { name, description: null })),
        find: async (search: string) =>
          (await kept.stores.agents.list(kept.organizationId, { search }, firstPage)).items.map(
            ({ name }) => name,
          ),
      },
      {
        where: 'descriptions of agents',
        insert: (description: string) =>
          kept.stores.agents.insert(makeAgent(kept.organizationId, { description })),
        find: async (search: string) =>
          (await kept.stores.agents.list(kept.organizationId, { search }, firstPage)).items.map(
            (row) => row.description,
          ),
      },
      {
        where: 'names of connections',
        insert: (name: string) =>
          kept.stores.connections.insert(makeConnection(kept.organizationId, { name })),
        find: async (search: string) =>
          (await kept.stores.connections.list(kept.organizationId, { search }, firstPage)).items.map(
            ({ name }) => name,
          ),
      },
      {
        where: 'titles of tasks',
        insert: (title: string) =>
          kept.stores.tasks.insert(makeTask(kept.organizationId, { title, description: null })),
        find: async (search: string) =>
          (await kept.stores.tasks.list(kept.organizationId, { search }, firstPage)).items.map(
            ({ title }) => title,
          ),
      },
      {
        where: 'descriptions of tasks',
        insert: (description: string) =>
          kept.stores.tasks.insert(makeTask(kept.organizationId, { description })),
        find: async (search: string) =>
          (await kept.stores.tasks.list(kept.organizationId, { search }, firstPage)).items.map(
            (row) => row.description,
          ),
      },
      {
        where: 'titles of conversations',
        async insert(title: string) {
          const agent = makeAgent(kept.organizationId)
          await kept.stores.agents.insert(agent)
          return kept.stores.conversations.insert(makeConversation(kept.organizationId, agent.id, { title }))
        },
        find: async (search: string) =>
          (await kept.stores.conversations.list(kept.organizationId, { search }, firstPage)).items.map(
            ({ title }) => title,
          ),
      },
    ]

    test.each(searchable)('in $where matches the text literally', async ({ insert, find }) => {
      for (const name of names) await insert(name)
      for (const [search, found] of searches) expect((await find(search)).sort()).toEqual([...found].sort())
    })
  })
})
