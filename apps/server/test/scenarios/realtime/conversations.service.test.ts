import {
  type AuditLogRecord,
  Conversation,
  type Message,
  type Page,
  type RealtimeSessionTicket,
} from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addOrganization } from '../../support/organizations.js'
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
  transcribed,
} from '../../support/realtime/spoken-turns.js'
import { withPostgresClient } from '../../support/services/postgres-connection.js'
import type { PostgresDatabase } from '../../support/services/postgres-database.js'
import { migratedDatabase } from '../../support/start-service.js'

const path = '/api/v1/Conversation'

let postgres: PostgresDatabase
let service: RealtimeTestService

beforeAll(async () => {
  postgres = await migratedDatabase()
  service = await startRealtimeService({ env: { DATABASE_URL: postgres.url } })
})

afterAll(async () => {
  await service.close()
  await postgres.drop()
})

const at = ({ conversationId }: { readonly conversationId: string }) => `${path}/${conversationId}`

async function read(ticket: RealtimeSessionTicket): Promise<Conversation> {
  const { status, body, text } = await service.client.call<Conversation>('GET', at(ticket))
  expect(status, text).toBe(200)
  return body
}

/** Sends the events as the provider and waits until the given number of turns is announced. */
async function tell({ client, provider }: OpenSession, announced: number, ...events: readonly object[]) {
  for (const event of events) provider.send(event)
  await expect.poll(() => announcedIds(client).length, patiently).toBe(announced)
}

async function hangUp({ client, ticket }: OpenSession): Promise<void> {
  client.socket.close()
  await endedSession(service.client, ticket.conversationId)
}

/** Stores a conversation with these words, user and agent in turns. */
async function conversationOf(...words: readonly string[]): Promise<OpenSession> {
  const session = await service.openSession()
  await tell(
    session,
    words.length,
    ...words.map((text, index) => (index % 2 === 0 ? transcribed : answered)(`${index}`, text)),
  )
  await hangUp(session)
  return session
}

const list = (query: string, client = service.client) =>
  client.call<Page<Conversation>>('GET', `${path}?${query}`)

describe('a conversation', () => {
  test('starts empty and is updated with each turn [RT-29]', async () => {
    const session = await service.openSession()
    const { ticket } = session
    const empty = await read(ticket)
    expect(empty).toEqual({
      ...{ id: ticket.conversationId, createdAt: expect.any(String), updatedAt: empty.createdAt },
      ...{ agentId: service.agentId, title: null, messageCount: 0, lastMessageAt: null, rehearsal: false },
      ...{ endUserId: null, externalUserId: null, metadata: {} },
    })
    expect(Conversation.parse(empty)).toEqual(empty)
    await tell(session, 1, answered('A', 'Welcome.'))
    expect(await read(ticket)).toMatchObject({ title: null, messageCount: 1 })
    await tell(session, 3, transcribed('U', 'Good morning.'), answered('B', 'And to you.'))
    const [, , last] = await messagesOf(service.client, ticket.conversationId)
    const expected = { title: 'Good morning.', messageCount: 3, lastMessageAt: last?.createdAt }
    expect(await read(ticket)).toMatchObject(expected)
    await tell(session, 4, transcribed('V', 'Good evening.'))
    expect(await read(ticket)).toMatchObject({ title: 'Good morning.', messageCount: 4 })
    await hangUp(session)
  })

  test('keeps the time of its last message when the transcript of an earlier turn arrives late [RT-29]', async () => {
    const session = await service.openSession()
    for (const event of [committed('U'), { type: 'heard' }]) session.provider.send(event)
    await session.client.inbox.takeType('heard')
    const heardAt = Date.now()
    await expect.poll(() => Date.now() - heardAt).toBeGreaterThan(10)
    await tell(session, 1, answered('A', 'Hello'))
    const before = await read(session.ticket)
    await tell(session, 2, transcribed('U', 'Hi'))
    const [hi, hello] = await messagesOf(service.client, session.ticket.conversationId)
    const changed = { title: 'Hi', messageCount: 2, updatedAt: hi?.updatedAt }
    expect(await read(session.ticket)).toEqual({ ...before, ...changed })
    expect(before).toMatchObject({ lastMessageAt: hello?.createdAt, updatedAt: hello?.updatedAt })
    expect(Date.parse(hi?.createdAt ?? '')).toBeLessThan(Date.parse(hello?.createdAt ?? ''))
    await hangUp(session)
  })

  test.each([
    ['up to 80 characters', 'x'.repeat(81), 'x'.repeat(80)],
    ['without half a surrogate pair', `${'x'.repeat(79)}😀`, 'x'.repeat(79)],
    ['with a whole surrogate pair', `${'x'.repeat(78)}😀!`, `${'x'.repeat(78)}😀`],
  ])('takes its title from the first words, %s [RT-29]', async (_, words, title) => {
    const { ticket } = await conversationOf(words)
    expect((await read(ticket)).title).toBe(title)
  })

  test('takes no title from a turn whose transcription failed [RT-29]', async () => {
    const session = await service.openSession()
    const failed = {
      type: 'conversation.item.input_audio_transcription.failed',
      item_id: 'U',
      content_index: 0,
    }
    await tell(session, 1, committed('U'), failed, answered('A', 'Pardon?'))
    expect(await read(session.ticket)).toMatchObject({ title: null, messageCount: 2 })
    await tell(session, 2, transcribed('V', 'Hello?'))
    expect(await read(session.ticket)).toMatchObject({ title: 'Hello?' })
    await hangUp(session)
  })
})

