import type { Message, RealtimeSession, RealtimeSessionTicket } from '@parley/contract'
import { Registry } from 'prom-client'
import { v7 as uuid } from 'uuid'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { makeLog } from '#server/adapters/system/log.js'
import { makePrometheusRealtimeMetrics } from '#server/adapters/system/prometheus-realtime-metrics.js'
import { RunningSessions } from '#server/domain/realtime/running-sessions.js'
import { hashToken } from '#server/domain/realtime/session-token.js'
import {
  bootstrap,
  cleanUp,
  credentials,
  newDirectory,
  newPostgres,
  slow,
  startParley,
} from '../process/parley-process.js'
import { type ApiClient, makeApiClient } from '../support/api-client.js'
import { withPostgresClient } from '../support/services/postgres-connection.js'
import type { PostgresDatabase } from '../support/services/postgres-database.js'
import { databaseKinds, migratedDatabase, startService } from '../support/start-service.js'
import { makeTestTimers } from '../support/test-timers.js'
import { openSocket } from './support/open-socket.js'
import { type RealtimeTestService, startRealtimeService } from './support/realtime-service.js'
import { type ScriptedProvider, startScriptedProvider } from './support/scripted-provider.js'
import {
  announcedIds,
  answered,
  committed,
  endedSession,
  patiently,
  sessionsOf,
  transcribed,
} from './support/spoken-turns.js'

const leaseMilliseconds = 15_000
const timers = makeTestTimers()

let postgres: PostgresDatabase
let service: RealtimeTestService

beforeAll(async () => {
  postgres = await migratedDatabase()
  service = await startRealtimeService({ env: { DATABASE_URL: postgres.url }, timers })
})

afterAll(async () => {
  await service.close()
  await postgres.drop()
})

const sql = (statement: string, values: unknown[] = []) =>
  withPostgresClient(postgres.url, (client) => client.query<Record<string, string>>(statement, values))

/** Makes the lease of an instance look this much older than it is. */
const age = (instanceId: string, seconds: number) =>
  sql(
    `update instance_lease set renewed_at = renewed_at - make_interval(secs => $2) where instance_id = $1`,
    [instanceId, seconds],
  )

/** What an instance does for its lease, without the rest of a service around it. */
function makeInstance() {
  const own = makeTestTimers()
  const id = uuid()
  const sessions = new RunningSessions(
    {
      database: service.service.database,
      clock: { now: () => new Date() },
      timers: own,
      log: makeLog('silent', false),
      metrics: makePrometheusRealtimeMetrics(new Registry()),
      limits: { maxSessionSeconds: 60, idleTimeoutSeconds: 60, providerConnectTimeoutSeconds: 15 },
    },
    id,
  )
  return {
    id,
    keepLease: () => sessions.keepLease(),
    /** Keeps the lease for as long as it takes to be believed about others. */
    async watch() {
      await sessions.keepLease()
      own.advance(leaseMilliseconds)
      await sessions.keepLease()
    },
  }
}

/** A session that runs on that instance as far as the books tell. */
async function sessionOn(instanceId: string): Promise<() => Promise<RealtimeSession | undefined>> {
  const ticket = await service.createTicket()
  const { realtimeSessions } = service.service.database.stores
  await realtimeSessions.consume(hashToken(ticket.sessionId), new Date().toISOString(), instanceId)
  return async () => (await sessionsOf(service.client, ticket.conversationId))[0]
}

const running = { state: 'consumed', endedAt: null, endReason: null }
const lost = { state: 'consumed', endedAt: expect.any(String), endReason: 'instance_lost' }

