import { afterAll, beforeEach, expect, test } from 'vitest'
import { startEmbedder } from '#engine/sentence-model/embedder.js'

const lines: string[] = []
const file = new URL('../support/fitful.worker.mjs', import.meta.url)
const embedder = startEmbedder({ maxWaiting: 4, onProgress: (line) => void lines.push(line), file })

beforeEach(() => {
  lines.length = 0
})

afterAll(() => embedder.close())

test.each([
  ['throws once', 'The sentence model failed: not now'],
  ['no numbers once', 'The sentence model failed: it gave no numbers.'],
])('retries once a job that fails once: %s', async (text, line) => {
  expect(await embedder.embed([text])).toEqual([[2, 1]])
  expect(lines).toEqual([line])
})

test('returns null after three failures', async () => {
  expect(await embedder.embed(['throws'])).toBeNull()
  const again = 'The sentence model failed again: never'
  expect(lines).toEqual(['The sentence model failed: never', again, again])
})

test('caches the texts that were used last', async () => {
  const many = Array.from({ length: 2100 }, (_, index) => `text ${index}`)
  expect(await embedder.embed(many)).toHaveLength(many.length)
  expect(await embedder.embed(['text 7'])).toEqual([[2, 1]])
  expect(await embedder.embed(['text 7', 'another'])).toEqual([
    [2, 1],
    [1, 1],
  ])
})

test('reads only the beginning of a long text [BND-6]', async () => {
  const [long] = (await embedder.embed(['x'.repeat(50_000)])) ?? []
  const [beginning] = (await embedder.embed(['x'.repeat(1000)])) ?? []
  expect(long).toEqual([1, 1])
  expect(beginning).toBe(long)
})

test('serves a short request between the jobs of a long one [BND-6]', async () => {
  const done: string[] = []
  const much = Array.from({ length: 400 }, (_, index) => `sentence ${index}`)
  const first = embedder.embed(much).then(() => done.push('much'))
  const second = embedder.embed(['a single sentence']).then(() => done.push('single'))
  await Promise.all([first, second])
  expect(done).toEqual(['single', 'much'])
})
