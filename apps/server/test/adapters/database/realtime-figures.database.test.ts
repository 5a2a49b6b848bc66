import { noCost } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ConversationRecord } from '#server/ports/conversation-stores.js'
import type { Stores } from '#server/ports/database.js'
import type { ExchangeRecord, RealtimeSessionRecord, SessionLatency } from '#server/ports/realtime-stores.js'
import { databaseKinds } from '../../support/start-service.js'
import { makeAgent, makeConversation, makeSession } from '../../support/stores/records.js'
import {
  newOrganization,
  openStoreDatabase,
  type StoreDatabase,
} from '../../support/stores/store-database.js'

const started = '2030-01-02T03:04:30.000Z'
const ended = '2030-01-02T03:05:00.000Z'
const bounds = ['2030-01-01T00:00:00.000Z', '2030-01-02T00:00:00.000Z', '2030-01-03T00:00:00.000Z']
const now = '2030-01-02T03:06:00.000Z'

const exchange = (number: number, fields: Partial<ExchangeRecord> = {}): ExchangeRecord => ({
  ...{ number, speechStoppedAt: 1, typedAt: 2, responseCreatedAt: 3, firstTokenAt: 4, firstAudioAt: 5 },
  tools: [{ callId: 'c', name: 'é😀', runBy: 'client', startedAt: 6, endedAt: null, waitedForApprovalMs: 7 }],
  ...{ doneAt: 8, status: 'failed' },
  ...fields,
})

const latency: SessionLatency = {
  ...{ exchanges: 3, firstAudioP50Ms: 700, firstAudioP95Ms: null, counts: [0, 0, 2, 1] },
}

