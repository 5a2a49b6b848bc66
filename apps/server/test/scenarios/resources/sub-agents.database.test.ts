import type { Agent, Problem } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ApiAnswer } from '../../support/api-client.js'
import { addOrganization } from '../../support/organizations.js'
import { countLockWaits, withPostgresClient } from '../../support/services/postgres-connection.js'
import {
  databaseKinds,
  migratedDatabase,
  type RunningService,
  startService,
} from '../../support/start-service.js'

const path = '/api/v1/Agent'
const at = (agent: { readonly id: string }) => `${path}/${agent.id}`
const patiently = { timeout: 60_000, interval: 20 }

/** The operations of these tests on one service. */
function agentsOf(running: () => RunningService) {
  async function create(name: string, ...subAgents: readonly Agent[]): Promise<Agent> {
    const answer = await tryCreate(name, ...subAgents)
    expect(answer.status, answer.text).toBe(201)
    return answer.body as Agent
  }

  const tryCreate = (name: string, ...subAgents: readonly Agent[]) =>
    running().client.call<Agent | Problem>('POST', path, {
      body: { name, subAgentIds: subAgents.map(({ id }) => id) },
    })

  const link = (agent: Agent, ...subAgents: readonly Agent[]) =>
    running().client.call<Agent | Problem>('PATCH', at(agent), {
      body: { subAgentIds: subAgents.map(({ id }) => id) },
    })

  /** Creates a chain in which `name1` asks `name2` and so on. Returns the agents from first to last. */
  async function createChain(name: string, length: number): Promise<Agent[]> {
    const chain: Agent[] = []
    for (let place = length; place > 0; place -= 1)
      chain.unshift(await create(`${name}${place}`, ...chain.slice(0, 1)))
    return chain
  }

  return { create, tryCreate, link, createChain }
}

function mistakesIn({ status, body, text }: ApiAnswer<Agent | Problem>) {
  expect(status, text).toBe(400)
  expect(body).toMatchObject({ errorCode: 'InvalidRequest' })
  return (body as Problem).errors
}

const tooLong = { message: 'creates a chain of more than 3 sub-agents' }