describe('the list of conversations', () => {
  test('is sorted newest first and filters by agent and title [RT-29]', async () => {
    const [one, two, three] = [
      await conversationOf('100% sure'),
      await conversationOf('One 100 sure'),
      await conversationOf('100_'),
    ]
    const ids = (page: Page<Conversation>) => page.items.map((conversation) => conversation.id)
    const found = async (query: string) => ids((await list(query)).body)
    const [first, second, third] = [one, two, three].map((session) => session.ticket.conversationId)
    expect((await found(`AgentId=${service.agentId}`)).slice(0, 3)).toEqual([third, second, first])
    expect(await found('Search=SURE')).toEqual([second, first])
    expect(await found('Search=0%25')).toEqual([first])
    expect(await found('Search=0_')).toEqual([third])
    expect(await found(`Search=sure&AgentId=${one.ticket.conversationId}`)).toEqual([])
    expect(await found('Search=sure&Offset=1&Limit=1')).toEqual([first])
    expect((await list('Search=sure&Limit=1')).body).toMatchObject({ totalCount: 2, offset: 0, limit: 1 })
    for (const query of ['Title=sure', 'AgentId=none', 'Limit=201', 'Offset=-1'])
      expect((await list(query)).status, query).toBe(400)
  })
})

describe('the messages of a conversation', () => {
  test('messages are paged in the order they were said [RT-29]', async () => {
    const session = await service.openSession()
    const items = Array.from({ length: 12 }, (_, index) => `U${index}`)
    const words = items.toReversed().map((item) => transcribed(item, item))
    await tell(session, items.length, ...items.map(committed), ...words)
    const page = async (query: string) => {
      const answer = await service.client.call<Page<Message>>('GET', `${at(session.ticket)}/message?${query}`)
      return { ...answer.body, items: answer.body.items.map((message) => message.content) }
    }
    expect(await page('')).toEqual({ items, totalCount: 12, offset: 0, limit: 50 })
    expect(await page('Limit=5')).toEqual({ items: items.slice(0, 5), totalCount: 12, offset: 0, limit: 5 })
    expect(await page('Offset=5&Limit=5')).toMatchObject({ items: items.slice(5, 10), offset: 5 })
    expect(await page('Offset=10&Limit=5')).toMatchObject({ items: items.slice(10), totalCount: 12 })
    expect(await page('Offset=12')).toMatchObject({ items: [], totalCount: 12 })
    for (const query of ['Limit=0', 'Role=user'])
      expect((await service.client.call('GET', `${at(session.ticket)}/message?${query}`)).status).toBe(400)
    await hangUp(session)
  })
})

describe('deleting a conversation', () => {
  test('removes the messages as well, and later turns are not added [RT-29]', async () => {
    const other = await conversationOf('Stays')
    const session = await service.openSession()
    const { ticket, client, provider } = session
    await tell(session, 1, transcribed('U', 'Private words'))
    expect((await service.client.call('DELETE', at(ticket))).status).toBe(204)
    provider.send(answered('A', 'Too late'))
    await client.inbox.closed
    for (const [method, to] of [
      ['GET', at(ticket)],
      ['DELETE', at(ticket)],
      ['GET', `${at(ticket)}/message`],
    ] as const)
      expect((await service.client.call(method, to)).status).toBe(404)
    const { conversationId } = ticket
    const again = await service.client.call('POST', `/api/v1/Agent/${service.agentId}/realtime-session`, {
      body: { conversationId },
    })
    expect(again.status).toBe(404)
    expect((await list('Search=Private')).body.items).toEqual([])
    await endedSession(service.client, conversationId)
    expect(customEventsIn(client)).toHaveLength(1)

    const rows = async (id: string) =>
      withPostgresClient(postgres.url, async (database) => {
        const messages = await database.query('select from message where conversation_id = $1', [id])
        const conversations = await database.query('select title from conversation where id = $1', [id])
        return [messages.rowCount, conversations.rows]
      })
    expect(await rows(conversationId)).toEqual([0, [{ title: null }]])
    expect(await rows(other.ticket.conversationId)).toEqual([1, [{ title: 'Stays' }]])
    const { body } = await service.client.call<Page<AuditLogRecord>>(
      'GET',
      '/api/v1/AuditLog?Action=conversation.delete',
    )
    expect(body.items.map((record) => record.resourceId)).toContain(conversationId)
  })

  test('is rejected if the conversation has changed since it was read [API-12] [RT-29]', async () => {
    const session = await service.openSession()
    await tell(session, 1, transcribed('U', 'One'))
    const { headers } = await service.client.call('GET', at(session.ticket))
    await tell(session, 2, answered('A', 'Two'))
    const ifMatch = { headers: { 'if-match': headers.get('etag') ?? '' } }
    expect((await service.client.call('DELETE', at(session.ticket), ifMatch)).status).toBe(412)
    expect(await messagesOf(service.client, session.ticket.conversationId)).toHaveLength(2)
    await hangUp(session)
  })
})

test('conversations of another organization are not found [RT-29] [7.1-1]', async () => {
  const { ticket } = await conversationOf('Mine alone', 'Yours')
  const stranger = service.client.as(await addOrganization(service))
  expect((await list('', stranger)).body).toMatchObject({ items: [], totalCount: 0 })
  for (const [method, to] of [
    ['GET', at(ticket)],
    ['DELETE', at(ticket)],
    ['GET', `${at(ticket)}/message`],
  ] as const)
    expect((await stranger.call(method, to)).status).toBe(404)
  const { body } = await stranger.call<{ id: string }>('POST', '/api/v1/Agent', { body: { name: 'Spy' } })
  const foreign = await stranger.call('POST', `/api/v1/Agent/${body.id}/realtime-session`, {
    body: { conversationId: ticket.conversationId },
  })
  expect(foreign.status).not.toBe(201)
  expect((await read(ticket)).messageCount).toBe(2)
})