describe.each(databaseKinds)('realtime figures on the %s database [DB-1]', (kind) => {
  let database: StoreDatabase
  let stores: Stores
  let organizationId: string
  let conversation: ConversationRecord

  beforeAll(async () => {
    database = await openStoreDatabase(kind)
    stores = database.stores
  })

  beforeEach(async () => {
    organizationId = await newOrganization(database)
    conversation = await newConversation()
  })

  afterAll(() => database.close())

  async function newConversation(): Promise<ConversationRecord> {
    const agent = makeAgent(organizationId)
    await stores.agents.insert(agent)
    const record = makeConversation(organizationId, agent.id)
    await stores.conversations.insert(record)
    return record
  }

  async function newSession(fields: Partial<RealtimeSessionRecord> = {}): Promise<RealtimeSessionRecord> {
    const record = makeSession(conversation, fields)
    await stores.realtimeSessions.insert(record)
    return record
  }

  async function startSession(at = started): Promise<RealtimeSessionRecord> {
    const record = await newSession({ expiresAt: '2031-01-01T00:00:00.000Z' })
    const { tokenHash } = record
    await stores.realtimeSessions.consume({ tokenHash, now: at, instanceId: uuid(), maxRunning: 1000 })
    return record
  }

  const sums = (agentId?: string) => stores.realtimeStatistics.sums({ organizationId, agentId, bounds, now })

  test('stores exchanges unchanged, replaces and limits them, and deletes them with their session [RT-40]', async () => {
    const { id: sessionId } = await startSession()
    const other = await startSession()
    const save = (saved: ExchangeRecord, kept = 3) =>
      stores.realtimeExchanges.save({ sessionId, exchange: saved, latency, kept })
    await stores.realtimeExchanges.save({ sessionId: other.id, exchange: exchange(1), latency, kept: 3 })
    const empty = {
      ...{ speechStoppedAt: null, typedAt: null, responseCreatedAt: null },
      ...{ firstTokenAt: null, firstAudioAt: null, tools: [], doneAt: 0, status: 'interrupted' as const },
    }
    await save(exchange(1))
    await save(exchange(2, empty))
    const [tool] = exchange(1).tools
    const finished = exchange(1, { tools: tool ? [{ ...tool, endedAt: 9 }] : [] })
    await save(finished)
    expect(await stores.realtimeExchanges.ofSession(sessionId)).toEqual([finished, exchange(2, empty)])
    expect(await stores.realtimeSessions.find(organizationId, sessionId)).toMatchObject({
      latency: { exchanges: 3, firstAudioP50Ms: 700, firstAudioP95Ms: null },
      version: 2,
    })
    for (const number of [3, 4, 5]) await save(exchange(number))
    const kept = await stores.realtimeExchanges.ofSession(sessionId)
    expect(kept.map(({ number }) => number)).toEqual([3, 4, 5])

    await stores.realtimeSessions.end(sessionId, 'client_left', ended)
    await stores.retention.removeBefore('endedSessions', '2030-01-02T03:05:00.001Z', 100)
    expect(await stores.realtimeExchanges.ofSession(sessionId)).toEqual([])
    expect(await stores.realtimeExchanges.ofSession(other.id)).toHaveLength(1)
    expect(await sums()).toMatchObject([{ sessions: 1, ends: {} }])
  })

  test('updates the sums of a session from its start to its end, whichever instance ends it [RT-42]', async () => {
    const ticket = await newSession()
    expect(await sums()).toEqual([])
    const running = await startSession()
    expect(await sums()).toMatchObject([
      { bucket: 1, ends: {}, sessions: 1, seconds: 90, exchanges: 0, usage: ticket.usage },
    ])
    const odd = { totalTokens: 1e300, inputTokens: 5e-324, outputTokens: -1, cachedTokens: 2.4 }
    await stores.realtimeSessions.saveUsage(running.id, { ...running.usage, responses: 2, ...odd }, noCost)
    await stores.realtimeExchanges.save({ sessionId: running.id, exchange: exchange(1), latency, kept: 3 })
    await stores.instanceLeases.closeLost(15)
    const [lost] = await sums()
    expect(lost).toMatchObject({
      ...{ bucket: 1, ends: { instance_lost: 1 }, exchanges: 3 },
      usage: { responses: 2, totalTokens: 1e15, inputTokens: 0, outputTokens: 0, cachedTokens: 2 },
    })
    const idle = await startSession()
    await stores.realtimeSessions.end(idle.id, 'idle_timeout', ended)
    expect(await sums()).toMatchObject([{ ends: { instance_lost: 1, idle_timeout: 1 }, sessions: 2 }])
  })

  test('groups sums by time bucket and end reason within one organization, optionally for one agent [RT-42]', async () => {
    for (const at of ['2029-12-31T23:59:59.999Z', bounds[0], bounds[1], started, bounds[2]]) {
      const { id } = await startSession(at)
      await stores.realtimeExchanges.save({ sessionId: id, exchange: exchange(1), latency, kept: 3 })
      if (at === started) await stores.realtimeSessions.end(id, 'client_left', ended)
    }
    const { agentId } = conversation
    conversation = await newConversation()
    await startSession()
    const shown = async (of?: string) =>
      (await sums(of)).map(({ bucket, sessions, ends, latencyCounts }) => [
        ...[bucket, sessions, ends, latencyCounts.slice(0, 4)],
      ])
    expect(await shown()).toEqual([
      [0, 1, {}, [0, 0, 2, 1]],
      [1, 3, { client_left: 1 }, [0, 0, 4, 2]],
    ])
    expect((await sums(agentId)).map(({ sessions }) => sessions)).toEqual([1, 2])
    expect(await shown(uuid())).toEqual([])
    const elsewhere = { organizationId: uuid(), agentId: undefined, bounds, now }
    expect(await stores.realtimeStatistics.sums(elsewhere)).toEqual([])
  })

  test('lists sessions by end reason and creation time [RT-26]', async () => {
    const [old, young] = [
      await newSession({ createdAt: bounds[0] ?? '' }),
      await newSession({ createdAt: bounds[1] ?? '' }),
    ]
    await stores.realtimeSessions.end(old.id, 'idle_timeout', ended)
    const listed = async (filter: Parameters<typeof stores.realtimeSessions.list>[1]) => {
      const { items } = await stores.realtimeSessions.list(organizationId, filter, { offset: 0, limit: 9 })
      return items.map(({ id }) => id)
    }
    expect(await listed({ endReason: 'idle_timeout' })).toEqual([old.id])
    expect(await listed({ endReason: 'client_left' })).toEqual([])
    expect(await listed({ from: bounds[1] })).toEqual([young.id])
    expect(await listed({ to: bounds[1] })).toEqual([old.id])
    expect(await listed({ from: bounds[0], to: bounds[2] })).toEqual([young.id, old.id])
  })
})
