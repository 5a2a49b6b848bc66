import { noCost } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import { beforeEach, describe, expect, test } from 'vitest'
import type { ConversationRecord, TurnEnd, TurnRecord } from '#server/ports/conversation-stores.js'
import { databaseKinds } from '../../support/start-service.js'
import { makeAgent, makeConversation, makeTurn, unusualText } from '../../support/stores/records.js'
import { newOrganization } from '../../support/stores/store-database.js'
import { useStoreDatabase } from '../../support/stores/use-store-database.js'

const now = '2030-01-02T03:04:30.000Z'
const later = '2030-01-02T03:04:40.000Z'
const leaseSeconds = 15

const answered: TurnEnd = {
  state: 'completed',
  answer: unusualText,
  failure: null,
  usage: { inputTokens: 3, outputTokens: 2, cachedInputTokens: 1 },
  cost: { ...noCost, amount: 0.125 },
}

describe.each(databaseKinds)('the turn store on the %s database [DB-1]', (kind) => {
  const kept = useStoreDatabase(kind)
  let conversation: ConversationRecord

  beforeEach(async () => {
    conversation = await newConversation()
  })

  async function newConversation(): Promise<ConversationRecord> {
    const agent = makeAgent(kept.organizationId)
    await kept.stores.agents.insert(agent)
    const record = makeConversation(kept.organizationId, agent.id)
    await kept.stores.conversations.insert(record)
    return record
  }

  async function add(fields: Partial<TurnRecord> = {}): Promise<TurnRecord> {
    const record = makeTurn(conversation, fields)
    return { ...record, position: await kept.stores.turns.insert(record) }
  }

  const find = ({ id }: TurnRecord) => kept.stores.turns.find(kept.organizationId, conversation.id, id)
  const end = ({ id }: TurnRecord) => kept.stores.turns.end(id, answered, later)

  test('stores every field unchanged, in order', async () => {
    const fields = { fileIds: [uuid(), uuid()], additionalInstructions: unusualText, idempotencyKey: 'key' }
    const [first, second] = [await add(fields), await add()]
    expect([first.position, second.position]).toEqual([1, 2])
    expect(await find(first)).toStrictEqual(first)
    expect(await find(second)).toStrictEqual(second)
  })

  test('locks an existing conversation for its next turn', async () => {
    const lock = (id: string) => kept.database.transaction((inner) => inner.conversations.lock(id))
    expect([await lock(conversation.id), await lock(uuid())]).toEqual([true, false])
    await kept.stores.conversations.remove({ ...conversation, version: 2 }, 1)
    expect(await lock(conversation.id)).toBe(false)
  })

  test('finds no turn that is absent, in another conversation or of another organization', async () => {
    const { id } = await add()
    const [elsewhere, another] = [await newConversation(), await newOrganization(kept.database)]
    for (const [organizationId, conversationId, turnId] of [
      [kept.organizationId, conversation.id, uuid()],
      [kept.organizationId, elsewhere.id, id],
      [another, conversation.id, id],
    ] as const)
      expect(await kept.stores.turns.find(organizationId, conversationId, turnId)).toBeNull()
  })

  test('starts a turn when all earlier turns have ended, and ends it once', async () => {
    const [first, second] = [await add(), await add()]
    expect(await kept.stores.turns.start(second.id, now)).toBeNull()
    const started = (await kept.stores.turns.start(first.id, now)) ?? 0
    expect(Math.abs(started / 1000 - Date.now())).toBeLessThan(60_000)
    expect(await find(first)).toMatchObject({ state: 'running', startedAt: now, version: 2 })
    expect(await end(first)).toBe(true)
    expect(await find(first)).toMatchObject({ ...answered, endedAt: later, version: 3 })
    expect([await end(first), await kept.stores.turns.start(first.id, later)]).toEqual([false, null])
    expect(await kept.stores.turns.start(second.id, later)).not.toBeNull()
    expect([await kept.stores.turns.start(uuid(), now), await kept.stores.turns.lockOpen(first.id)]).toEqual([
      null,
      null,
    ])
  })

  test('asks only an open turn to stop', async () => {
    const [asked, over, bystander] = [await add(), await add(), await add()]
    await end(over)
    expect(await kept.stores.turns.requestStop(asked.id, now)).toBe(true)
    for (const id of [over.id, uuid()]) expect(await kept.stores.turns.requestStop(id, now)).toBe(false)
    const ids = [asked, over, bystander].map(({ id }) => id)
    expect(await kept.stores.turns.stopRequested(ids)).toEqual([{ id: asked.id, isErased: false }])
    expect(await kept.stores.turns.stopRequested([])).toEqual([])
    expect(await find(bystander)).toEqual(bystander)
  })

  test('stores the events of an open turn once and in order', async () => {
    const [turn, bystander] = [await add(), await add()]
    const events = [1, 2, 3].map((sequence) => ({ sequence, event: `${sequence} ${unusualText}` }))
    expect(await kept.stores.turns.addEvents(turn.id, events.slice(0, 2))).toBe(true)
    expect(await kept.stores.turns.addEvents(turn.id, events.slice(1).reverse())).toBe(true)
    expect(await kept.stores.turns.eventsAfter(turn.id, 0, 50)).toEqual(events)
    expect(await kept.stores.turns.eventsAfter(turn.id, 1, 1)).toEqual(events.slice(1, 2))
    expect(await kept.stores.turns.eventsAfter(bystander.id, 0, 50)).toEqual([])
    await end(turn)
    expect(await kept.stores.turns.addEvents(turn.id, [{ sequence: 4, event: 'late' }])).toBe(false)
    expect(await kept.stores.turns.eventsAfter(turn.id, 0, 50)).toEqual(events)
  })

  test('distinguishes the turns of stopped instances from those of running instances', async () => {
    const instanceId = uuid()
    const [living, lost, over] = [await add({ instanceId }), await add(), await add()]
    await end(over)
    await kept.stores.instanceLeases.renew(instanceId, leaseSeconds)
    const ids = (await kept.stores.turns.lost(leaseSeconds, 1000)).map(({ id }) => id)
    expect([living, lost, over].filter(({ id }) => ids.includes(id))).toEqual([lost])
    const locked = [living, lost, over].map(({ id }) => kept.stores.turns.lockLost(id, leaseSeconds))
    expect(await Promise.all(locked)).toEqual([null, expect.any(Number), null])
  })

  test('erases the text of turns in a deleted conversation and lets none continue', async () => {
    const [open, over] = [await add({ additionalInstructions: 'words' }), await add()]
    await kept.stores.turns.addEvents(open.id, [{ sequence: 1, event: 'words' }])
    await end(over)
    const home = conversation
    conversation = await newConversation()
    const bystander = await add()
    await kept.stores.turns.forgetConversation(home.id, later)
    expect(await find(bystander)).toEqual(bystander)
    conversation = home
    const clearedContent = { question: '', additionalInstructions: null, answer: null }
    expect(await find(open)).toMatchObject({ ...clearedContent, state: 'stopped', endedAt: later })
    expect(await find(over)).toMatchObject({ ...clearedContent, state: 'completed' })
    expect(await kept.stores.turns.eventsAfter(open.id, 0, 50)).toEqual([])
  })
})
