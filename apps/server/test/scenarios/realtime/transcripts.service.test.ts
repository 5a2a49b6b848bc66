import { type CustomEvent, customEvents, type Message } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type OpenSession,
  type RealtimeTestService,
  startRealtimeService,
} from '../../support/realtime/realtime-service.js'
import {
  answerTriggers,
  cutAnswers,
  lateWords,
  missingWords,
  repeatedTurns,
  userTriggers,
} from '../../support/realtime/spoken-sessions.js'
import {
  announcedIds,
  answered,
  committed,
  customEventsIn,
  endedSession,
  messagesOf,
  patiently,
  responseCreated,
  responseDone,
  spoke,
  transcribed,
  typedItem,
} from '../../support/realtime/spoken-turns.js'
import { countLockWaits, withPostgresClient } from '../../support/services/postgres-connection.js'
import type { PostgresDatabase } from '../../support/services/postgres-database.js'
import { migratedDatabase } from '../../support/start-service.js'

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

/** Sends these events as the provider and waits until the client has received the last one. */
async function relay({ client, provider }: OpenSession, ...events: readonly object[]): Promise<void> {
  for (const event of events) provider.send(event)
  provider.send({ type: 'heard' })
  await client.inbox.takeType('heard')
}

/** Closes the client, waits for the end of the session and returns the stored messages. */
async function hangUp({ client, ticket }: OpenSession): Promise<readonly Message[]> {
  client.socket.close(1000)
  await endedSession(service.client, ticket.conversationId)
  return messagesOf(service.client, ticket.conversationId)
}

/** Returns the stored messages of a session in which the provider sent these events. */
async function storedAfter(...events: readonly object[]): Promise<readonly Message[]> {
  const session = await service.openSession()
  await relay(session, ...events)
  return hangUp(session)
}

const summarize = (messages: readonly Message[]) =>
  messages.map(({ role, content, interrupted, failure }) =>
    [role, content, ...(interrupted ? ['cut'] : []), ...(failure === null ? [] : [failure])].join(': '),
  )

describe('a trigger event', () => {
  test.each([
    ...userTriggers.map((type) => [type, 'user', ['message.created']] as const),
    ...answerTriggers.map((type) => [type, 'assistant', ['response.id', 'response.completed']] as const),
  ])('%s is stored for the %s and announced: %j [6.2-1] [6.3-1] [6.3-2]', async (type, role, announced) => {
    const session = await service.openSession()
    const words = type.includes('text') || type.includes('content') ? 'text' : 'transcript'
    const event = JSON.stringify({ type, item_id: 'i', content_index: 0, [words]: ' “Ä” \n 😀 ' })
    session.provider.send(event)
    await expect.poll(() => customEventsIn(session.client).length, patiently).toBe(announced.length)
    // The provider's own event comes first and unchanged.
    expect(session.client.inbox.all[0]?.data.toString()).toBe(event)
    expect(session.client.inbox.types).toEqual([type, ...announced])

    const [message, ...others] = await hangUp(session)
    expect(others).toEqual([])
    const chatbotId = service.agentId
    const now = { createdAt: expect.any(String), updatedAt: expect.any(String) }
    expect(message).toEqual({
      ...{ id: expect.any(String), conversationId: session.ticket.conversationId, ...now },
      ...{ role, content: ' “Ä” \n 😀 ', channel: 'realtime', interrupted: false, failure: null },
      ...{ callId: null, name: null, arguments: null, status: null, executionTimeSeconds: null },
      originId: expect.any(String),
    })
    if (message === undefined) return
    const { id, content, createdAt } = message
    const expected: CustomEvent[] =
      role === 'user'
        ? [{ type: 'message.created', data: { chatbotId, id, role, content, createdAt } }]
        : [
            { type: 'response.id', data: { chatbotId, id } },
            { type: 'response.completed', data: { chatbotId } },
          ]
    expect(customEventsIn(session.client)).toEqual(expected)
    expect(Math.abs(Date.parse(createdAt) - Date.now())).toBeLessThan(60_000)
  })

  test('leads to events with exactly the fields of the interface [6.3-1]', () => {
    const fields = (type: 'message.created' | 'response.id' | 'response.completed') =>
      Object.keys(customEvents[type].shape.data.shape)
    expect(fields('message.created')).toEqual(['chatbotId', 'id', 'role', 'content', 'createdAt'])
    expect(fields('response.id')).toEqual(['chatbotId', 'id'])
    expect(fields('response.completed')).toEqual(['chatbotId'])
  })

  test('loses characters that no database can store, in the announcement as well [RT-18]', async () => {
    const session = await service.openSession()
    session.provider.send(
      '{"type":"input_audio.transcript.done","item_id":"a\\u0000b","transcript":"a\\u0000\\ud83d!"}',
    )
    const { data } = await session.client.inbox.takeType('message.created')
    expect(data).toMatchObject({ content: 'a\ufffd!' })
    await relay(session, { type: 'conversation.item.truncated', item_id: 'a\0b' })
    expect(summarize(await hangUp(session))).toEqual(['user: a\ufffd!: cut'])
  })
})

