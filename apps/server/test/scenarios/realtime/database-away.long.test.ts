import { ServiceErrorEvent } from '@parley/contract'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type FaultyDatabase, startFaultyDatabase } from '../../support/realtime/faulty-database.js'
import { openSocket } from '../../support/realtime/open-socket.js'
import {
  type OpenSession,
  type RealtimeTestService,
  startRealtimeService,
} from '../../support/realtime/realtime-service.js'
import {
  announcedIds,
  answered,
  committed,
  customEventsIn,
  endedSession,
  messagesOf,
  patiently,
  responseDone,
  spoke,
  transcribed,
} from '../../support/realtime/spoken-turns.js'
import { withPostgresClient } from '../../support/services/postgres-connection.js'
import type { PostgresDatabase } from '../../support/services/postgres-database.js'
import { startTcpProxy, type TcpProxy } from '../../support/services/tcp-proxy.js'
import { migratedDatabase, type RunningService, startService } from '../../support/start-service.js'

let postgres: PostgresDatabase
let proxy: TcpProxy
let service: RealtimeTestService

beforeAll(async () => {
  postgres = await migratedDatabase()
  const { hostname, port } = new URL(postgres.url)
  proxy = await startTcpProxy(hostname, Number(port))
  service = await startRealtimeService({ env: { DATABASE_URL: proxy.rewriteUrl(postgres.url) } })
})

afterEach(() => proxy.restore())

afterAll(async () => {
  await service.close()
  await proxy.close()
  await postgres.drop()
})

const sql = (statement: string) => withPostgresClient(postgres.url, (client) => client.query(statement))

/** Checks that frames pass in both directions. */
async function expectRelay({ client, provider }: OpenSession): Promise<void> {
  provider.send({ type: 'to the client' })
  await client.inbox.takeType('to the client')
  client.send({ type: 'to.the.provider' })
  await provider.inbox.takeType('to.the.provider')
}

const contentsOf = async (conversationId: string) =>
  (await messagesOf(service.client, conversationId)).map((message) => message.content)

const eventsDuringOutage = [
  committed('U'),
  spoke('A', 'Hel'),
  answered('A', 'Hello'),
  transcribed('U', 'Hi'),
  { type: 'conversation.item.truncated', item_id: 'A' },
  responseDone('R', { status: 'completed', usage: { total_tokens: 7 } }),
  answered('B', 'More'),
]

describe('a session while the database is unavailable', () => {
  test('continues, stores the turns in order afterwards and announces them [RT-24]', async () => {
    const session = await service.openSession()
    const { client, provider, ticket } = session
    provider.send(answered('Z', 'Before'))
    await client.inbox.takeType('response.completed')
    await proxy.cut()
    for (const event of eventsDuringOutage) provider.send(event)
    await expectRelay(session)
    const waits = () => service.log.some((line) => line.includes('database unavailable; writes are queued'))
    await expect.poll(waits, patiently).toBe(true)
    await expectRelay(session)
    expect(announcedIds(client)).toHaveLength(1)

    await proxy.restore()
    const eventTypes = ['response.id', 'response.completed']
    await expect
      .poll(() => customEventsIn(client).map((event) => event.type), patiently)
      .toEqual([...eventTypes, ...eventTypes, 'message.created', ...eventTypes])
    client.socket.close()
    expect(await endedSession(service.client, ticket.conversationId)).toMatchObject({
      endReason: 'client_left',
      usage: { responses: 1, totalTokens: 7 },
    })
    const stored = await messagesOf(service.client, ticket.conversationId)
    expect(stored).toMatchObject([
      { content: 'Before', interrupted: false },
      { content: 'Hi', role: 'user' },
      { content: 'Hello', role: 'assistant', interrupted: true },
      { content: 'More', interrupted: false },
    ])
    const [before, hi, hello, more] = stored.map((message) => message.id)
    expect(announcedIds(client)).toEqual([before, hello, hi, more])
  })

  const ways: readonly [string, (session: OpenSession) => void, string][] = [
    ['by its client', ({ client }) => client.socket.close(1000), 'client_left'],
    ['by its provider', ({ provider }) => provider.socket.terminate(), 'provider_closed'],
  ]
  test.each(ways)('is stored if it is ended %s [RT-24]', async (_, end, endReason) => {
    const session = await service.openSession()
    const { client, provider, ticket } = session
    await proxy.cut()
    for (const event of [...eventsDuringOutage, committed('V'), spoke('C', 'And th')]) provider.send(event)
    await expectRelay(session)
    end(session)
    await Promise.all([client.inbox.closed, provider.inbox.closed])
    await proxy.restore()
    expect(await endedSession(service.client, ticket.conversationId)).toMatchObject({
      endReason,
      usage: { totalTokens: 7 },
    })
    expect(await contentsOf(ticket.conversationId)).toEqual(['Hi', 'Hello', 'More', '', 'And th'])
    expect(announcedIds(client)).toEqual([])
  })

  test('ends with 1011 when more than 1 MiB waits, and the backlog is stored [RT-24]', async () => {
    const session = await service.openSession()
    const { client, provider, ticket } = session
    const parts = ['a', 'b', 'c', 'd', 'e'].map((letter) => letter.repeat(120_000))
    await proxy.cut()
    for (const [index, words] of parts.slice(0, 4).entries()) provider.send(answered(`A${index}`, words))
    provider.send(spoke('B', 'Hel'))
    await expectRelay(session)
    expect(announcedIds(client)).toEqual([])
    provider.send(answered('A4', parts[4] ?? ''))
    const { error } = ServiceErrorEvent.parse(await client.inbox.takeType('error'))
    expect(error).toMatchObject({ code: 'internal', message: expect.stringContaining('database') })
    expect(await client.inbox.closed).toEqual({ code: 1011, reason: 'internal' })
    await provider.inbox.closed
    await proxy.restore()
    expect(await endedSession(service.client, ticket.conversationId)).toMatchObject({ endReason: 'internal' })
    expect(await contentsOf(ticket.conversationId)).toEqual([...parts.slice(0, 4), 'Hel', parts[4]])
    expect(announcedIds(client)).toEqual([])
  })
})

