import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FrameInbox } from '../../support/realtime/frame-inbox.js'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'
import { answered, messagesOf, patiently, transcribed } from '../../support/realtime/spoken-turns.js'

let service: RealtimeTestService

beforeAll(async () => {
  service = await startRealtimeService()
})

afterAll(() => service.close())

/** The role of the n-th turn. The user speaks first. */
const roleOf = (turn: number) => (turn % 2 === 0 ? 'user' : 'assistant')

/** Returns the provider's event for a finished turn. */
const spoken = (turn: number, words: string) =>
  (roleOf(turn) === 'user' ? transcribed : answered)(`item_${turn}`, words)

const contentsOf = async (conversationId: string) =>
  (await messagesOf(service.client, conversationId)).map(({ content }) => content)

/** Stores these turns in a session of their own. Returns the conversation id. */
async function say(words: readonly string[], request: object = {}): Promise<string> {
  const { ticket, client, provider } = await service.openUnconfigured(request)
  const before = await contentsOf(ticket.conversationId)
  words.forEach((each, turn) => {
    provider.send(spoken(turn, each))
  })
  await expect.poll(() => contentsOf(ticket.conversationId), patiently).toEqual([...before, ...words])
  client.socket.close()
  await provider.inbox.closed
  return ticket.conversationId
}

interface HistoryItem {
  readonly id: string
  readonly role: string
  readonly content: readonly { readonly text: string }[]
}

/** Takes the history items that the provider receives before the first client frame. */
async function takeHistory(inbox: FrameInbox): Promise<HistoryItem[]> {
  expect(await inbox.takeJson()).toMatchObject({ type: 'session.update' })
  const items: HistoryItem[] = []
  for (;;) {
    const event = await inbox.takeJson()
    if (event.type === 'response.create') return items
    expect(event).toMatchObject({ type: 'conversation.item.create', event_id: expect.any(String) })
    expect(Object.keys(event).sort()).toEqual(['event_id', 'item', 'type'])
    items.push(event.item as HistoryItem)
  }
}

/** Opens a session on the conversation and returns the history that its provider receives. */
async function historyOf(conversationId: string) {
  const session = await service.openUnconfigured({ conversationId })
  session.client.send({ type: 'response.create' })
  return { ...session, items: await takeHistory(session.provider.inbox) }
}

describe('a new session on a conversation', () => {
  test('sends the earlier turns in order, as items that a provider accepts [RT-5]', async () => {
    const words = ['Hello.', 'Good day, "sir" 😀.', 'A room,\nplease.', 'Certainly.']
    const conversationId = await say(words)
    const { client, items } = await historyOf(conversationId)
    expect(items).toEqual(
      words.map((text, turn) => ({
        // OpenAI accepts ids of at most 32 characters.
        id: expect.stringMatching(/^[\w-]{1,32}$/),
        type: 'message',
        role: roleOf(turn),
        content: [{ type: roleOf(turn) === 'user' ? 'input_text' : 'output_text', text }],
      })),
    )
    expect(new Set(items.map((item) => item.id)).size).toBe(words.length)
    client.socket.close()
  })

  test('sends no history if there are no turns [RT-5]', async () => {
    const { client, ticket, items } = await historyOf((await service.createTicket()).conversationId)
    expect(items).toEqual([])
    expect(await contentsOf(ticket.conversationId)).toEqual([])
    client.socket.close()
  })

  test('stores new turns and does not store the history again, however the provider echoes it [RT-5]', async () => {
    const words = ['My name is Ada.', 'Good to meet you, Ada.']
    const conversationId = await say(words)
    const { client, provider, items } = await historyOf(conversationId)
    for (const type of ['conversation.item.added', 'conversation.item.created', 'conversation.item.done'])
      for (const item of items) provider.send({ type, item: { ...item, type: 'message' } })
    provider.send(spoken(0, 'What is my name?'))
    provider.send(spoken(1, 'Ada.'))
    await client.inbox.takeType('message.created')
    await client.inbox.takeType('response.completed')
    const all = [...words, 'What is my name?', 'Ada.']
    expect(await contentsOf(conversationId)).toEqual(all)
    expect(client.inbox.types.filter((type) => type === 'message.created')).toHaveLength(1)
    client.socket.close()
    await provider.inbox.closed
    const third = await historyOf(conversationId)
    expect(third.items.map((item) => item.content[0]?.text)).toEqual(all)
    third.client.socket.close()
  })

  test('sends the last 60 messages of a long conversation, oldest first [RT-5]', async () => {
    const words = Array.from({ length: 64 }, (_, turn) => `Turn ${turn}.`)
    const { client, items } = await historyOf(await say(words))
    expect(items.map((item) => item.content[0]?.text)).toEqual(words.slice(-60))
    client.socket.close()
  })

  test('sends the last 24000 characters of a conversation with long messages [RT-5]', async () => {
    const words = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(8000))
    const { client, items } = await historyOf(await say(words))
    expect(items.map((item) => item.content[0]?.text)).toEqual(words.slice(-3))
    client.socket.close()
  })

  test('sends the end of a message that does not fit whole [RT-5]', async () => {
    const { client, items } = await historyOf(await say([`${'a'.repeat(20_000)}${'b'.repeat(20_000)}`]))
    expect(items.map((item) => item.content[0]?.text)).toEqual([`${'a'.repeat(4000)}${'b'.repeat(20_000)}`])
    client.socket.close()
  })
})