describe('a turn', () => {
  test.each(repeatedTurns)('%s [RT-18]', async (_, events, stored) => {
    expect(summarize(await storedAfter(...events))).toEqual(stored)
  })

  test('is stored once in each session, even with the same ids [RT-18]', async () => {
    const [one, other] = [await service.openSession(), await service.openSession()]
    for (const session of [one, other]) await relay(session, answered('A', 'Yes'))
    expect(summarize([...(await hangUp(one)), ...(await hangUp(other))])).toEqual([
      'assistant: Yes',
      'assistant: Yes',
    ])
  })
})

test('a turn is announced only after it is stored, and the relay does not wait [RT-19]', async () => {
  const session = await service.openSession()
  await withPostgresClient(postgres.url, async (holder) => {
    await holder.query('begin')
    await holder.query('select from conversation where id = $1 for update', [session.ticket.conversationId])
    session.provider.send(transcribed('U', 'Hi'))
    session.provider.send(answered('A', 'Hello'))
    await expect.poll(() => countLockWaits(holder), patiently).toBe(1)
    await relay(session)
    session.client.send({ type: 'response.create' })
    await session.provider.inbox.takeType('response.create')
    expect(customEventsIn(session.client)).toEqual([])
    expect(await messagesOf(service.client, session.ticket.conversationId)).toEqual([])
    await holder.query('commit')
  })
  await expect
    .poll(() => customEventsIn(session.client).map((event) => event.type), patiently)
    .toEqual(['message.created', 'response.id', 'response.completed'])
  const stored = await messagesOf(service.client, session.ticket.conversationId)
  expect(announcedIds(session.client)).toEqual(stored.map((message) => message.id))
  await hangUp(session)
})

describe('the order of stored messages', () => {
  test.each(lateWords)('%s [RT-20]', async (_, events, stored) => {
    const messages = await storedAfter(...events)
    expect(summarize(messages)).toEqual(stored)
    const times = messages.map((message) => message.createdAt)
    expect(times).toEqual(times.toSorted())
  })

  test('keeps the order in which words were said across the sessions of a conversation [RT-20]', async () => {
    const first = await service.openSession()
    const { conversationId } = first.ticket
    await relay(first, committed('U1'))
    const second = await service.openSession({ conversationId })
    const echo = { type: 'conversation.item.added', item: typedItem('T', 'two') }
    await relay(second, echo, answered('A', 'three'))
    const third = await service.openSession({ conversationId })
    await relay(first, committed('U2'), transcribed('U2', 'four'), transcribed('U1', 'one'))
    const contents = async () =>
      (await messagesOf(service.client, conversationId)).map((message) => message.content)
    await expect.poll(contents, patiently).toEqual(['one', 'two', 'three', 'four'])
    for (const session of [third, second, first]) await hangUp(session)
  })
})

describe('an interrupted answer', () => {
  test.each(cutAnswers)('%s [RT-21]', async (_, events, stored) => {
    const session = await service.openSession()
    await relay(session, responseCreated('response of A'), ...events)
    await expect.poll(() => announcedIds(session.client).length, patiently).toBe(stored.length)
    expect(summarize(await hangUp(session))).toEqual(stored)
  })

  const ways: readonly [string, (session: OpenSession) => void, string][] = [
    ['a client that closes', ({ client }) => client.socket.close(1000), 'client_left'],
    ['a client whose connection breaks', ({ client }) => client.socket.terminate(), 'client_lost'],
    ['a provider that closes', ({ provider }) => provider.socket.close(1001, 'bye'), 'provider_closed'],
    ['a provider whose connection breaks', ({ provider }) => provider.socket.terminate(), 'provider_closed'],
    [
      'a client that sends a frame that is too large',
      ({ client }) => client.send(Buffer.alloc(100_000)),
      'message_too_big',
    ],
  ]
  test.each(ways)(
    'keeps the words that were said if it is interrupted by %s [RT-21]',
    async (_, leave, reason) => {
      const session = await service.openSession()
      await relay(session, committed('U'), spoke('A', 'Hel'), spoke('A', 'lo'))
      leave(session)
      const { conversationId } = session.ticket
      expect(await endedSession(service.client, conversationId)).toMatchObject({ endReason: reason })
      expect(await messagesOf(service.client, conversationId)).toMatchObject([
        { role: 'user', content: '', interrupted: true, failure: expect.stringContaining('session ended') },
        { role: 'assistant', content: 'Hello', interrupted: true, failure: null },
      ])
      expect(customEventsIn(session.client)).toEqual([])
    },
  )
})