test('a database that is read-only for a while after a failover counts as unavailable [RT-24]', async () => {
  const { client, provider, ticket } = await service.openSession()
  const name = new URL(postgres.url).pathname.slice(1)
  const switchTo = (isReadOnly: boolean) =>
    withPostgresClient(postgres.url, async (own) => {
      await own.query('set default_transaction_read_only = off')
      await own.query(`alter database "${name}" set default_transaction_read_only = ${isReadOnly}`)
      await own.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`)
    })
  const waiting = () =>
    service.log.filter((line) => line.includes('database unavailable; writes are queued')).length
  const before = waiting()
  await switchTo(true)
  for (const event of eventsDuringOutage) provider.send(event)
  await expect.poll(waiting, patiently).toBe(before + 1)
  // Longer than the retries of a turn that the database rejects.
  let unready = 0
  const countUnready = async () => {
    unready += (await service.client.call('GET', '/readyz')).status === 503 ? 1 : 0
    return unready
  }
  await expect.poll(countUnready, { ...patiently, interval: 100 }).toBe(20)
  expect(announcedIds(client)).toEqual([])
  await switchTo(false)
  await expect.poll(() => announcedIds(client).length, patiently).toBe(3)
  expect(await contentsOf(ticket.conversationId)).toEqual(['Hi', 'Hello', 'More'])
  client.socket.close()
  await endedSession(service.client, ticket.conversationId)
})

test('a turn that the database rejects permanently does not block later turns [RT-24]', async () => {
  await sql(`
    create function refuse_message() returns trigger language plpgsql as $$ begin
      if new.content = 'refused' then raise exception 'not this one'; end if; return new; end $$;
    create trigger refuse_message before insert on message for each row execute function refuse_message()`)
  const { client, provider, ticket } = await service.openSession()
  for (const words of ['first', 'refused', 'last']) provider.send(answered(words, words))
  await expect.poll(() => announcedIds(client).length, patiently).toBe(2)
  await sql('drop function refuse_message cascade')
  const stored = await messagesOf(service.client, ticket.conversationId)
  expect(stored.map((message) => message.content)).toEqual(['first', 'last'])
  expect(announcedIds(client)).toEqual(stored.map((message) => message.id))
  expect(
    service.log.some((line) =>
      line.includes('the database rejected an entry repeatedly; the entry is dropped'),
    ),
  ).toBe(true)
  client.socket.close()
})

describe('a database that fails halfway', () => {
  let faulty: FaultyDatabase
  let other: RunningService

  beforeAll(async () => {
    const url = new URL(postgres.url)
    // Makes the pool give up a silent connection soon.
    url.searchParams.set('query_timeout', '500')
    faulty = await startFaultyDatabase(url.href)
    other = await startService({
      env: { DATABASE_URL: faulty.url, PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' },
    })
  })

  afterAll(async () => {
    await other.close()
    await faulty.close()
  })

  async function openFaultySession(): Promise<OpenSession> {
    const ticket = await service.createTicket()
    const client = await openSocket(other.url, ticket.webSocketPath)
    return { ticket, client, provider: await service.provider.accept() }
  }

  test('stores a turn once and announces its id if it never answers the commit [RT-18]', async () => {
    const { client, provider, ticket } = await openFaultySession()
    const lost = faulty.loseCommit()
    provider.send(transcribed('U', 'Hi'))
    await lost
    provider.send(answered('A', 'Hello'))
    await client.inbox.takeType('response.completed')
    const stored = await messagesOf(service.client, ticket.conversationId)
    expect(stored.map((message) => message.content)).toEqual(['Hi', 'Hello'])
    expect(announcedIds(client)).toEqual(stored.map((message) => message.id))
    const { body } = await service.client.call('GET', `/api/v1/Conversation/${ticket.conversationId}`)
    expect(body).toMatchObject({ messageCount: 2 })
    client.socket.close()
    await endedSession(service.client, ticket.conversationId)
  })

  test('counts as unavailable if it stops answering [RT-24]', async () => {
    const session = await openFaultySession()
    const { client, provider, ticket } = session
    faulty.hang()
    for (const event of eventsDuringOutage) provider.send(event)
    const waits = () => other.log.some((line) => line.includes('database unavailable; writes are queued'))
    await expect.poll(waits, patiently).toBe(true)
    await expectRelay(session)
    expect(announcedIds(client)).toEqual([])
    faulty.answer()
    await expect.poll(() => announcedIds(client).length, patiently).toBe(3)
    expect(await contentsOf(ticket.conversationId)).toEqual(['Hi', 'Hello', 'More'])
    client.socket.close()
    await endedSession(service.client, ticket.conversationId)
  })
})
