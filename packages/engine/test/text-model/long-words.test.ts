import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeOfflineModel } from '#engine/text-model/offline/offline-model.js'

const tool = {
  name: 'get_weather',
  description: 'Tells the weather of a city.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}

const model = makeOfflineModel()

// Loads what is loaded once.
beforeAll(() =>
  model.step({ messages: [{ role: 'user', text: 'What is the weather in Rome?' }], tools: [tool] }),
)
afterAll(() => model.close())

test.each([
  ['words', 'weather in Paris and '],
  ['spaces', ' '],
  ['marks', '. ! ? '],
  ['digits', '1.'],
  ['addresses', 'a@a.a.'],
  ['blocks without an end', '<files>\n'],
  ['passages without an end', '<files>\n<passage file="a">\n'],
])(
  '[BND-6] a message of a million characters of %s does not keep the model',
  { timeout: 60_000 },
  async (_, piece) => {
    const text = `remember that ${piece.repeat(1_000_000 / piece.length)}x`
    const messages = [
      { role: 'user' as const, text },
      { role: 'assistant' as const, text, calls: [] },
      { role: 'user' as const, text: `What is the weather in Paris? ${text}` },
    ]
    // Work that grew with the square of the length would take hours.
    expect(await model.step({ messages, tools: [tool] })).toMatchObject({ calls: expect.any(Array) })
  },
)
