import { expect, test } from 'vitest'
import { SentenceSplitter } from '#engine/text-to-speech/sentence-splitter.js'

function split(text: string, size: number): string[] {
  const splitter = new SentenceSplitter()
  const sentences: string[] = []
  for (let start = 0; start < text.length; start += size)
    sentences.push(...splitter.push(text.slice(start, start + size)))
  return [...sentences, ...splitter.flush()]
}

const texts: readonly (readonly [string, readonly string[]])[] = [
  ['Hello. How are you? Fine!', ['Hello. ', 'How are you? ', 'Fine!']],
  ['It costs 3.50 today. Yes.', ['It costs 3.50 today. ', 'Yes.']],
  ['Dr. Smith is here. Mr. Jones is not.', ['Dr. Smith is here. ', 'Mr. Jones is not.']],
  ['A list:\n- one\n- two', ['A list:\n', '- one\n', '- two']],
  ['"Stop." He said.', ['"Stop." ', 'He said.']],
  ['... well', ['... well']],
  ['no end', ['no end']],
]

test.each(texts)('splits %j', (text, sentences) => {
  for (const size of [1, 2, 5, 100]) expect(split(text, size)).toEqual(sentences)
})

test('a sentence without an end is spoken in parts', () => {
  const text = 'and then another word came along, '.repeat(40)
  const sentences = split(text, 7)
  expect(sentences.length).toBeGreaterThan(4)
  expect(sentences.join('')).toBe(text)
  expect(Math.max(...sentences.map(({ length }) => length))).toBeLessThanOrEqual(241)
})
