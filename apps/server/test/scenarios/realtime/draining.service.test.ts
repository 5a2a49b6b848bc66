import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openSocket, requestHandshake } from '../../support/realtime/open-socket.js'
import {
  type OpenSession,
  type RealtimeTestService,
  startRealtimeService,
} from '../../support/realtime/realtime-service.js'
import { endLines } from '../../support/realtime/session-ends.js'
import { patiently, sessionsOf } from '../../support/realtime/spoken-turns.js'
import { countLockWaits, withPostgresClient } from '../../support/services/postgres-connection.js'
import type { PostgresDatabase } from '../../support/services/postgres-database.js'
import { migratedDatabase } from '../../support/start-service.js'
import { makeTestTimers, type TestTimers } from '../../support/test-timers.js'

const drainSeconds = 20

let postgres: PostgresDatabase
let running: RealtimeTestService
let timers: TestTimers

beforeEach(async () => {
  timers = makeTestTimers()
  postgres = await migratedDatabase()
  running = await startRealtimeService({
    timers,
    env: { DATABASE_URL: postgres.url, PARLEY_DRAIN_SECONDS: String(drainSeconds) },
  })
})

afterEach(async () => {
  await running.close()
  await postgres.drop()
})

/** Checks that frames pass in both directions. */
async function expectRelayed({ client, provider }: OpenSession): Promise<void> {
  client.send({ type: 'response.create' })
  await provider.inbox.takeType('response.create')
  provider.send({ type: 'response.created', response: { id: 'r' } })
  await client.inbox.takeType('response.created')
}

interface StoredSession {
  readonly state: string
  readonly end_reason: string | null
}

/** Returns the stored sessions. Can be called after the service has closed. */
function storedSessions(): Promise<StoredSession[]> {
  return withPostgresClient(postgres.url, async (client) => {
    const columns = 'state, end_reason'
    return (await client.query<StoredSession>(`select ${columns} from realtime_session order by id`)).rows
  })
}

function waitingConnections(): Promise<number> {
  return withPostgresClient(postgres.url, countLockWaits)
}

