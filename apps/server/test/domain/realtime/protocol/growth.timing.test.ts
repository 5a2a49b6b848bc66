import { describe, test } from 'vitest'
import { isAudioAppend } from '#server/domain/realtime/protocol/audio-frames.js'
import { judgeClientFrame } from '#server/domain/realtime/protocol/judge-client-frame.js'
import { decodeProviderFrame } from '#server/domain/realtime/protocol/provider-frame.js'
import { expectLinear } from '../../../support/growth.js'

const nested = (depth: number, open: string, close: string) => `${open.repeat(depth)}1${close.repeat(depth)}`
const keys = (count: number) => Array.from({ length: count }, (_, index) => `"k${index}":${index}`).join(',')

const texts: readonly (readonly [name: string, textOf: (size: number) => string])[] = [
  ['lists in lists', (size) => nested(size / 2, '[', ']')],
  ['objects in objects', (size) => nested(size / 6, '{"a":', '}')],
  ['many keys', (size) => `{${keys(size / 10)}}`],
  ['many items', (size) => `[${'{},'.repeat(size / 3)}{}]`],
  ['escapes in a string', (size) => `"${'\\"'.repeat(size / 2)}"`],
  ['an unterminated string', (size) => `"${'x'.repeat(size)}`],
  ['spaces', (size) => `${' '.repeat(size)}1`],
  ['a type with case-folded letters', (size) => `{"type":"${'\u212a'.repeat(size / 2)}"}`],
]

describe('checking a client frame [BND-8]', () => {
  test.each(texts)('takes time in proportion to its length: %s', async (_, textOf) => {
    await expectLinear(
      (factor) => Buffer.from(`{"type":"conversation.item.create","item":${textOf(16_000 * factor)}}`),
      (frame) => {
        isAudioAppend(frame)
        for (const isBinary of [false, true]) judgeClientFrame(frame, isBinary, () => false)
      },
    )
  })
})

describe('reading a provider frame [BND-8]', () => {
  test.each(texts)('takes time in proportion to its length: %s', async (_, textOf) => {
    await expectLinear(
      (factor) => Buffer.from(`{"type":"response.done","response":{"output":${textOf(8000 * factor)}}}`),
      decodeProviderFrame,
    )
  })
})
