import { expect, test } from 'vitest'
import { makeDemoModel } from '#demo/demo-model.js'

const tool = {
  name: 'get_weather',
  description: 'Tells the weather of a city.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}

const model = makeDemoModel()

test.each([
  ['words', 'weather in Paris and '],
  ['spaces', ' '],
  ['marks', '. ! ? '],
  ['digits', '1.'],
  ['addresses', 'a@a.a.'],
  ['blocks without an end', '<files>\n'],
  ['passages without an end', '<files>\n<passage file="a">\n'],
])('answers a message of a million characters of %s at once [BND-6]', { timeout: 60_000 }, (_, piece) => {
  const text = `remember that ${piece.repeat(1_000_000 / piece.length)}x`
  const messages = [
    { role: 'user' as const, text },
    { role: 'assistant' as const, text, calls: [] },
    { role: 'user' as const, text: `What is the weather in Paris? ${text}` },
  ]
  // Quadratic work would take hours.
  expect(model.step({ messages, tools: [tool] })).toMatchObject({ calls: expect.any(Array) })
})
