import { createHash } from 'node:crypto'
import type { RealtimeSession } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { generateToken } from '#server/domain/new-id.js'
import { expectProblem, outcomeOf } from '../../support/http/expect-problem.js'
import { createResource } from '../../support/http/resources.js'
import { send } from '../../support/http/send.js'
import { openSocket, requestHandshake } from '../../support/realtime/open-socket.js'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'
import { withPostgresClient } from '../../support/services/postgres-connection.js'
import type { PostgresDatabase } from '../../support/services/postgres-database.js'
import { migratedDatabase, type RunningService, startService } from '../../support/start-service.js'
import { makeTestClock } from '../../support/test-clock.js'

const clock = makeTestClock()
const tokens: string[] = []
const patiently = { timeout: 60_000, interval: 20 }

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

async function createTicket(request: object = {}) {
  const ticket = await first.createTicket(request)
  tokens.push(ticket.sessionId)
  return ticket
}

/** Returns the only session of a conversation. */
async function sessionOf(conversationId: string): Promise<RealtimeSession | undefined> {
  const path = `/api/v1/RealtimeSession?ConversationId=${conversationId}`
  const { body } = await first.client.call<{ items: RealtimeSession[] }>('GET', path)
  expect(body.items).toHaveLength(1)
  return body.items[0]
}

const explain = (there: RunningService, path: string) => send(there.url, { method: 'GET', path })

const sql = (statement: string) =>
  withPostgresClient(postgres.url, (client) => client.query<Record<string, string>>(statement))

describe('the life of a token', () => {
  test('starts when it is issued and ends with the first connect, which starts the session [3.1-1]', async () => {
    const { conversationId, webSocketPath } = await createTicket()
    expect(await sessionOf(conversationId)).toMatchObject({ state: 'issued', startedAt: null, endedAt: null })

    const client = await first.connect(webSocketPath)
    const provider = await first.provider.accept()
    await provider.inbox.takeType('session.update')
    const startedAt = clock.now().toISOString()
    expect(await sessionOf(conversationId)).toMatchObject({ state: 'consumed', startedAt, endedAt: null })

    client.socket.close(1000)
    await provider.inbox.closed
    await expect
      .poll(() => sessionOf(conversationId), patiently)
      .toMatchObject({ state: 'consumed', endReason: 'client_left' })
  })

  test('lasts until the last millisecond before the expiry [3.1-1]', async () => {
    const { webSocketPath, expiresAt } = await createTicket()
    clock.advance(59_999)
    expect(Date.parse(expiresAt) - clock.now().getTime()).toBe(1)
    const client = await first.connect(webSocketPath)
    await first.provider.accept()
    client.socket.terminate()
  })

  test('ends permanently 60 seconds after the token was issued [3.1-2]', async () => {
    const { conversationId, webSocketPath } = await createTicket()
    clock.advance(60_000)
    for (const there of [first, second]) {
      expectProblem(await requestHandshake(there.url, webSocketPath), 'RealtimeSessionExpired')
      expectProblem(await explain(there, webSocketPath), 'RealtimeSessionExpired')
    }
    expect(await sessionOf(conversationId)).toMatchObject({ state: 'expired', startedAt: null })
    clock.advance(3_600_000)
    expectProblem(await requestHandshake(first.url, webSocketPath), 'RealtimeSessionExpired')
  })

  test('is over once it was used: during the session, afterwards and after the expiry [3.1-3]', async () => {
    const { conversationId, webSocketPath } = await createTicket()
    const client = await first.connect(webSocketPath)
    const provider = await first.provider.accept()
    const isUsed = async () => {
      for (const there of [first, second]) {
        expectProblem(await requestHandshake(there.url, webSocketPath), 'RealtimeSessionAlreadyUsed')
        expectProblem(await explain(there, webSocketPath), 'RealtimeSessionAlreadyUsed')
      }
    }
    await isUsed()
    expect(client.socket.readyState).toBe(client.socket.OPEN)
    client.socket.close()
    await provider.inbox.closed
    await expect.poll(async () => (await sessionOf(conversationId))?.endedAt, patiently).not.toBe(null)
    await isUsed()
    clock.advance(60_000)
    await isUsed()
  })

  test('allows one of twenty sockets that connect at the same time on two instances [3.1-3]', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { webSocketPath } = await createTicket()
      const places = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? first : second))
      const answers = await Promise.all(places.map((there) => requestHandshake(there.url, webSocketPath)))
      const refused = answers.filter((answer) => answer.status !== 101)
      expect(refused.map(outcomeOf)).toEqual(Array(19).fill('RealtimeSessionAlreadyUsed'))
    }
  })

  test('ends with an attempt on the wrong agent or conversation [3.1-4]', async () => {
    const { made } = await createResource(first.client, '/api/v1/Agent', { name: 'Another' })
    const other = await createTicket()
    const mismatches = [
      (path: string) => path.replace(first.agentId, made.id),
      (path: string) => path.replace(first.agentId, 'nobody'),
      (path: string) => path.replace(/conversationId=[\w-]+/, `conversationId=${other.conversationId}`),
      (path: string) => path.replace(/conversationId=[\w-]+/, 'conversationId=none'),
      (path: string) => path.replace(/conversationId=[\w-]+&/, ''),
    ]
    for (const mismatch of mismatches) {
      const { conversationId, webSocketPath } = await createTicket()
      const wrongPath = mismatch(webSocketPath)
      expect(wrongPath).not.toBe(webSocketPath)
      expectProblem(await requestHandshake(second.url, wrongPath), 'RealtimeSessionInvalid')
      expectProblem(await requestHandshake(first.url, webSocketPath), 'RealtimeSessionAlreadyUsed')
      expect(await sessionOf(conversationId)).toMatchObject({ state: 'consumed', endReason: 'refused' })
    }
    expect((await explain(first, other.webSocketPath)).status).toBe(426)
  })
})

