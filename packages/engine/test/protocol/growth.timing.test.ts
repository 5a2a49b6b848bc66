import { describe, expect, test } from 'vitest'
import { decodeClientFrame } from '#engine/protocol/client-event.js'
import { expectLinear } from '../../../../apps/server/test/support/growth.js'

const unit = 60_000

const words = (text: string) => ({
  type: 'conversation.item.create',
  item: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
})

const frames: readonly (readonly [name: string, frameOf: (size: number) => string])[] = [
  ['long words', (size) => JSON.stringify(words('"'.repeat(size)))],
  [
    'many parts',
    (size) => {
      const content = Array.from({ length: size / 40 }, () => ({ type: 'input_text', text: 'x' }))
      return JSON.stringify({ type: 'conversation.item.create', item: { ...words('').item, content } })
    },
  ],
  [
    'many tools',
    (size) => {
      const tool = (index: number) => ({ type: 'function', name: `t${index}`, parameters: {} })
      const tools = Array.from({ length: size / 60 }, (_, index) => tool(index))
      return JSON.stringify({ type: 'session.update', session: { type: 'realtime', tools } })
    },
  ],
  [
    'many unknown fields',
    (size) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: size / 10 }, (_, index) => [`f${index}`, 1]))),
  ],
  ['sound', (size) => JSON.stringify({ type: 'input_audio_buffer.append', audio: 'A'.repeat(size) })],
]

describe('reading a frame', () => {
  test.each(frames)('takes time proportional to its length with %s [BND-1]', async (_, frameOf) => {
    expect(typeof decodeClientFrame(frameOf(unit)).ok).toBe('boolean')
    await expectLinear((factor) => frameOf(unit * factor), decodeClientFrame)
  })
})
