import { type AuditLogRecord, noCost, type Page, RealtimeSession, ServiceErrorEvent } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addOrganization } from '../../support/organizations.js'
import { openSocket, requestHandshake } from '../../support/realtime/open-socket.js'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'
import { answered, endedSession, messagesOf, sessionsOf, spoke } from '../../support/realtime/spoken-turns.js'
import type { PostgresDatabase } from '../../support/services/postgres-database.js'
import { migratedDatabase, type RunningService, startService } from '../../support/start-service.js'
import { makeTestClock } from '../../support/test-clock.js'

const clock = makeTestClock()
const path = '/api/v1/RealtimeSession'

let postgres: PostgresDatabase
let first: RealtimeTestService
let second: RunningService

/** Two instances of one deployment. */
beforeAll(async () => {
  postgres = await migratedDatabase()
  const env = { DATABASE_URL: postgres.url, PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' }
  first = await startRealtimeService({ env, clock })
  second = await startService({ env, clock })
})

afterAll(async () => {
  await second.close()
  await first.close()
  await postgres.drop()
})

async function createAgent(): Promise<string> {
  const { body } = await first.client.call<{ connectionId: string }>('GET', `/api/v1/Agent/${first.agentId}`)
  const fields = { name: 'Another', connectionId: body.connectionId }
  return (await first.client.call<{ id: string }>('POST', '/api/v1/Agent', { body: fields })).body.id
}

/** Opens a session that runs on that instance. */
async function openOn(instance: RunningService, request: object = {}, agentId = first.agentId) {
  const ticket = await first.createTicket(request, agentId)
  const client = await openSocket(instance.url, ticket.webSocketPath)
  const provider = await first.provider.accept()
  await provider.inbox.takeType('session.update')
  return { ticket, client, provider }
}

const onlySession = async (conversationId: string) => {
  const sessions = await sessionsOf(first.client, conversationId)
  expect(sessions).toHaveLength(1)
  return sessions[0] as RealtimeSession
}

const list = (query: string, client = first.client) =>
  client.call<Page<RealtimeSession>>('GET', `${path}?${query}`)
const end = (session: { readonly id: string }) => first.client.call('DELETE', `${path}/${session.id}`)

describe('a session', () => {
  test('matches the contract from its token to its end [RT-26]', async () => {
    const ticket = await first.createTicket()
    const { conversationId } = ticket
    const issued = await onlySession(conversationId)
    const now = clock.now().toISOString()
    expect(issued).toEqual({
      ...{ id: expect.any(String), createdAt: now, updatedAt: now, agentId: first.agentId, conversationId },
      cost: noCost,
      ...{
        state: 'issued',
        startedAt: null,
        endedAt: null,
        endReason: null,
        usage: expect.any(Object),
        latency: null,
        rehearsal: false,
      },
    })
    expect(RealtimeSession.parse(issued)).toEqual(issued)
    expect(JSON.stringify(issued)).not.toContain(ticket.sessionId)

    clock.advance(1000)
    const client = await openSocket(first.url, ticket.webSocketPath)
    await first.provider.accept()
    const startedAt = clock.now().toISOString()
    const started = { ...issued, state: 'consumed', startedAt, updatedAt: startedAt }
    expect(await onlySession(conversationId)).toEqual(started)
    expect((await first.client.call('GET', `${path}/${issued.id}`)).body).toEqual(started)

    clock.advance(1000)
    const endedAt = clock.now().toISOString()
    client.socket.close()
    expect(await endedSession(first.client, conversationId)).toEqual({
      ...{ ...started, endedAt, updatedAt: endedAt, endReason: 'client_left' },
    })
  })

  test('is expired if its token was not used in time [RT-26]', async () => {
    const { conversationId, expiresAt } = await first.createTicket()
    clock.advance(Date.parse(expiresAt) - clock.now().getTime() - 1)
    expect(await onlySession(conversationId)).toMatchObject({ state: 'issued' })
    clock.advance(1)
    expect(await onlySession(conversationId)).toMatchObject({ state: 'expired', startedAt: null })
  })

  test("is not found with another organization's key or with an invalid id [RT-26]", async () => {
    const { conversationId } = await first.createTicket()
    const { id } = await onlySession(conversationId)
    const stranger = first.client.as(await addOrganization(first))
    expect((await list('', stranger)).body).toMatchObject({ items: [], totalCount: 0 })
    for (const method of ['GET', 'DELETE']) {
      expect((await stranger.call(method, `${path}/${id}`)).status).toBe(404)
      expect((await first.client.call(method, `${path}/none`)).status).toBe(404)
    }
    const ticket = await first.createTicket()
    expect((await first.client.call('GET', `${path}/${ticket.conversationId}`)).status).toBe(404)
  })
})

describe('the list of sessions', () => {
  test('filters by agent, conversation and running state, newest first [RT-26]', async () => {
    const agentId = await createAgent()
    const ended = await openOn(first, {}, agentId)
    const { conversationId } = ended.ticket
    ended.client.socket.close()
    await endedSession(first.client, conversationId)
    const running = await openOn(second, { conversationId }, agentId)
    await first.createTicket({ conversationId }, agentId)
    await first.createTicket({}, agentId)
    const all = (await list(`AgentId=${agentId}`)).body
    expect(all).toMatchObject({ totalCount: 4, offset: 0, limit: 50 })
    const [unused, waiting, runs, over] = all.items
    expect([unused, waiting, runs, over].map((session) => [session?.state, session?.endReason])).toEqual([
      ...[
        ['issued', null],
        ['issued', null],
        ['consumed', null],
        ['consumed', 'client_left'],
      ],
    ])

    const rows: readonly [string, unknown[]][] = [
      [`ConversationId=${conversationId}`, [waiting, runs, over]],
      [`AgentId=${agentId}&IsRunning=true`, [runs]],
      [`AgentId=${agentId}&IsRunning=false`, [unused, waiting, over]],
      [`ConversationId=${conversationId}&IsRunning=false`, [waiting, over]],
      [`AgentId=${first.agentId}&ConversationId=${conversationId}`, []],
      [`AgentId=${agentId}&Offset=1&Limit=2`, [waiting, runs]],
    ]
    for (const [query, items] of rows) expect((await list(query)).body.items, query).toEqual(items)
    for (const query of ['IsRunning=yes', 'State=issued', 'AgentId=none', 'Limit=0'])
      expect((await list(query)).status, query).toBe(400)
    running.client.socket.close()
    await endedSession(first.client, running.ticket.conversationId)
  })
})

describe('ending a session', () => {
  const instances = [
    ['the instance that receives the request', () => first],
    ['another instance', () => second],
  ] as const

  test.each(instances)(
    'closes a session on %s with 4005 and states the reason [RT-26]',
    async (_, instance) => {
      const { client, provider, ticket } = await openOn(instance())
      provider.send(spoke('A', 'Hel'))
      await client.inbox.take()
      const session = await onlySession(ticket.conversationId)
      expect((await end(session)).status).toBe(204)
      const { error } = ServiceErrorEvent.parse(await client.inbox.takeType('error'))
      expect(error).toMatchObject({ code: 'terminated', message: expect.stringContaining('operator') })
      expect(await client.inbox.closed).toEqual({ code: 4005, reason: 'terminated' })
      await provider.inbox.closed
      expect(await endedSession(first.client, ticket.conversationId)).toMatchObject({
        endReason: 'terminated',
      })
      expect(await messagesOf(first.client, ticket.conversationId)).toMatchObject([
        { content: 'Hel', interrupted: true },
      ])
    },
  )

  test('happens once and is audited once [RT-26]', async () => {
    const { client, ticket } = await openOn(second)
    const session = await onlySession(ticket.conversationId)
    const statuses = (await Promise.all([end(session), end(session)])).map((answer) => answer.status)
    expect(statuses).toEqual([204, 204])
    await client.inbox.closed
    const ended = await endedSession(first.client, ticket.conversationId)
    expect((await end(session)).status).toBe(204)
    expect(await onlySession(ticket.conversationId)).toEqual(ended)
    const { body } = await first.client.call<Page<AuditLogRecord>>(
      'GET',
      '/api/v1/AuditLog?Action=realtime_session.end',
    )
    expect(body.items.filter((record) => record.resourceId === session.id)).toHaveLength(1)
  })

  test('invalidates a token that was not used [RT-26]', async () => {
    const ticket = await first.createTicket()
    await end(await onlySession(ticket.conversationId))
    for (const { url } of [first, second]) {
      const refused = await requestHandshake(url, ticket.webSocketPath)
      expect([refused.status, JSON.parse(refused.text)]).toMatchObject([
        400,
        { errorCode: 'RealtimeSessionInvalid' },
      ])
    }
    expect(await onlySession(ticket.conversationId)).toMatchObject({ startedAt: null })
  })
})

describe('a deletion', () => {
  test.each(['agent', 'conversation'])(
    'ends the sessions of the deleted %s and no others [RT-26]',
    async (what) => {
      const [agentId, otherId] = [await createAgent(), await createAgent()]
      const affected = await openOn(first, {}, agentId)
      const { conversationId } = affected.ticket
      const elsewhere = await openOn(second, { conversationId }, agentId)
      const unused = await first.createTicket({ conversationId }, agentId)
      const unaffected = await openOn(second, {}, what === 'agent' ? otherId : agentId)
      const gone = what === 'agent' ? `/api/v1/Agent/${agentId}` : `/api/v1/Conversation/${conversationId}`
      expect((await first.client.call('DELETE', gone)).status).toBe(204)

      for (const { client } of [affected, elsewhere]) {
        const { error } = ServiceErrorEvent.parse(await client.inbox.takeType('error'))
        expect(error.code).toBe('terminated')
        expect(await client.inbox.closed).toEqual({ code: 4005, reason: 'terminated' })
      }
      const refused = await requestHandshake(second.url, unused.webSocketPath)
      expect([refused.status, JSON.parse(refused.text)]).toMatchObject([
        400,
        { errorCode: 'RealtimeSessionInvalid' },
      ])
      unaffected.provider.send(answered('A', 'Still here'))
      await unaffected.client.inbox.takeType('response.completed')
      expect(await onlySession(unaffected.ticket.conversationId)).toMatchObject({ endedAt: null })
      unaffected.client.socket.close()
      await endedSession(first.client, unaffected.ticket.conversationId)
    },
  )
})
