import { afterAll, beforeEach, expect, test } from 'vitest'
import { startEmbedder } from '#engine/text-model/offline/embedder.js'

const lines: string[] = []
const file = new URL('../support/fitful.worker.mjs', import.meta.url)
const embedder = startEmbedder(4, (line) => void lines.push(line), file)

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
  expect(lines).toEqual(['The sentence model failed: never', 'The sentence model failed again: never'])
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
