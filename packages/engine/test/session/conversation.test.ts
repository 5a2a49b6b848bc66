import { describe, expect, test } from 'vitest'
import { Conversation } from '#engine/session/conversation.js'
import type { Item, MessageItem } from '#engine/session/item.js'

const typed = (id: string): Item => ({
  kind: 'message',
  id,
  role: 'user',
  status: 'completed',
  parts: [{ kind: 'text', text: id }],
})

const second = { samples: new Int16Array(16_000), rate: 16_000 }

const spoken: MessageItem = {
  kind: 'message',
  id: 'answer',
  role: 'assistant',
  status: 'completed',
  parts: [{ kind: 'audio', transcript: 'One two three. Four five six.', clips: [second, second] }],
}

function withAnswer(): Conversation {
  const conversation = new Conversation()
  conversation.insert(spoken)
  conversation.replace(spoken, ['One two three. ', 'Four five six.'])
  return conversation
}

describe('A truncated answer', () => {
  test.each([
    [2000, 'One two three. Four five six.'],
    [1500, 'One two three. Four'],
    [1000, 'One two three.'],
    [700, 'One two'],
    [0, ''],
  ])('contains the words that were heard after %i ms', (milliseconds, transcript) => {
    const conversation = withAnswer()
    expect(conversation.truncate('answer', 0, milliseconds)).toBeNull()
    const item = conversation.find('answer')
    const part = item?.kind === 'message' ? item.parts[0] : undefined
    expect(part).toMatchObject({ transcript })
    const samples =
      part?.kind === 'audio' ? part.clips.reduce((sum, clip) => sum + clip.samples.length, 0) : -1
    expect(samples).toBe(milliseconds * 16)
  })

  test('cannot be longer than before', () => {
    expect(withAnswer().truncate('answer', 0, 2001)).toMatchObject({
      code: 'invalid_value',
      message: 'Audio content of 2000ms is already shorter than 2001ms',
    })
  })

  test('must be a spoken answer', () => {
    const conversation = withAnswer()
    conversation.insert(typed('typed'))
    expect(conversation.truncate('typed', 0, 0)).toMatchObject({ code: 'unsupported_content_type' })
    expect(conversation.truncate('answer', 1, 0)).toMatchObject({ code: 'unsupported_content_type' })
  })
})

test('an item that was deleted while it was generated stays deleted', () => {
  const conversation = new Conversation()
  conversation.insert(typed('a'))
  conversation.remove('a')
  conversation.replace(typed('a'))
  expect(conversation.items).toEqual([])
})

test('an id can be used only once', () => {
  const conversation = new Conversation()
  conversation.insert(typed('a'))
  expect(conversation.insert(typed('a'))).toMatchObject({ ok: false, error: { param: 'item.id' } })
})

test('old audio is discarded but its transcript is kept', () => {
  const conversation = new Conversation()
  const minute = { samples: new Int16Array(16_000 * 60), rate: 16_000 }
  for (let index = 0; index < 12; index += 1)
    conversation.insert({
      ...spoken,
      id: `answer ${index}`,
      parts: [{ kind: 'audio', transcript: 'Words.', clips: [minute] }],
    })
  const kept = conversation.items.map((item) =>
    item.kind === 'message' && item.parts[0]?.kind === 'audio' ? item.parts[0] : null,
  )
  expect(kept.every((part) => part?.transcript === 'Words.')).toBe(true)
  expect(kept.map((part) => part?.clips.length)).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1])
})
