import type {
  AuditLogRecord,
  ConversationRetention,
  ConversationRetentionPreview,
  EndUser,
  Page,
} from '@parley/contract'
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '#server/adapters/system/clock.js'
import { addOrganization } from '../../support/organizations.js'
import { removeOverdueRows } from '../../support/overdue-rows.js'
import { type AnsweringModel, startAnsweringModel } from '../../support/questions/answering-model.js'
import { makeTextAgent } from '../../support/realtime/text-agents.js'
import { databaseKinds, type RunningService, startService } from '../../support/start-service.js'
import { makeConversation, makeMessage } from '../../support/stores/records.js'

const day = 24 * 60 * 60 * 1000
const path = '/api/v1/ConversationRetention'
const daysAgo = (days: number) => new Date(Date.now() - days * day).toISOString()
/** Returns a new id that contains this time, as the service makes them. */
const idAt = (at: string) => uuid({ msecs: Date.parse(at) })
const patiently = { timeout: 20_000, interval: 20 }

describe.each(databaseKinds)('the retention of conversations on %s', (database) => {
  let running: RunningService
  let model: AnsweringModel

  beforeAll(async () => {
    model = await startAnsweringModel(() => ['Yes.'])
    running = await startService({ database, env: { PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' } })
  })

  afterAll(async () => {
    await running.close()
    await model.close()
  })

  const call = <Body>(method: string, to: string, body?: object) =>
    running.client.call<Body>(method, to, body && { body })

  const makeAgent = (conversationRetentionDays: number | null) =>
    makeTextAgent(running, model, { name: 'Concierge', realtimeModel: null, conversationRetentionDays })

  /** Adds a conversation with one message that is this many days old. Returns its id. */
  async function converse(agentId: string, ageDays: number, startedDays = ageDays): Promise<string> {
    const { organizationId } = running
    const { conversations, endUsers } = running.service.database.stores
    const [startedAt, at] = [daysAgo(startedDays), daysAgo(ageDays)]
    const { id: endUserId } = await endUsers.see({ organizationId, externalId: 'ada', newId: uuid(), at })
    await endUsers.addConversations(endUserId, 1)
    const id = idAt(startedAt)
    const record = makeConversation(organizationId, agentId, { id, createdAt: startedAt, endUserId })
    await conversations.add(record)
    await conversations.addMessage(makeMessage(record, { createdAt: at, content: 'Now?' }))
    return id
  }

  const setDays = (conversationRetentionDays: number | null) =>
    call<ConversationRetention>('PATCH', path, { conversationRetentionDays })

  const preview = async (query = '') =>
    (await call<ConversationRetentionPreview>('GET', `${path}/preview${query}`)).body

  const exists = async (id: string) => (await call('GET', `/api/v1/Conversation/${id}`)).status === 200

  const remove = async () =>
    (await removeOverdueRows(running.service.database, systemClock)).overdueConversations

  const idle = async () => (await running.service.database.stores.erasures.isAny()) === false

  test('removes conversations by the days of their agent or organization, and counts them before [RET-3] [RET-4]', async () => {
    const [byOrganization, byAgent, keeping] = [
      await makeAgent(null),
      await makeAgent(2),
      await makeAgent(36_500),
    ]
    expect((await call<ConversationRetention>('GET', path)).body).toEqual({ conversationRetentionDays: null })
    const old = { organization: await converse(byOrganization, 5), agent: await converse(byAgent, 3) }
    const kept = [
      await converse(keeping, 100),
      await converse(byOrganization, 3),
      // Old, but with a recent message.
      await converse(byOrganization, 1, 100),
    ]
    expect(await preview()).toMatchObject({ conversations: 1, messages: 1 })
    expect(await preview('?Days=4')).toMatchObject({ conversations: 2, messages: 2 })
    expect(await preview('?Days=2')).toMatchObject({ conversations: 3 })
    expect(await preview(`?Days=50&AgentId=${keeping}`)).toMatchObject({ conversations: 1 })
    expect(await preview(`?AgentId=${keeping}`)).toEqual({
      ...{ conversations: 0, messages: 0, oldestActivityAt: null },
    })
    expect(await exists(old.agent)).toBe(true)
    expect((await setDays(4)).body).toEqual({ conversationRetentionDays: 4 })
    const { oldestActivityAt } = await preview()
    expect(Math.round((Date.now() - Date.parse(oldestActivityAt ?? '')) / day)).toBe(5)

    expect(await remove()).toBe(2)
    expect([await exists(old.organization), await exists(old.agent)]).toEqual([false, false])
    for (const id of kept) expect(await exists(id)).toBe(true)
    await expect.poll(idle, patiently).toBe(true)
    const { conversations } = running.service.database.stores
    expect(await conversations.recentMessages(old.agent, 10)).toEqual([])
    const users = await call<Page<EndUser>>('GET', '/api/v1/EndUser?ExternalId=ada')
    expect(users.body.items).toMatchObject([{ conversationCount: 3 }])
    const records = await call<Page<AuditLogRecord>>('GET', '/api/v1/AuditLog?Action=conversation.expire')
    expect(records.body.items).toMatchObject([{ details: { conversations: 2 }, actor: { type: 'system' } }])
    await setDays(null)
  })

  test('keeps conversations in use [RET-3]', async () => {
    const agentId = await makeAgent(5)
    const [used, unused] = [await converse(agentId, 6), await converse(agentId, 6)]
    const ticket = { body: { conversationId: used } }
    await running.client.call('POST', `/api/v1/Agent/${agentId}/realtime-session`, ticket)
    expect(await preview(`?AgentId=${agentId}`)).toMatchObject({ conversations: 1 })
    expect(await remove()).toBe(1)
    expect([await exists(used), await exists(unused)]).toEqual([true, false])
  })

  test('removes many conversations in batches [RET-2] [RET-3]', async () => {
    const agentId = await makeAgent(1)
    for (let index = 0; index < 450; index += 1) await converse(agentId, 2)
    expect(await remove()).toBe(450)
    await expect.poll(idle, patiently).toBe(true)
    expect(await preview(`?AgentId=${agentId}`)).toMatchObject({ conversations: 0 })
  })

  test('belongs to one organization [7.1-1]', async () => {
    await setDays(7)
    const stranger = running.client.as(await addOrganization(running))
    expect((await stranger.call('GET', path)).body).toEqual({ conversationRetentionDays: null })
    expect((await stranger.call('PATCH', path, { body: { conversationRetentionDays: 1 } })).status).toBe(200)
    expect((await call('GET', path)).body).toEqual({ conversationRetentionDays: 7 })
    const invalid = await call<{ errors: object[] }>('PATCH', path, { conversationRetentionDays: 0 })
    expect(invalid.status).toBe(400)
  })
})