describe('a draining service', () => {
  test('rejects new sockets with 503 and does not consume their tokens [RT-28]', async () => {
    const session = await running.openSession()
    const ticket = await running.createTicket()
    running.service.drain()
    const answer = await requestHandshake(running.url, ticket.webSocketPath)
    expect(answer.status).toBe(503)
    expect(JSON.parse(answer.text)).toMatchObject({ status: 503, errorCode: 'Unavailable' })
    expect(answer.headers.get('retry-after')).toBe('5')
    const [stored] = await sessionsOf(running.client, ticket.conversationId)
    expect(stored).toMatchObject({ state: 'issued', startedAt: null })
    await expectRelayed(session)
    session.client.socket.close()
    await session.client.inbox.closed
  })

  test('creates no session whose socket it would reject [RT-39] [RT-28]', async () => {
    running.service.drain()
    const path = `/api/v1/Agent/${running.agentId}/realtime-session`
    const answer = await running.client.call('POST', path, { body: {} })
    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).toBe('5')
    expect(answer.body).toMatchObject({
      errorCode: 'Unavailable',
      detail: expect.stringContaining('shutting down'),
    })
  })

  test('lets responses run until the deadline, then ends their sessions with 1012 and stores the reason [RT-28]', async () => {
    const sessions = [await running.openSession(), await running.openSession()]
    for (const session of sessions) await expectRelayed(session)
    const closing = running.service.close()
    timers.advance(drainSeconds * 1000 - 1)
    for (const session of sessions) await expectRelayed(session)
    expect(endLines(running)).toEqual([])
    timers.advance(1)
    for (const { client, provider } of sessions) {
      expect(await client.inbox.closed).toEqual({ code: 1012, reason: 'draining' })
      expect(JSON.parse(client.inbox.all.at(-1)?.data.toString() ?? '')).toMatchObject({
        type: 'error',
        error: {
          type: 'service_error',
          code: 'draining',
          message: expect.stringContaining('shutting down'),
        },
      })
      await provider.inbox.closed
    }
    await closing
    expect(endLines(running).map(({ reason }) => reason)).toEqual(['draining', 'draining'])
    expect(await storedSessions()).toEqual([
      { state: 'consumed', end_reason: 'draining' },
      { state: 'consumed', end_reason: 'draining' },
    ])
    expect(timers.waiting).toBe(0)
  })

  test('tells clients ahead one after another, and ends their silent sessions in this order [RT-56]', async () => {
    const sessions: OpenSession[] = []
    for (let count = 0; count < 4; count += 1) sessions.push(await running.openSession())
    const ended = () =>
      sessions.filter(({ client }) => client.socket.readyState !== client.socket.OPEN).length
    timers.advance(5000)
    const closing = running.service.close()
    for (const { client } of sessions) {
      expect(await client.inbox.takeJson()).toEqual({
        type: 'session.moving',
        data: { deadlineSeconds: drainSeconds },
      })
      const announced = sessions.filter(({ client: { inbox } }) => inbox.types.includes('session.moving'))
      expect(announced.at(-1)?.client).toBe(client)
      if (client !== sessions.at(-1)?.client) timers.advance(250)
    }
    timers.advance(249)
    expect(endLines(running)).toEqual([])
    timers.advance(1)
    await expect.poll(ended, patiently).toBe(1)
    expect(endLines(running)).toHaveLength(1)
    timers.advance(750)
    for (const { client } of sessions)
      expect(await client.inbox.closed).toEqual({ code: 1012, reason: 'draining' })
    await closing
  })

  test('ends a session only after its client has played the response [RT-56]', async () => {
    const { client, provider } = await running.openSession()
    provider.send({ type: 'response.created', response: { id: 'r' } })
    // Five seconds of audio, which arrive at once.
    const delta = 'A'.repeat(5000 * 64)
    provider.send({ type: 'response.output_audio.delta', response_id: 'r', delta })
    provider.send({ type: 'response.done', response: { id: 'r', status: 'completed', output: [] } })
    await client.inbox.takeType('response.done')
    const closing = running.service.close()
    timers.advance(5000)
    expect(endLines(running)).toEqual([])
    timers.advance(1500)
    expect((await client.inbox.closed).code).toBe(1012)
    await closing
  })

  test('finishes as soon as the last session ends [RT-28]', async () => {
    const { client } = await running.openSession()
    const closing = running.service.close()
    client.socket.close(1000)
    await closing
    expect(await storedSessions()).toEqual([{ state: 'consumed', end_reason: 'client_left' }])
    expect(timers.waiting).toBe(0)
  })

  test.each([
    ['before', 0],
    ['after', drainSeconds * 1000],
  ])('ends a session whose handshake had begun and finished %s the deadline [RT-28]', async (_, late) => {
    const ticket = await running.createTicket()
    const { client, closing } = await withPostgresClient(postgres.url, async (holder) => {
      await holder.query('begin')
      await holder.query('lock table realtime_session in exclusive mode')
      const opening = openSocket(running.url, ticket.webSocketPath)
      await expect.poll(waitingConnections, patiently).toBe(1)
      const closing = running.service.close()
      await expect.poll(() => fetch(`${running.url}/readyz`).then(({ status }) => status)).toBe(503)
      timers.advance(late)
      await holder.query('rollback')
      return { client: await opening, closing }
    })
    // A session that opened in time connects first, because the connect timeout is shorter than the drain
    // time.
    if (late === 0) await (await running.provider.accept()).inbox.takeType('session.update')
    timers.advance(drainSeconds * 1000 - late)
    expect(await client.inbox.closed).toEqual({ code: 1012, reason: 'draining' })
    await closing
    expect(await storedSessions()).toEqual([{ state: 'consumed', end_reason: 'draining' }])
  })
})