describe('[RT-27] the sessions of an instance', () => {
  test.each([
    ['that keeps its lease are left alone', 0, running],
    ['that is late are left alone', 12, running],
    ['that is silent for longer than a lease are closed', 16, lost],
  ])('%s', async (_, seconds, expected) => {
    const [silent, other] = [makeInstance(), makeInstance()]
    const session = await sessionOn(silent.id)
    await silent.keepLease()
    await age(silent.id, seconds)
    await other.watch()
    expect(await session()).toMatchObject(expected)
  })

  test('that never had a lease are closed', async () => {
    const session = await sessionOn(uuid())
    await makeInstance().watch()
    expect(await session()).toMatchObject(lost)
  })

  test('are not closed by one that was out of touch with the database itself', async () => {
    const [one, other] = [makeInstance(), makeInstance()]
    const session = await sessionOn(one.id)
    await one.keepLease()
    await other.watch()
    // The database was away from both; it is back, and the other one notices first.
    for (const { id } of [one, other]) await age(id, 60)
    await other.keepLease()
    await one.keepLease()
    await other.watch()
    expect(await session()).toMatchObject(running)
  })

  test('have a lease from its first moment on', async () => {
    const young = await startService({
      env: { DATABASE_URL: postgres.url, PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' },
    })
    const ticket = await service.createTicket()
    const client = await openSocket(young.url, ticket.webSocketPath)
    await service.provider.accept()
    await makeInstance().watch()
    expect((await sessionsOf(service.client, ticket.conversationId))[0]).toMatchObject(running)
    client.socket.close()
    await endedSession(service.client, ticket.conversationId)
    await young.close()
  })

  test('are closed by a live one when its process is killed', slow, async () => {
    const settings = {
      ...bootstrap,
      PARLEY_SECRET: 'a secret for tests that is long enough',
      PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1',
    }
    const killed = await startParley({ env: { ...settings, DATABASE_URL: postgres.url } })
    const ticket = await service.createTicket()
    const client = await openSocket(await killed.ready(), ticket.webSocketPath)
    await service.provider.accept()
    killed.signal('SIGKILL')
    await client.inbox.closed
    const { rows } = await sql('select instance_id from realtime_session where conversation_id = $1', [
      ticket.conversationId,
    ])
    await age(String(rows[0]?.instance_id), 60)
    timers.advance(leaseMilliseconds)
    expect(await endedSession(service.client, ticket.conversationId)).toMatchObject(lost)
    await cleanUp()
  })
})

describe('[RT-27] a session that was given up, but runs,', () => {
  async function givenUp() {
    const session = await service.openSession()
    const { rows } = await sql('select instance_id from realtime_session where conversation_id = $1', [
      session.ticket.conversationId,
    ])
    await age(String(rows[0]?.instance_id), 60)
    expect(await service.service.database.stores.instanceLeases.closeLost(15)).toBeGreaterThan(0)
    return session
  }

  test('is taken back by its instance, and can be ended', async () => {
    const { ticket, client } = await givenUp()
    const books = async () => (await sessionsOf(service.client, ticket.conversationId))[0]
    await expect.poll(books, patiently).toMatchObject(running)
    await service.client.call('DELETE', `/api/v1/RealtimeSession/${(await books())?.id}`)
    expect(await client.inbox.closed).toMatchObject({ code: 4005 })
    await expect.poll(books, patiently).toMatchObject({ endReason: 'terminated' })
  })

  test('is stored with its true end', async () => {
    const { ticket, client, provider } = await givenUp()
    provider.send(transcribed('U', 'Still here'))
    await client.inbox.takeType('message.created')
    client.socket.close(1000)
    const books = async () => (await sessionsOf(service.client, ticket.conversationId))[0]
    await expect.poll(books, patiently).toMatchObject({ endReason: 'client_left' })
  })
})

describe('[RT-19] a process that is killed', slow, () => {
  afterEach(cleanUp)
  const rounds = 3
  const turns = Array.from({ length: 150 }, (_, index) => index)

  /** All messages of a conversation, page by page. */
  async function readAll(client: ApiClient, conversationId: string): Promise<Message[]> {
    const messages: Message[] = []
    for (;;) {
      const path = `/api/v1/Conversation/${conversationId}/message?Limit=200&Offset=${messages.length}`
      const { body } = await client.call<{ items: Message[] }>('GET', path)
      if (body.items.length === 0) return messages
      messages.push(...body.items)
    }
  }

  async function createAgent(client: ApiClient, provider: ScriptedProvider): Promise<string> {
    const create = async (path: string, body: object) =>
      (await client.call<{ id: string }>('POST', path, { body })).body.id
    const { baseUrl } = provider
    const connectionId = await create('/api/v1/Connection', {
      name: 'Scripted',
      kind: 'openai-compatible',
      baseUrl,
    })
    return create('/api/v1/Agent', { name: 'Speaker', connectionId })
  }

  test.each(databaseKinds)('has stored what it announced, once, in order: %s', async (kind) => {
    const provider = await startScriptedProvider()
    const env = { ...bootstrap, PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1', LOG_LEVEL: 'warn' }
    const start = {
      directory: await newDirectory(),
      env: { ...env, ...(kind === 'postgres' && (await newPostgres())) },
    }
    const announced: string[] = []
    let agentId = ''
    let conversationId: string | null = null
    for (let round = 0; round < rounds; round += 1) {
      const parley = await startParley(start)
      const url = await parley.ready()
      const client = makeApiClient(url, credentials)
      if (agentId === '') agentId = await createAgent(client, provider)
      const path = `/api/v1/Agent/${agentId}/realtime-session`
      const { body } = await client.call<RealtimeSessionTicket>('POST', path, { body: { conversationId } })
      conversationId = body.conversationId
      const socket = await openSocket(url, body.webSocketPath)
      const session = await provider.accept()
      for (const turn of turns) {
        session.send(committed(`U${turn}`))
        session.send(answered(`A${turn}`, `${round} ${turn} answer`))
        session.send(transcribed(`U${turn}`, `${round} ${turn} question`))
      }
      const enough = Math.floor(Math.random() * turns.length)
      await expect
        .poll(() => announcedIds(socket).length, { ...patiently, interval: 1 })
        .toBeGreaterThanOrEqual(enough)
      parley.signal('SIGKILL')
      await parley.ended
      await socket.inbox.closed
      announced.push(...announcedIds(socket))
    }
    const restarted = makeApiClient(await (await startParley(start)).ready(), credentials)
    const stored = await readAll(restarted, conversationId ?? '')
    const ids = stored.map((message) => message.id)
    expect(announced.filter((id) => !ids.includes(id))).toEqual([])
    const contents = stored.map((message) => message.content)
    expect(new Set(contents).size).toBe(contents.length)
    // Each session has stored the turns up to some point, in the order they were said, and none after it.
    for (let round = 0; round < rounds; round += 1) {
      const told = contents.filter((content) => content.startsWith(`${round} `))
      const spoken = turns.flatMap((turn) => [`${round} ${turn} question`, `${round} ${turn} answer`])
      expect(spoken.filter((content) => told.includes(content))).toEqual(told)
      expect(told.length).toBeGreaterThan(0)
    }
    const { body } = await restarted.call('GET', `/api/v1/Conversation/${conversationId}`)
    expect(body).toMatchObject({ messageCount: stored.length })
    await provider.close()
  })
})
