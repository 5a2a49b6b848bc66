import { noCost } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ConversationRecord, MessageRecord } from '#server/ports/conversation-stores.js'
import type { Stores } from '#server/ports/database.js'
import type { RealtimeSessionRecord } from '#server/ports/realtime-stores.js'
import { databaseKinds } from '../../support/start-service.js'
import {
  makeAgent,
  makeConversation,
  makeMessage,
  makeSession,
  unusualText,
} from '../../support/stores/records.js'
import {
  newOrganization,
  type StoreDatabase,
  sharedStoreDatabase,
} from '../../support/stores/store-database.js'

const firstPage = { offset: 0, limit: 50 }
const now = '2030-01-02T03:04:30.000Z'
const later = '2030-01-02T03:04:40.000Z'

describe.each(databaseKinds)('realtime stores on the %s database [DB-1]', (kind) => {
  let database: StoreDatabase
  let stores: Stores
  let organizationId: string
  let conversation: ConversationRecord

  beforeAll(async () => {
    database = await sharedStoreDatabase(kind)
    stores = database.stores
  })

  beforeEach(async () => {
    organizationId = await newOrganization(database)
    conversation = await newConversation()
  })

  async function newConversation(fields: Partial<ConversationRecord> = {}): Promise<ConversationRecord> {
    const agent = makeAgent(organizationId)
    await stores.agents.insert(agent)
    const record = makeConversation(organizationId, agent.id, { title: null, ...fields })
    await stores.conversations.insert(record)
    return record
  }

  async function newSession(fields: Partial<RealtimeSessionRecord> = {}): Promise<RealtimeSessionRecord> {
    const record = makeSession(conversation, fields)
    await stores.realtimeSessions.insert(record)
    return record
  }

  const consume = (tokenHash: string, instanceId = uuid(), at = now) =>
    stores.realtimeSessions.consume({ tokenHash, now: at, instanceId, maxRunning: 1000 })

  const findConversation = () => stores.conversations.find(organizationId, conversation.id)
  const findSession = (id: string) => stores.realtimeSessions.find(organizationId, id)

  async function listed(): Promise<readonly MessageRecord[]> {
    return (await stores.conversations.listMessages(organizationId, conversation.id, firstPage)).items
  }

  describe('the message store', () => {
    test('stores every field unchanged and counts the messages of a conversation', async () => {
      const message = makeMessage(conversation, { content: unusualText, failure: 'cut off' })
      expect(await stores.conversations.addMessage(message)).toBe(message.id)
      expect(await listed()).toStrictEqual([message])
      expect(await findConversation()).toMatchObject({
        messageCount: 1,
        version: 2,
        title: unusualText,
        lastMessageAt: message.createdAt,
        updatedAt: message.updatedAt,
      })
    })

    test('lists messages in the order they were spoken, page by page', async () => {
      const places = [
        [30, 0],
        [10, 1],
        [10, 0],
        [20, 0],
      ] as const
      for (const [positionMicroseconds, positionCounter] of places)
        await stores.conversations.addMessage(
          makeMessage(conversation, {
            positionMicroseconds,
            positionCounter,
            content: `${positionMicroseconds}.${positionCounter}`,
          }),
        )
      const ordered = ['10.0', '10.1', '20.0', '30.0']
      const contents = (messages: readonly MessageRecord[]) => messages.map(({ content }) => content)
      expect(contents(await listed())).toEqual(ordered)
      const page = await stores.conversations.listMessages(organizationId, conversation.id, {
        offset: 1,
        limit: 2,
      })
      expect(contents(page.items)).toEqual(ordered.slice(1, 3))
      expect(page.totalCount).toBe(4)
      expect(contents(await stores.conversations.recentMessages(conversation.id, 3))).toEqual(
        ordered.slice(1),
      )
      const foreign = await newOrganization(database)
      expect(await stores.conversations.listMessages(foreign, conversation.id, firstPage)).toEqual({
        items: [],
        totalCount: 0,
      })
    })

    test('stores the message of a turn once, however many copies arrive at the same time', async () => {
      const originId = uuid()
      const ids = await Promise.all(
        Array.from({ length: 6 }, () =>
          database.transaction((inner) =>
            inner.conversations.addMessage(makeMessage(conversation, { originId })),
          ),
        ),
      )
      expect(new Set(ids).size).toBe(1)
      expect(await listed()).toHaveLength(1)
      expect(await findConversation()).toMatchObject({ messageCount: 1, version: 2 })
      for (const turn of [{ itemId: 'item_2' }, { contentIndex: 1 }, { originId: uuid() }])
        await stores.conversations.addMessage(makeMessage(conversation, { originId, ...turn }))
      expect(await findConversation()).toMatchObject({ messageCount: 4 })
    })

    test('stores and counts all messages that are added at the same time', async () => {
      const messages = Array.from({ length: 24 }, (_, positionCounter) =>
        makeMessage(conversation, { itemId: `item_${positionCounter}`, positionCounter, createdAt: now }),
      )
      const ids = await Promise.all(messages.map((message) => stores.conversations.addMessage(message)))
      expect(ids).toEqual(messages.map(({ id }) => id))
      expect(await listed()).toEqual(messages)
      expect(await findConversation()).toMatchObject({ messageCount: 24, version: 25 })
    })

    test('titles the conversation with the first words of the user', async () => {
      const say = (role: MessageRecord['role'], content: string) =>
        stores.conversations.addMessage(makeMessage(conversation, { role, content }))
      await say('assistant', 'Hello, this is the front desk.')
      await say('user', '')
      expect(await findConversation()).toMatchObject({ title: null })
      await say('user', `${'x'.repeat(79)}😀 and more`)
      const { title } = (await findConversation()) ?? {}
      expect(title).toMatch(/^x{79}/)
      expect(title?.isWellFormed()).toBe(true)
      await say('user', 'Something else')
      expect(await findConversation()).toMatchObject({ title, messageCount: 4 })
    })

    test('does not move the time of the last message back for a late message', async () => {
      const early = '2029-12-31T23:59:59.000Z'
      await stores.conversations.addMessage(makeMessage(conversation, { createdAt: now, updatedAt: now }))
      await stores.conversations.addMessage(makeMessage(conversation, { createdAt: early, updatedAt: early }))
      expect(await findConversation()).toMatchObject({ lastMessageAt: now, updatedAt: now, messageCount: 2 })
    })

    test('stores no message in a deleted conversation, and deletes messages with their conversation', async () => {
      await stores.conversations.addMessage(makeMessage(conversation))
      expect(await stores.conversations.addMessage(makeMessage({ ...conversation, id: uuid() }))).toBeNull()
      await stores.conversations.remove({ ...conversation, version: 3 }, 2)
      await stores.conversations.removeMessages(conversation.id)
      expect(await stores.conversations.addMessage(makeMessage(conversation))).toBeNull()
      expect(await listed()).toEqual([])
      expect(await stores.conversations.recentMessages(conversation.id, 50)).toEqual([])
    })

    test('marks only the messages of the interrupted turn', async () => {
      const originId = uuid()
      const cut = makeMessage(conversation, { originId, itemId: 'cut' })
      const whole = makeMessage(conversation, { originId, itemId: 'whole', positionCounter: 1 })
      const foreign = makeMessage(conversation, { itemId: 'cut', positionCounter: 2 })
      for (const message of [cut, whole, foreign]) await stores.conversations.addMessage(message)
      await stores.conversations.markInterrupted(originId, 'cut', later)
      await stores.conversations.markInterrupted(originId, 'cut', '2040-01-01T00:00:00.000Z')
      expect(await listed()).toEqual([{ ...cut, interrupted: true, updatedAt: later }, whole, foreign])
    })
  })

  describe('the conversation store', () => {
    test('lists conversations by agent', async () => {
      const other = await newConversation()
      const list = async (agentId: string) =>
        (await stores.conversations.list(organizationId, { agentId }, firstPage)).items.map(({ id }) => id)
      expect(await list(conversation.agentId)).toEqual([conversation.id])
      expect(await list(other.agentId)).toEqual([other.id])
      expect(await list(uuid())).toEqual([])
    })
  })

  describe('the session store', () => {
    test('stores every field unchanged and finds sessions by id and by token', async () => {
      const session = await newSession()
      expect(await findSession(session.id)).toStrictEqual(session)
      expect(JSON.stringify((await findSession(session.id))?.setup)).toBe(JSON.stringify(session.setup))
      expect(await stores.realtimeSessions.findByTokenHash(session.tokenHash)).toStrictEqual(session)
      expect(await stores.realtimeSessions.findByTokenHash('unknown')).toBeNull()
      expect(await stores.realtimeSessions.find(await newOrganization(database), session.id)).toBeNull()
      await expect(stores.realtimeSessions.insert(makeSession(conversation, session))).rejects.toThrow()
    })

    test('consumes a session once, however many callers try at the same time', async () => {
      const session = await newSession()
      const instances = Array.from({ length: 6 }, () => uuid())
      const tries = await Promise.all(instances.map((instanceId) => consume(session.tokenHash, instanceId)))
      const [winner, ...others] = tries.filter((started) => started !== null)
      expect(others).toEqual([])
      const instanceId = instances[tries.findIndex((started) => started !== null)]
      const consumed = { state: 'consumed', startedAt: now, updatedAt: now, version: 2, instanceId } as const
      expect(winner?.session).toEqual({ ...session, ...consumed })
      expect(await findSession(session.id)).toEqual(winner?.session)
      expect(winner?.startMicroseconds).toSatisfy(Number.isSafeInteger)
      expect(Math.abs((winner?.startMicroseconds ?? 0) / 1000 - Date.now())).toBeLessThan(60_000)
    })

    test('does not consume an expired session, a wrong token, or a session that was asked to end', async () => {
      const { tokenHash, expiresAt, id } = await newSession()
      expect(await consume(tokenHash, uuid(), expiresAt)).toBeNull()
      expect(await consume('unknown')).toBeNull()
      expect(await stores.realtimeSessions.requestEnd(organizationId, { id }, now)).toBe(1)
      expect(await consume(tokenHash)).toBeNull()
      expect(await findSession(id)).toMatchObject({ state: 'issued', version: 1, endRequestedAt: now })
    })

    test('lists sessions by agent, conversation and whether they run', async () => {
      const [waiting, running, over] = [await newSession(), await newSession(), await newSession()]
      for (const { tokenHash } of [running, over]) await consume(tokenHash)
      await stores.realtimeSessions.end(over.id, 'client_lost', later)
      conversation = await newConversation()
      const elsewhere = await newSession()
      const { agentId, conversationId } = waiting
      const expected = [
        [{}, [elsewhere, over, running, waiting]],
        [{ agentId }, [over, running, waiting]],
        [{ conversationId }, [over, running, waiting]],
        [{ isRunning: true }, [running]],
        [{ isRunning: false, agentId }, [over, waiting]],
        [{ agentId, conversationId: elsewhere.conversationId }, []],
      ] as const
      for (const [filter, sessions] of expected) {
        const { items, totalCount } = await stores.realtimeSessions.list(organizationId, filter, firstPage)
        expect(items.map(({ id }) => id)).toEqual(sessions.map(({ id }) => id))
        expect(totalCount).toBe(sessions.length)
      }
      const page = await stores.realtimeSessions.list(organizationId, {}, { offset: 1, limit: 1 })
      expect(page).toMatchObject({ items: [{ id: over.id }], totalCount: 4 })
    })

    test('closes the accounts of a session once and stores its usage', async () => {
      const session = await newSession()
      const usage = { ...session.usage, responses: 2, totalTokens: 2_000_000_000_000 }
      const cost = { ...noCost, amount: 1.5, unknownResponses: 1 }
      await stores.realtimeSessions.saveUsage(session.id, usage, cost)
      await stores.realtimeSessions.end(session.id, 'max_duration', now)
      await stores.realtimeSessions.end(session.id, 'client_lost', later)
      expect(await findSession(session.id)).toMatchObject({
        usage,
        cost,
        endReason: 'max_duration',
        endedAt: now,
        updatedAt: now,
        version: 2,
      })
    })

    test('asks sessions to end by id, agent or conversation, each once', async () => {
      const instanceId = uuid()
      const session = await newSession()
      await consume(session.tokenHash, instanceId)
      const request = (which: { id?: string; agentId?: string; conversationId?: string }) =>
        stores.realtimeSessions.requestEnd(organizationId, which, later)
      expect(await stores.realtimeSessions.requestEnd(uuid(), { id: session.id }, later)).toBe(0)
      expect(await request({ id: uuid() })).toBe(0)
      expect(await stores.realtimeSessions.endRequested(instanceId)).toEqual([])
      expect(await request({ agentId: session.agentId })).toBe(1)
      expect(await request({ conversationId: session.conversationId })).toBe(0)
      expect(await stores.realtimeSessions.endRequested(instanceId)).toEqual([
        { id: session.id, isErased: false },
      ])
      expect(await stores.realtimeSessions.endRequested(uuid())).toEqual([])
      await stores.realtimeSessions.end(session.id, 'terminated', later)
      expect(await stores.realtimeSessions.endRequested(instanceId)).toEqual([])
      await newSession()
      expect(await request({ conversationId: session.conversationId })).toBe(1)
    })
  })

  describe('the lease store', () => {
    const leaseSeconds = 15

    /** Has the effect of passing time. */
    const age = (instanceId: string, seconds: number) =>
      database.pool.query(
        'update instance_lease set renewed_at = now() - make_interval(secs => $1) where instance_id = $2',
        [seconds, instanceId],
      )

    test('keeps sessions open while their leases are renewed, and closes lost sessions once', async () => {
      // The leases of other tests have no running instance.
      await stores.instanceLeases.closeLost(leaseSeconds)
      const [living, dying, never] = [uuid(), uuid(), uuid()]
      const sessions = new Map<string, string>()
      for (const instanceId of [living, dying, never]) {
        const session = await newSession()
        await consume(session.tokenHash, instanceId)
        sessions.set(instanceId, session.id)
      }
      const waiting = await newSession()
      for (const instanceId of [living, dying])
        expect(await stores.instanceLeases.renew(instanceId, leaseSeconds)).toBe(false)
      expect(await stores.instanceLeases.renew(living, leaseSeconds)).toBe(true)
      await age(dying, leaseSeconds + 1)

      expect(await stores.instanceLeases.closeLost(leaseSeconds)).toBe(2)
      expect(await stores.instanceLeases.closeLost(leaseSeconds)).toBe(0)
      const reasonOf = async (instanceId: string) =>
        (await findSession(sessions.get(instanceId) ?? ''))?.endReason
      expect(await reasonOf(living)).toBeNull()
      expect(await reasonOf(dying)).toBe('instance_lost')
      expect(await reasonOf(never)).toBe('instance_lost')
      expect(await findSession(waiting.id)).toEqual(waiting)

      expect(await stores.instanceLeases.renew(dying, leaseSeconds)).toBe(false)
      const lostId = sessions.get(dying) ?? ''
      // A session that another instance has ended stays ended, even if its own instance ends it later.
      expect(await stores.realtimeSessions.givenUp([lostId, waiting.id])).toEqual([lostId])
      await stores.realtimeSessions.end(lostId, 'client_lost', later)
      expect(await reasonOf(dying)).toBe('instance_lost')

      await stores.instanceLeases.release(living)
      await stores.instanceLeases.release(dying)
      expect(await stores.instanceLeases.closeLost(leaseSeconds)).toBe(1)
    })

    test('removes leases that were not renewed for long', async () => {
      const [old, recent] = [uuid(), uuid()]
      for (const instanceId of [old, recent]) await stores.instanceLeases.renew(instanceId, leaseSeconds)
      await age(old, leaseSeconds * 20 + 1)
      await stores.instanceLeases.closeLost(leaseSeconds)
      const { rows } = await database.pool.query(
        'select instance_id from instance_lease where instance_id = any($1)',
        [[old, recent]],
      )
      expect(rows).toEqual([{ instance_id: recent }])
    })
  })
})
