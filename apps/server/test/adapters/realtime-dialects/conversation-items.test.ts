import { describe, expect, test } from 'vitest'
import { ConversationItems } from '#server/adapters/realtime-dialects/conversation-items.js'
import { ProviderCalls } from '#server/adapters/realtime-dialects/provider-calls.js'
import { collectEvents } from '../../support/realtime/dialects/emitted-events.js'

function makeItems() {
  const events = collectEvents()
  return { items: new ConversationItems(events.emit), events }
}

const message = (id?: string) => ({
  type: 'conversation.item.create',
  item: {
    ...(id && { id }),
    type: 'message',
    role: 'user',
    content: [{ type: 'input_text', text: 'Hello' }],
  },
})

describe('ConversationItems', () => {
  test('echoes each item in order, with the id of the client or one of its own', () => {
    const { items, events } = makeItems()
    items.create(message('U1'))
    items.create(message())
    const [first, , second] = events.take()
    expect(first).toMatchObject({
      type: 'conversation.item.added',
      previous_item_id: null,
      item: { id: 'U1' },
    })
    expect(second).toMatchObject({ previous_item_id: 'U1', item: { id: expect.stringMatching(/^item_/) } })
  })

  test('refuses ids that are long or repeated, and items in the middle', () => {
    const { items, events } = makeItems()
    items.create(message('U1'))
    events.take()
    expect(items.create(message('U1'))).toBeNull()
    expect(items.create(message('U'.repeat(33)))).toBeNull()
    expect(items.create({ ...message('U2'), previous_item_id: 'root' })).toBeNull()
    expect(events.takeTypes()).toEqual(['error', 'error', 'error'])
  })

  test('returns items that it knows, and forgets the oldest ones', () => {
    const { items, events } = makeItems()
    items.create(message('U1'))
    events.take()
    items.retrieve({ type: 'conversation.item.retrieve', item_id: 'U1' })
    expect(events.take()).toMatchObject([{ type: 'conversation.item.retrieved', item: { id: 'U1' } }])
    const text = 'x'.repeat(600_000)
    for (const id of ['L1', 'L2'])
      items.create({ item: { id, type: 'message', content: [{ type: 'input_text', text }] } })
    events.take()
    items.retrieve({ event_id: 'e', item_id: 'U1' })
    items.truncate({ event_id: 'e', item_id: 'L2', content_index: 0, audio_end_ms: 5 })
    expect(events.take()).toMatchObject([
      { type: 'error', error: { code: 'item_not_found', event_id: 'e' } },
      { type: 'conversation.item.truncated', item_id: 'L2', audio_end_ms: 5 },
    ])
  })
})

describe('ProviderCalls', () => {
  test('gives clients short unique ids, and each call back once', () => {
    const calls = new ProviderCalls<{ providerId: string }>()
    const provider = { providerId: 'function-call-12073572449839116754' }
    const ids = [calls.open(provider), calls.open(provider)] as const
    expect(new Set(ids).size).toBe(2)
    expect(ids[0].length).toBeLessThanOrEqual(32)
    expect(calls.take(ids[0])).toEqual(provider)
    expect(calls.take(ids[0])).toBeNull()
    calls.cancel([provider.providerId])
    expect(calls.take(ids[1])).toBeNull()
  })
})
