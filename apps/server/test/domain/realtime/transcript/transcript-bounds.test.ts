import { describe, expect, test } from 'vitest'
import type { WireEvent } from '../../../support/realtime/decode-event.js'
import { makeTranscript, observe } from '../../../support/realtime/observed-transcript.js'

const each = (count: number, event: (index: number) => WireEvent) =>
  Array.from({ length: count }, (_, index) => event(index))

const words: WireEvent = {
  type: 'response.output_audio_transcript.done',
  response_id: 'r',
  item_id: 'item_0',
  content_index: 0,
  transcript: 'Words.',
}

describe('a transcript without end', () => {
  const storedLengths = (events: readonly WireEvent[]) => {
    const transcript = makeTranscript()
    const effects = [...observe(transcript, events), ...transcript.end()]
    return effects.map((effect) => (effect.effect === 'store' ? effect.segment.content.length : 0))
  }
  const delta = (itemId: string) => ({
    type: 'response.output_text.delta',
    response_id: 'r',
    item_id: itemId,
    content_index: 0,
    delta: 'x'.repeat(500_000),
  })

  test('keeps up to 1 000 000 characters of a segment, in deltas or at once [BND-9]', () => {
    expect(storedLengths(each(5, () => delta('i')))).toEqual([1_000_000])
    expect(storedLengths([{ ...words, transcript: 'x'.repeat(3_000_000) }])).toEqual([1_000_000])
  })

  test('keeps up to 4 000 000 characters of all unfinished segments [BND-9]', () => {
    const lengths = storedLengths(each(20, (index) => delta(`i${index}`)))
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(4_000_000)
  })

  test('keeps further words after other segments have finished [BND-9]', () => {
    const rounds = each(20, () => delta('i')).map((event, index) => [
      { ...event, item_id: `i${index}` },
      { ...words, item_id: `i${index}`, transcript: null },
    ])
    expect(storedLengths(rounds.flat())).toEqual(Array.from({ length: 20 }, () => 500_000))
  })
})
