import { describe, expect, test } from 'vitest'
import { geminiRecordings, replayGemini } from '../../support/realtime/dialects/gemini-recordings.js'

type Name = keyof typeof geminiRecordings

const expected: Readonly<Record<Name, object>> = {
  'a spoken turn of 2.5, word by word': {
    words: ['user: Good day, I am Ada.', 'assistant: Good day, Ada.'],
    calls: [],
    usage: { input: 1197, output: 65, total: 1262 },
  },
  'a spoken turn of 3.8, transcribed after the answer began': {
    words: ['user: Good day, I am Ada.', 'assistant: Good day, Ada.'],
    calls: [],
    usage: { input: 626, output: 0, total: 626 },
  },
  'a call of 2.5': {
    words: ['user: How is the weather?', 'assistant: It is foggy.'],
    calls: ['weather {"city":"York"}'],
    usage: { input: 541, output: 107, total: 648 },
  },
  'a call of 3.1, with bundled fields': {
    words: ['user: How is the weather?', 'assistant: It is foggy.'],
    calls: ['weather {"city":"York"}'],
    usage: { input: 482, output: 69, total: 551 },
  },
  'a call of Vertex AI, whose turn ends before the answer': {
    words: ['user: How is the weather?', 'assistant: It is foggy.'],
    calls: ['weather {"city":"York"}'],
    usage: { input: 68, output: 66, total: 134 },
  },
  'an answer that follows the history': {
    words: ['user: Who am I?', 'assistant: You are Ada.'],
    calls: [],
    usage: { input: 187, output: 0, total: 187 },
  },
}

describe('a recorded session of Gemini', () => {
  test.each(Object.keys(expected) as Name[])('%s gives its words, calls and tokens [RT-64]', async (name) => {
    const { words, calls, usage, problems, sent } = await replayGemini(geminiRecordings[name])
    expect({ words, calls, usage }).toEqual(expected[name])
    expect(problems).toEqual([])
    const kinds = sent.map((message) => Object.keys(message)[0])
    const recorded = geminiRecordings[name].filter(({ direction }) => direction === 'sent')
    expect(kinds).toHaveLength(recorded.length)
    expect(kinds[0]).toBe('setup')
  })
})
