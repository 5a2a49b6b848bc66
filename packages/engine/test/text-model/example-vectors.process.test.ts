import { afterAll, expect, test } from 'vitest'
import { likeness, startEmbedder } from '#engine/text-model/offline/embedder.js'
import { readExampleVectors } from '#engine/text-model/offline/example-vectors.js'
import { beyondExamples, talkExamples } from '#engine/text-model/offline/talk-examples.js'

const made = readExampleVectors()
const embedder = startEmbedder({ maxWaiting: 4, onProgress: () => undefined })

afterAll(() => embedder.close())

test('what the build has worked out of the examples is what the model makes of them', async () => {
  const sentences = [...beyondExamples, ...talkExamples.map(({ sentence }) => sentence)]
  expect(sentences.filter((sentence) => !made.has(sentence))).toEqual([])
  const some = sentences.filter((_, index) => index % 20 === 0)
  const vectors = await embedder.embed(some)
  const likenesses = some.map((sentence, index) => likeness(made.get(sentence) ?? [], vectors?.[index] ?? []))
  for (const alike of likenesses) expect(alike).toBeCloseTo(1, 5)
})
