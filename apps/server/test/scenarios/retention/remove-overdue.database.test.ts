import type { RealtimeSessionTicket } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashToken } from '#server/domain/new-id.js'
import { removeOverdueRows } from '../../support/overdue-rows.js'
import { type AnsweringModel, startAnsweringModel } from '../../support/questions/answering-model.js'
import { ask, follow } from '../../support/questions/ask.js'
import { makeTextAgent } from '../../support/realtime/text-agents.js'
import { withPostgresClient } from '../../support/services/postgres-connection.js'
import {
  databaseKinds,
  migratedDatabase,
  type RunningService,
  startService,
} from '../../support/start-service.js'
import { makeTestClock } from '../../support/test-clock.js'

const hours = 60 * 60 * 1000
const days = 24 * hours
const everything = { offset: 0, limit: 200 }

describe.each(databaseKinds)('retention on %s', (database) => {
  const clock = makeTestClock(new Date())
  let running: RunningService
  let model: AnsweringModel
  let agentId: string

  beforeAll(async () => {
    model = await startAnsweringModel(() => ['Yes.'])
    running = await startService({ database, clock, env: { PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' } })
    agentId = await makeTextAgent(running, model, { name: 'Concierge', realtimeModel: null })
  })

  afterAll(async () => {
    await running.close()
    await model.close()
  })

  const remove = () => removeOverdueRows(running.service.database, clock)

  async function ticketOf(conversationId: string | null): Promise<RealtimeSessionTicket> {
    const path = `/api/v1/Agent/${agentId}/realtime-session`
    const { body, status, text } = await running.client.call<RealtimeSessionTicket>('POST', path, {
      body: { conversationId },
    })
    expect(status, text).toBe(201)
    return body
  }

  test('removes ended turns, sessions and deleted rows after their time, and keeps messages [RET-1]', async () => {
    const { realtimeSessions } = running.service.database.stores
    const { body: kept } = await ask(running, agentId, { question: 'Stays?' })
    const { body: deleted } = await ask(running, agentId, { question: 'Goes?' })
    await ticketOf(kept.conversationId)
    const used = await ticketOf(kept.conversationId)
    const key = await running.client.call<{ id: string }>('POST', '/api/v1/ApiKey', {
      body: { name: 'Old', scopes: ['task:read'] },
    })
    const at = clock.now().toISOString()
    const tokenHash = hashToken(used.sessionId)
    await realtimeSessions.consume({ tokenHash, now: at, instanceId: uuid(), maxRunning: 1000 })
    const { items } = await realtimeSessions.list(running.organizationId, {}, everything)
    const [ended, unused] = items
    await realtimeSessions.end(ended?.id ?? '', 'client_lost', at)
    await running.client.call('DELETE', `/api/v1/Conversation/${deleted.conversationId}`)
    await running.client.call('DELETE', `/api/v1/ApiKey/${key.body.id}`)
    const auditBefore = await running.client.call<{ totalCount: number }>('GET', '/api/v1/AuditLog')

    clock.advance(89 * days)
    const early = await remove()
    expect(early).toMatchObject({ endedTurns: 0, endedSessions: 0, unusedTickets: 0, deletedApiKeys: 0 })
    expect(early.turnEvents).toBeGreaterThan(0)

    clock.advance(1 * days + 1000 + 60_000)
    expect(await remove()).toMatchObject({
      endedTurns: 2,
      endedSessions: 1,
      unusedTickets: 1,
      deletedConversations: 1,
      deletedApiKeys: 1,
    })
    for (const session of [ended, unused])
      expect(await realtimeSessions.find(running.organizationId, session?.id ?? '')).toBeNull()
    const turn = `/api/v1/Conversation/${kept.conversationId}/turn/${kept.turnId}`
    expect((await running.client.call('GET', turn)).status).toBe(404)
    const path = `/api/v1/Conversation/${kept.conversationId}/message`
    const { body } = await running.client.call<{ items: { content: string }[] }>('GET', path)
    expect(body.items.map(({ content }) => content)).toEqual(['Stays?', 'Yes.'])
    const auditAfter = await running.client.call<{ totalCount: number }>('GET', '/api/v1/AuditLog')
    expect(auditAfter.body.totalCount).toBe(auditBefore.body.totalCount)

    // The conversation can be continued.
    const { body: next } = await ask(running, agentId, {
      question: 'And now?',
      conversationId: kept.conversationId,
    })
    expect(next.status).toBe('completed')
    const stream = await follow(running, next)
    await stream.ended
    expect(await remove()).toMatchObject({ endedTurns: 0, endedSessions: 0, deletedConversations: 0 })
  })

  test('removes more than a batch in several steps and keeps rows that are not due [RET-2] [RET-1]', async () => {
    const { idempotency, retention } = running.service.database.stores
    const organizationId = running.organizationId
    const createdAt = clock.now().toISOString()
    const longAgo = new Date(clock.now().getTime() - 1).toISOString()
    const keys = Array.from({ length: 603 }, () => uuid())
    for (const key of keys)
      await idempotency.claim({ organizationId, key, fingerprint: 'f', createdAt }, longAgo)
    expect(await retention.removeBefore('idempotencyAnswers', longAgo, 5000)).toBe(0)
    clock.advance(24 * hours)
    await idempotency.claim(
      { organizationId, key: 'young', fingerprint: 'f', createdAt: clock.now().toISOString() },
      longAgo,
    )
    clock.advance(1)
    const at = clock.now().toISOString()
    expect(await retention.removeBefore('idempotencyAnswers', at, 3)).toBe(3)
    expect(await remove()).toMatchObject({ idempotencyAnswers: 600 })
    expect(await idempotency.find(organizationId, 'young')).not.toBeNull()
  })
})

describe('retention with several instances', () => {
  test('runs on one instance at a time and leaves locked rows for later [RET-2]', async () => {
    const postgres = await migratedDatabase()
    const clock = makeTestClock(new Date())
    const running = await startService({ clock, env: { DATABASE_URL: postgres.url } })
    const { database } = running.service
    const claim = (key: string) =>
      database.stores.idempotency.claim(
        {
          organizationId: running.organizationId,
          key,
          fingerprint: 'f',
          createdAt: clock.now().toISOString(),
        },
        '2000-01-01T00:00:00.000Z',
      )
    await claim('free')
    await claim('held')
    clock.advance(2 * days)
    await withPostgresClient(postgres.url, async (other) => {
      await other.query('begin')
      await other.query('select pg_advisory_xact_lock(7275003)')
      expect(await removeOverdueRows(database, clock)).toMatchObject({ idempotencyAnswers: 0 })
      await other.query('rollback')
      await other.query('begin')
      await other.query(`select from idempotency_key where key = 'held' for update`)
      expect(await removeOverdueRows(database, clock)).toMatchObject({ idempotencyAnswers: 1 })
      await other.query('rollback')
    })
    expect(await removeOverdueRows(database, clock)).toMatchObject({ idempotencyAnswers: 1 })
    await running.close()
    await postgres.drop()
  })
})
