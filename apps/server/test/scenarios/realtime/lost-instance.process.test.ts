import type { RealtimeSession } from '@parley/contract'
import { Registry } from 'prom-client'
import { v7 as uuid } from 'uuid'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { makeLog } from '#server/adapters/system/log.js'
import { makePrometheusRealtimeMetrics } from '#server/adapters/system/prometheus-metrics.js'
import { noTracing } from '#server/adapters/system/tracing.js'
import { hashToken } from '#server/domain/new-id.js'
import { RunningSessions } from '#server/domain/realtime/session/running-sessions.js'
import { noWorkMetrics } from '../../support/no-work-metrics.js'
import { bootstrap, cleanUp, slow, startParley } from '../../support/process/parley-process.js'
import { noTools } from '../../support/realtime/no-tools.js'
import { openSocket } from '../../support/realtime/open-socket.js'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'
import {
  announcedIds,
  answered,
  committed,
  endedSession,
  patiently,
  sessionsOf,
  transcribed,
} from '../../support/realtime/spoken-turns.js'
import { withPostgresClient } from '../../support/services/postgres-connection.js'
import type { PostgresDatabase } from '../../support/services/postgres-database.js'
import { migratedDatabase, startService } from '../../support/start-service.js'
import { makeTestTimers } from '../../support/test-timers.js'

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

/** Makes the lease of an instance look older by this many seconds. */
const age = (instanceId: string, seconds: number) =>
  sql(
    `update instance_lease set renewed_at = renewed_at - make_interval(secs => $2) where instance_id = $1`,
    [instanceId, seconds],
  )

/** Returns the lease handling of an instance without the rest of a service. */
function makeInstance() {
  const own = makeTestTimers()
  const id = uuid()
  const outside = {
    database: service.service.database,
    clock: { now: () => new Date() },
    timers: own,
    log: makeLog('silent', false),
  }
  const sessions = new RunningSessions(
    {
      ...outside,
      tools: noTools(outside),
      tracing: noTracing,
      workMetrics: noWorkMetrics,
      metrics: makePrometheusRealtimeMetrics(new Registry()),
      config: { maxSessionSeconds: 60, idleTimeoutSeconds: 60, providerConnectTimeoutSeconds: 15 },
    },
    { instanceId: id, leaseSeconds: 15 },
  )
  return {
    id,
    keepLease: () => sessions.keepLease(),
    /** Renews the lease for as long as an instance needs before it may judge others. */
    async watch() {
      await sessions.keepLease()
      own.advance(leaseMilliseconds)
      await sessions.keepLease()
    },
  }
}

/** Stores a session that runs on that instance according to the database. */
async function sessionOn(instanceId: string): Promise<() => Promise<RealtimeSession | undefined>> {
  const ticket = await service.createTicket()
  const { realtimeSessions } = service.service.database.stores
  const now = new Date().toISOString()
  await realtimeSessions.consume({
    tokenHash: hashToken(ticket.sessionId),
    now,
    instanceId,
    maxRunning: 1000,
  })
  return async () => (await sessionsOf(service.client, ticket.conversationId))[0]
}

const running = { state: 'consumed', endedAt: null, endReason: null }
const lost = { state: 'consumed', endedAt: expect.any(String), endReason: 'instance_lost' }