describe('a transcription', () => {
  test.each(missingWords)('%s [RT-22]', async (_, events, stored) => {
    const session = await service.openSession()
    await relay(session, ...events)
    expect(summarize(await hangUp(session))).toEqual(stored)
    expect(customEventsIn(session.client).filter((event) => event.type === 'message.created')).toEqual([])
  })
})

describe('typed text of the client', () => {
  test.each([[['added', 'done']], [['created']], [['done']], [['added', 'added', 'created', 'done']]])(
    'is stored once, at the first echo of %j [RT-23]',
    async (echoes) => {
      const session = await service.openSession()
      const item = typedItem('T', 'typed')
      session.client.send({ type: 'conversation.item.create', item })
      expect(await session.provider.inbox.takeType('conversation.item.create')).toMatchObject({ item })
      expect(await messagesOf(service.client, session.ticket.conversationId)).toEqual([])
      await relay(session, ...echoes.map((name) => ({ type: `conversation.item.${name}`, item })))
      await expect
        .poll(() => customEventsIn(session.client), patiently)
        .toMatchObject([{ type: 'message.created', data: { content: 'typed' } }])
      expect(summarize(await hangUp(session))).toEqual(['user: typed'])
    },
  )

  test('is not stored for other roles than user [RT-23]', async () => {
    const echoes = ['assistant', 'system'].flatMap((role) =>
      ['input_text', 'output_text', 'text'].map((type) => ({
        type: 'conversation.item.added',
        item: { id: `${role} ${type}`, type: 'message', role, content: [{ type, text: 'Mine' }] },
      })),
    )
    expect(await storedAfter(...echoes)).toEqual([])
  })

  test('is replayed to the next session and not stored again [RT-23]', async () => {
    const session = await service.openSession()
    const { conversationId } = session.ticket
    await relay(
      session,
      { type: 'conversation.item.added', item: typedItem('T', 'typed') },
      answered('A', 'Hello'),
    )
    await hangUp(session)
    const next = await service.openSession({ conversationId })
    const replayed = [await next.provider.inbox.takeJson(), await next.provider.inbox.takeJson()]
    const items = replayed.map((event) => event.item as { role: string })
    expect(items.map((item) => item.role)).toEqual(['user', 'assistant'])
    await relay(
      next,
      ...items.flatMap((item) =>
        ['added', 'done', 'created'].map((name) => ({ type: `conversation.item.${name}`, item })),
      ),
      answered('B', 'Again'),
    )
    await expect.poll(() => announcedIds(next.client).length, patiently).toBe(1)
    expect(summarize(await hangUp(next))).toEqual(['user: typed', 'assistant: Hello', 'assistant: Again'])
  })
})

test('the embedded database stores a conversation as PostgreSQL does [DB-1]', {
  timeout: 60_000,
}, async () => {
  const embedded = await startRealtimeService({ database: 'embedded' })
  const { client, provider, ticket } = await embedded.openSession()
  const [R, truncated] = ['response of A', { type: 'conversation.item.truncated', item_id: 'A' }]
  const providerEvents = [
    committed('U'),
    answered('A', 'Hello'),
    responseDone(R),
    transcribed('U', 'Hi'),
    truncated,
  ]
  for (const event of [...providerEvents, ...providerEvents]) provider.send(event)
  await expect.poll(() => announcedIds(client).length, patiently).toBe(2)
  client.socket.close()
  const { conversationId } = ticket
  expect(await endedSession(embedded.client, conversationId)).toMatchObject({ endReason: 'client_left' })
  const stored = await messagesOf(embedded.client, conversationId)
  expect(summarize(stored)).toEqual(['user: Hi', 'assistant: Hello: cut'])
  expect(announcedIds(client)).toEqual(stored.map((message) => message.id).toReversed())
  await embedded.close()
})
