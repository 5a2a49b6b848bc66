import { describe, expect, test } from 'vitest'
import { isAudioAppend } from '#server/domain/realtime/protocol/audio-append.js'
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
  ['a string without end', (size) => `"${'x'.repeat(size)}`],
  ['spaces', (size) => `${' '.repeat(size)}1`],
  ['a type that is folded', (size) => `{"type":"${'\u212a'.repeat(size / 2)}"}`],
]

describe('[BND-8] a frame of a client is judged in time in proportion to its length', () => {
  test.each(texts)('%s', async (_, textOf) => {
    await expectLinear(
      (factor) => Buffer.from(`{"type":"conversation.item.create","item":${textOf(16_000 * factor)}}`),
      (frame) => {
        isAudioAppend(frame)
        for (const isBinary of [false, true]) judgeClientFrame(frame, isBinary, () => false)
      },
    )
  })

  test.each([false, true])('and is refused where it nests deeper than 64 levels (binary: %s)', (isBinary) => {
    const judge = (depth: number) =>
      judgeClientFrame(Buffer.from(`{"type":"x","item":${nested(depth, '[', ']')}}`), isBinary, () => false)
    expect(judge(63)).toMatchObject({ kind: 'forward' })
    expect(judge(64)).toMatchObject({ kind: 'refuse', code: 'invalid_message' })
    // Brackets in a string are words.
    const words = Buffer.from(JSON.stringify({ type: 'x', item: '["{'.repeat(100) }))
    expect(judgeClientFrame(words, isBinary, () => false)).toMatchObject({ kind: 'forward' })
  })
})

describe('[BND-8] a frame of a provider is read in time in proportion to its length', () => {
  test.each(texts)('%s', async (_, textOf) => {
    await expectLinear(
      (factor) => Buffer.from(`{"type":"response.done","response":{"output":${textOf(8000 * factor)}}}`),
      decodeProviderFrame,
    )
  })

  test('and is not acted on where it has more than 20 000 values, or 4 MiB', () => {
    const done = (values: number) =>
      decodeProviderFrame(Buffer.from(`{"type":"response.done","response":{"x":[${'1,'.repeat(values)}1]}}`))
    expect(done(19_900)).toMatchObject({ type: 'response.done' })
    expect(done(20_000)).toBeNull()
    const words = (length: number) =>
      decodeProviderFrame(
        Buffer.from(JSON.stringify({ type: 'response.text.done', text: ',[{'.repeat(length / 3) })),
      )
    expect(words(3_000_000)).toMatchObject({ type: 'assistant.done' })
    expect(words(4_500_000)).toBeNull()
  })

  test('and is not acted on where it nests deeper than 64 levels', () => {
    const done = (depth: number) =>
      decodeProviderFrame(
        Buffer.from(`{"type":"response.done","response":{"id":"r","x":${nested(depth, '[', ']')}}}`),
      )
    expect(done(62)).toMatchObject({ type: 'response.done' })
    expect(done(63)).toBeNull()
  })
})
