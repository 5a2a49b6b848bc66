import { afterAll, beforeEach, expect, test } from 'vitest'
import { startEmbedder } from '#engine/text-model/offline/embedder.js'

const lines: string[] = []
const file = new URL('../support/fitful.worker.mjs', import.meta.url)
const known = new Map([['known before', [3, 4]]])
const embedder = startEmbedder({ maxWaiting: 4, onProgress: (line) => void lines.push(line), known, file })

beforeEach(() => {
  lines.length = 0
})

afterAll(() => embedder.close())

test.each([
  ['throws once', 'The sentence model failed: not now'],
  ['no numbers once', 'The sentence model failed: it gave no numbers.'],
])('a sentence model that fails once is asked again: %s', async (text, line) => {
  expect(await embedder.embed([text])).toEqual([[2, 1]])
  expect(lines).toEqual([line])
})

test('one that goes on failing is given up', async () => {
  expect(await embedder.embed(['throws'])).toBeNull()
  const again = 'The sentence model failed again: never'
  expect(lines).toEqual(['The sentence model failed: never', again, again])
})

test('what was asked for before is remembered, however much it was', async () => {
  const many = Array.from({ length: 2100 }, (_, index) => `text ${index}`)
  expect(await embedder.embed(many)).toHaveLength(many.length)
  expect(await embedder.embed(['text 7'])).toEqual([[2, 1]])
  expect(await embedder.embed(['text 7', 'another'])).toEqual([
    [2, 1],
    [1, 1],
  ])
})

test('what is known from the beginning is not asked for', async () => {
  expect(await embedder.embed(['known before', 'anything else'])).toEqual([
    [3, 4],
    [1, 1],
  ])
})

test('[BND-6] a long text is read at its beginning alone', async () => {
  const [long] = (await embedder.embed(['x'.repeat(50_000)])) ?? []
  const [beginning] = (await embedder.embed(['x'.repeat(1000)])) ?? []
  expect(long).toEqual([1, 1])
  expect(beginning).toBe(long)
})

test('[BND-6] whoever asks while much is being worked on is next', async () => {
  const done: string[] = []
  const much = Array.from({ length: 400 }, (_, index) => `sentence ${index}`)
  const first = embedder.embed(much).then(() => done.push('much'))
  const second = embedder.embed(['a single sentence']).then(() => done.push('single'))
  await Promise.all([first, second])
  expect(done).toEqual(['single', 'much'])
})