describe('the sessions of an instance', () => {
  test.each([
    ['are left alone if it keeps its lease', 0, running],
    ['are left alone if its renewal is late', 6, running],
    ['are closed if it is silent for longer than a lease', 16, lost],
  ])('sessions %s [RT-27]', async (_, seconds, expected) => {
    const [silent, other] = [makeInstance(), makeInstance()]
    const session = await sessionOn(silent.id)
    await silent.keepLease()
    await age(silent.id, seconds)
    await other.watch()
    expect(await session()).toMatchObject(expected)
  })

  test('sessions are closed if their instance never had a lease [RT-27]', async () => {
    const session = await sessionOn(uuid())
    await makeInstance().watch()
    expect(await session()).toMatchObject(lost)
  })

  test('sessions are not closed by an instance that had lost the database itself [RT-27]', async () => {
    const [one, other] = [makeInstance(), makeInstance()]
    const session = await sessionOn(one.id)
    await one.keepLease()
    await other.watch()
    // The database was unavailable to both instances. The second one reaches it again first.
    for (const { id } of [one, other]) await age(id, 60)
    await other.keepLease()
    await one.keepLease()
    await other.watch()
    expect(await session()).toMatchObject(running)
  })

  test('sessions are covered by a lease from the start of the instance [RT-27]', async () => {
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
})

describe('a running session that was declared lost', () => {
  async function givenUp() {
    const session = await service.openSession()
    const { rows } = await sql('select instance_id from realtime_session where conversation_id = $1', [
      session.ticket.conversationId,
    ])
    const { instanceLeases } = service.service.database.stores
    // Repeats this in case the instance renews its lease in between.
    const expireLease = async () => {
      await age(String(rows[0]?.instance_id), 60)
      return instanceLeases.closeLost(15)
    }
    await expect.poll(expireLease, patiently).toBeGreaterThan(0)
    return session
  }

  test('stays lost: its last turn is stored and its client is asked to reconnect [RT-44] [RT-27]', async () => {
    const { ticket, client, provider } = await givenUp()
    provider.send(transcribed('U', 'Still here'))
    await client.inbox.takeType('message.created')
    expect(await client.inbox.closed).toMatchObject({ code: 1012 })
    const books = async () => (await sessionsOf(service.client, ticket.conversationId))[0]
    expect(await books()).toMatchObject(lost)
    const { body } = await service.client.call('GET', `/api/v1/Conversation/${ticket.conversationId}/message`)
    expect(body.items).toMatchObject([{ content: 'Still here' }])
  })
})

describe('a process that is killed during a session', slow, () => {
  afterEach(cleanUp)
  const rounds = 2
  const turns = Array.from({ length: 100 }, (_, index) => index)
  const env = {
    ...bootstrap,
    PARLEY_SECRET: 'a secret for tests that is long enough',
    PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1',
    LOG_LEVEL: 'warn',
  }

  /** Runs a session in a process that is killed at a random turn. Returns the ids that were announced. */
  async function sessionCutShort(name: string, conversationId: string): Promise<string[]> {
    const parley = await startParley({ env: { ...env, DATABASE_URL: postgres.url } })
    const url = await parley.ready()
    const client = await openSocket(url, (await service.createTicket({ conversationId })).webSocketPath)
    const provider = await service.provider.accept()
    for (const turn of turns) {
      provider.send(committed(`U${turn}`))
      provider.send(answered(`A${turn}`, `${name} ${turn} answer`))
      provider.send(transcribed(`U${turn}`, `${name} ${turn} question`))
    }
    const enough = 1 + Math.floor(Math.random() * 1.5 * turns.length)
    await vi.waitUntil(() => announcedIds(client).length >= enough, { ...patiently, interval: 1 })
    parley.signal('SIGKILL')
    await client.inbox.closed
    return announcedIds(client)
  }

  test('has stored each announced turn once and in order, and other instances close its sessions [RT-27] [RT-19] [RT-18]', async () => {
    const { conversationId } = await service.createTicket()
    const names = Array.from({ length: rounds }, (_, round) => `round ${round}`)
    const announced: string[] = []
    for (const name of names) announced.push(...(await sessionCutShort(name, conversationId)))

    const { conversations, realtimeSessions } = service.service.database.stores
    const everything = { offset: 0, limit: 10_000 }
    const { items } = await conversations.listMessages(service.organizationId, conversationId, everything)
    const ids = items.map((message) => message.id)
    expect(announced.filter((id) => !ids.includes(id))).toEqual([])
    expect(announced.length).toBe(new Set(announced).size)
    const contents = items.map((message) => message.content)
    expect(contents.length).toBe(new Set(contents).size)
    const spoken = names.flatMap((name) =>
      turns.flatMap((turn) => [`${name} ${turn} question`, `${name} ${turn} answer`]),
    )
    expect(contents).toEqual(spoken.filter((content) => contents.includes(content)))
    const { body } = await service.client.call('GET', `/api/v1/Conversation/${conversationId}`)
    expect(body).toMatchObject({ messageCount: items.length })

    const filter = { conversationId, isRunning: true }
    const books = await realtimeSessions.list(service.organizationId, filter, everything)
    expect(books.totalCount).toBe(rounds)
    for (const { instanceId } of books.items) await age(instanceId ?? '', 60)
    timers.advance(leaseMilliseconds)
    const reasons = async () =>
      (await sessionsOf(service.client, conversationId)).map((session) => session.endReason)
    await expect.poll(reasons, patiently).toEqual([...names.map(() => 'instance_lost'), null])
  })
})