describe.each(databaseKinds)('sub-agents on the %s database', (database) => {
  let running: RunningService
  const { create, tryCreate, link, createChain } = agentsOf(() => running)

  beforeAll(async () => {
    running = await startService({ database })
  })

  afterAll(() => running.close())

  describe('a cycle', () => {
    test('is rejected with its path if it has two agents', async () => {
      const one = await create('One')
      const other = await create('Other', one)
      expect(mistakesIn(await link(one, other))).toEqual([
        { path: 'subAgentIds[0]', message: 'creates a cycle: One → Other → One' },
      ])
      const read = await running.client.call<Agent>('GET', at(one))
      expect(read.body.subAgentIds).toEqual([])
    })

    test('is rejected at the link that closes it if it has three agents', async () => {
      const [first, , last] = (await createChain('Ring', 3)) as [Agent, Agent, Agent]
      const innocent = await create('Innocent')
      expect(mistakesIn(await link(last, innocent, first))).toEqual([
        { path: 'subAgentIds[1]', message: 'creates a cycle: Ring3 → Ring1 → Ring2 → Ring3' },
      ])
    })

    test('is reported with the new name that the request gives the agent', async () => {
      const old = await create('Old name')
      const asker = await create('Asker', old)
      const body = { name: 'New name', subAgentIds: [asker.id] }
      const answer = await running.client.call<Problem>('PUT', at(old), { body })
      expect(mistakesIn(answer)).toMatchObject([{ message: 'creates a cycle: New name → Asker → New name' }])
    })

    test('is not found if two paths lead to the same agent', async () => {
      const shared = await create('Shared')
      const left = await create('Left', shared)
      const right = await create('Right', shared)
      await create('Top', left, right, shared)
    })

    test('cannot go through a deleted agent', async () => {
      const one = await create('One that stays')
      const gone = await create('Gone', one)
      const asker = await create('Asker of the gone', gone)
      expect((await running.client.call('DELETE', at(gone))).status).toBe(204)
      expect((await link(one, asker)).status).toBe(200)
    })

    test('is not found through a removed link', async () => {
      const one = await create('Was below')
      const other = await create('Was above', one)
      expect((await link(other)).status).toBe(200)
      expect((await link(one, other)).status).toBe(200)
    })
  })

  describe('a chain', () => {
    test('is accepted with three agents below the top one and rejected with four', async () => {
      const [top] = (await createChain('Link', 4)) as [Agent]
      const answer = await tryCreate('Above all', top)
      expect(mistakesIn(answer)).toEqual([{ path: 'subAgentIds[0]', ...tooLong }])
    })

    test('is rejected if it becomes too long at its end', async () => {
      const [, , , last] = (await createChain('End', 4)) as [Agent, Agent, Agent, Agent]
      expect(mistakesIn(await link(last, await create('Below all')))).toMatchObject([tooLong])
    })

    test('is rejected if two short chains would become a long one', async () => {
      const [, middle] = (await createChain('Upper', 2)) as [Agent, Agent]
      const [fits] = (await createChain('Fits', 2)) as [Agent]
      const [tooDeep] = (await createChain('Deep', 3)) as [Agent]
      expect(mistakesIn(await link(middle, fits, tooDeep))).toEqual([{ path: 'subAgentIds[1]', ...tooLong }])
      expect((await link(middle, fits)).status).toBe(200)
    })

    test('does not count a deleted agent at its end', async () => {
      const [top, , , last] = (await createChain('Shortened', 4)) as [Agent, Agent, Agent, Agent]
      expect((await running.client.call('DELETE', at(last))).status).toBe(204)
      await create('Above the shortened', top)
    })
  })

  test('an existing cycle may be saved unchanged', async () => {
    const [first, second] = await Promise.all([create('Former one'), create('Former other')])
    const { agents } = running.service.database.stores
    for (const [agent, named] of [
      [first, second],
      [second, first],
    ] as const) {
      const record = await agents.find(running.organizationId, agent.id)
      if (record === null) throw new Error('The agent was not found.')
      await agents.update({ ...record, subAgentIds: [named.id] }, record.version)
    }
    const read = (await running.client.call<Agent>('GET', at(first))).body
    for (const method of ['PUT', 'PATCH']) {
      const answer = await running.client.call(method, at(first), { body: read })
      expect(answer.status, answer.text).toBe(200)
    }
    // It cannot be extended, because a chain into a cycle has no end.
    expect(mistakesIn(await tryCreate('Above the ring', first))).toEqual([
      { path: 'subAgentIds[0]', ...tooLong },
    ])
  })

  test('links to agents of another organization are rejected', async () => {
    const stranger = running.client.as(await addOrganization(running))
    const theirs = await stranger.call<Agent>('POST', path, { body: { name: 'Theirs' } })
    const own = await create('Own')
    expect(mistakesIn(await link(own, theirs.body))).toMatchObject([
      { message: 'must be an agent of this organization' },
    ])
  })

  test('concurrent saves cannot close a cycle together [AGT-9]', async () => {
    for (let round = 0; round < 5; round += 1) {
      const ring = await Promise.all([1, 2, 3].map((place) => create(`Round ${round} ${place}`)))
      const answers = await Promise.all(
        ring.map((agent, place) => link(agent, ...ring.slice((place + 1) % 3).slice(0, 1))),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 400])
    }
  })
})

test("saves that name sub-agents wait for each other and see each other's changes", async () => {
  const postgres = await migratedDatabase()
  const running = await startService({ env: { DATABASE_URL: postgres.url } })
  const { create, link } = agentsOf(() => running)
  const [one, other, lone] = await Promise.all([create('One'), create('Other'), create('Lone')])
  await withPostgresClient(postgres.url, async (holder) => {
    await holder.query('begin')
    await holder.query('select id from organization for no key update')
    const saves = [link(one, other), link(other, one)]
    await expect.poll(() => countLockWaits(holder), patiently).toBe(2)
    expect((await link(lone)).status, 'a save without sub-agents does not wait').toBe(200)
    await holder.query('rollback')
    const statuses = (await Promise.all(saves)).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, 400])
  })
  await running.close()
  await postgres.drop()
})
