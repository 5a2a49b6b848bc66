import { expect, test } from 'vitest'
import { judgeClientFrame } from '#server/domain/realtime/protocol/judge-client-frame.js'
import { decodeProviderFrame } from '#server/domain/realtime/protocol/provider-frame.js'

const nested = (depth: number, open: string, close: string) => `${open.repeat(depth)}1${close.repeat(depth)}`

test.each([false, true])(
  'rejects a client frame nested deeper than 64 levels (binary: %s) [BND-8]',
  (isBinary) => {
    const judge = (depth: number) =>
      judgeClientFrame(Buffer.from(`{"type":"x","item":${nested(depth, '[', ']')}}`), isBinary, () => false)
    expect(judge(63)).toMatchObject({ kind: 'forward' })
    expect(judge(64)).toMatchObject({ kind: 'refuse', code: 'invalid_message' })
    // Brackets in a string do not count.
    const words = Buffer.from(JSON.stringify({ type: 'x', item: '["{'.repeat(100) }))
    expect(judgeClientFrame(words, isBinary, () => false)).toMatchObject({ kind: 'forward' })
  },
)

test('ignores a provider frame of more than 20 000 values or 4 MiB [BND-8]', () => {
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

test('ignores a provider frame nested deeper than 64 levels [BND-8]', () => {
  const done = (depth: number) =>
    decodeProviderFrame(
      Buffer.from(`{"type":"response.done","response":{"id":"r","x":${nested(depth, '[', ']')}}}`),
    )
  expect(done(62)).toMatchObject({ type: 'response.done' })
  expect(done(63)).toBeNull()
})