test('a session created on one instance can be opened on another [4.3-6]', async () => {
  const { conversationId, webSocketPath } = await createTicket({ additionalInstructions: 'From the first.' })
  expect((await explain(second, webSocketPath)).status).toBe(426)
  const client = await openSocket(second.url, webSocketPath)
  // Sockets of the race above may have reached the provider, too.
  const provider = await acceptWith('From the first.')
  client.send({ type: 'response.create' })
  await provider.inbox.takeType('response.create')
  provider.send({ type: 'response.created', response: { id: 'resp_1' } })
  expect(await client.inbox.takeJson()).toMatchObject({ type: 'response.created' })
  client.socket.close()
  await expect.poll(async () => (await sessionOf(conversationId))?.endReason, patiently).toBe('client_left')
})

/** Returns the provider's side of the session with these instructions. */
async function acceptWith(instructions: string) {
  for (;;) {
    const provider = await first.provider.accept()
    const opening = provider.inbox.take().catch(() => null)
    if ((await opening)?.data.includes(instructions)) return provider
  }
}

describe('a token', () => {
  test('consists of 256 random bits [RT-1]', async () => {
    const { sessionId } = await createTicket()
    expect(Buffer.from(sessionId, 'base64url')).toHaveLength(32)
    const many = Array.from({ length: 200 }, () => Buffer.from(generateToken(), 'base64url'))
    for (let bit = 0; bit < 256; bit += 1) {
      const set = many.filter((bytes) => ((bytes[bit >> 3] ?? 0) >> (bit & 7)) & 1).length
      expect(set % many.length, `bit ${bit} of ${set}`).not.toBe(0)
    }
  })

  test('is not consumed by a failing database and does not appear in the logged error [RT-2] [RT-1]', async () => {
    const { sessionId, webSocketPath } = await createTicket()
    await sql(`
      create function refuse_row() returns trigger language plpgsql as $$ begin raise exception 'no room'; end $$;
      create trigger refuse_row before insert or update on realtime_session execute function refuse_row()`)
    const failedHandshake = await requestHandshake(first.url, webSocketPath)
    const path = `/api/v1/Agent/${first.agentId}/realtime-session`
    const failedCreation = await first.client.call('POST', path, { body: {} })
    await sql('drop function refuse_row cascade')

    expectProblem(failedHandshake, 'Unavailable')
    expectProblem(failedCreation, 'Internal')
    const causes = first.log.filter((line) => line.includes('no room'))
    expect(causes).toHaveLength(2)
    for (const cause of causes) expect(cause).not.toMatch(/[0-9a-f]{64}/)
    expect(first.log.join('')).not.toContain(sessionId)
    const client = await openSocket(first.url, webSocketPath)
    client.socket.terminate()
  })

  test('appears in no log line, and in the database only as a hash [RT-1]', async () => {
    const { rows: tables } = await sql(
      `select table_name from information_schema.tables where table_schema = 'public'`,
    )
    expect(tables.length).toBeGreaterThan(8)
    const dumps = await Promise.all(
      tables.map(async ({ table_name: name }) => {
        const { rows } = await sql(`select t::text as row from "${name}" t`)
        return rows.map(({ row }) => row).join('\n')
      }),
    )
    const stored = dumps.join('\n')
    const logged = [...first.log, ...second.log].join('')
    expect(logged).toContain('RealtimeSessionAlreadyUsed')
    expect(tokens.length).toBeGreaterThan(12)
    for (const token of tokens) {
      expect(logged).not.toContain(token)
      expect(stored).not.toContain(token)
      expect(stored).toContain(createHash('sha256').update(token).digest('hex'))
    }
  })
})
