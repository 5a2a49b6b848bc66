import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import { systemClock } from '#server/adapters/system/clock.js'
import { countUse } from '#server/domain/usage/count-use.js'
import type { AgentRecord } from '#server/ports/agent-stores.js'
import type { ConversationRecord } from '#server/ports/conversation-stores.js'
import { databaseKinds } from '../../support/start-service.js'
import { makeAgent, makeConversation, makeSession, makeTurn } from '../../support/stores/records.js'
import { makeUse } from '../../support/stores/usage-records.js'
import { useStoreDatabase } from '../../support/stores/use-store-database.js'

const now = '2030-01-02T03:04:30.000Z'

describe.each(databaseKinds)('the limits of end users on the %s database [DB-1]', (kind) => {
  const kept = useStoreDatabase(kind)

  async function newConversation(fields: Partial<AgentRecord> = {}): Promise<ConversationRecord> {
    const agent = makeAgent(kept.organizationId, { endUserLimits: {}, ...fields })
    await kept.stores.agents.insert(agent)
    const conversation = makeConversation(kept.organizationId, agent.id, { title: null })
    await kept.stores.conversations.insert(conversation)
    return conversation
  }

  test('find the question before the last ones, and ignore task runs, rehearsals and other agents [USR-11]', async () => {
    const { turns } = kept.stores
    const [asked, other] = [await newConversation(), await newConversation()]
    const endUserId = uuid()
    const at = (seconds: number) => ({ endUserId, createdAt: `2030-01-02T03:04:${seconds}.000Z` })
    for (const seconds of [10, 20, 30]) await turns.insert(makeTurn(asked, at(seconds)))
    await turns.insert(makeTurn(asked, { ...at(40), taskId: uuid() }))
    await turns.insert(makeTurn(asked, { ...at(40), rehearsal: { tools: [] } }))
    await turns.insert(makeTurn(asked, { ...at(40), endUserId: uuid() }))
    await turns.insert(makeTurn(other, at(40)))
    const before = (count: number, since = at(10).createdAt) =>
      turns.askedBefore({ agentId: asked.agentId, endUserId, since, count })
    expect([await before(1), await before(2), await before(3)]).toEqual([
      ...[at(30).createdAt, at(20).createdAt, null],
    ])
    expect(await before(3, '2030-01-02T03:04:09.999Z')).toBe(at(10).createdAt)
  })

  test('count running sessions of live instances, which are consumed only after a check [USR-12]', async () => {
    const { realtimeSessions, instanceLeases } = kept.stores
    const conversation = await newConversation({ endUserLimits: { costPerDay: 1 } })
    const [limitedId, instanceId] = [uuid(), uuid()]
    await instanceLeases.renew(instanceId, 15)
    const start = async (instance: string, checked?: { readonly limitedId: string | null }) => {
      const { id, tokenHash } = makeSession(conversation)
      await realtimeSessions.insert(makeSession(conversation, { id, tokenHash }))
      const wanted = { tokenHash, now, instanceId: instance, maxRunning: 1000, checked }
      return (await realtimeSessions.consume(wanted))?.session.id ?? null
    }
    expect(await start(instanceId)).toBeNull()
    const id = await start(instanceId, { limitedId })
    await start(instanceId, { limitedId: uuid() })
    await start(instanceId, { limitedId: null })
    await start(uuid(), { limitedId })
    expect(await realtimeSessions.countLimited(limitedId)).toBe(1)
    await realtimeSessions.end(id ?? '', 'client_left', now)
    expect(await realtimeSessions.countLimited(limitedId)).toBe(0)
  })

  test('count each usage of a day once, and report the one that reaches the limit [USR-13]', async () => {
    const { database, organizationId } = kept
    const limitedId = uuid()
    const dayLimit = { limitedId, tokensPerDay: 14, costPerDay: null }
    const use = { ...makeUse(organizationId), dayLimit }
    const count = (item: string) =>
      database.transaction((stores) => countUse({ clock: systemClock }, stores, { ...use, item }))
    expect(await count('one')).toEqual([])
    expect(await count('one')).toEqual([])
    expect(await count('two')).toEqual([expect.objectContaining({ id: limitedId, endsSession: true })])
    const day = use.at.slice(0, 10)
    const starts = { day, month: `${day.slice(0, 7)}-01` }
    const counters = await kept.stores.usageLedger.counters(organizationId, [limitedId], starts)
    expect(counters).toMatchObject([{ period: 'day', startsOn: day, tokens: 14, responses: 2 }])
  })

  test('take turns for one end user [USR-11]', async () => {
    const { database } = kept
    const limitedId = uuid()
    const order: string[] = []
    const work = (name: string) =>
      database.transaction(async (stores) => {
        await stores.endUsers.lockLimited(limitedId)
        order.push(`${name} begins`)
        await stores.endUsers.find(kept.organizationId, uuid())
        order.push(`${name} ends`)
      })
    await Promise.all([work('one'), work('other')])
    const [first] = order[0]?.split(' ') ?? []
    const [second] = order[2]?.split(' ') ?? []
    expect(order).toEqual([`${first} begins`, `${first} ends`, `${second} begins`, `${second} ends`])
  })
})
