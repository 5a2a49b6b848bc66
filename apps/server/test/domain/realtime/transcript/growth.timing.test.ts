import { describe, test } from 'vitest'
import { expectLinear } from '../../../support/growth.js'
import type { WireEvent } from '../../../support/realtime/decode-event.js'
import { makeTranscript, observe } from '../../../support/realtime/observed-transcript.js'

const each = (count: number, event: (index: number) => WireEvent) =>
  Array.from({ length: count }, (_, index) => event(index))

const words = (index: number): WireEvent => ({
  type: 'response.output_audio_transcript.done',
  response_id: 'r',
  item_id: `item_${index}`,
  content_index: 0,
  transcript: `Words ${index}.`,
})

const cases: readonly (readonly [name: string, eventsOf: (count: number) => WireEvent[]])[] = [
  [
    'deltas of one segment',
    (count) =>
      each(count, () => ({
        type: 'response.output_text.delta',
        response_id: 'r',
        item_id: 'i',
        delta: 'abc',
      })),
  ],
  [
    'unfinished segments, and words without an id',
    (count) => [
      ...each(count, (index) => ({ type: 'input_audio_buffer.committed', item_id: `u${index}` })),
      ...each(count, (index) => ({
        type: 'response.output_text.delta',
        response_id: `r${index}`,
        delta: 'a',
      })),
    ],
  ],
  [
    'a response that was cut off after many answers',
    (count) => [
      ...each(count, words),
      { type: 'response.done', response: { id: 'r', status: 'cancelled', output: [] } },
    ],
  ],
  [
    'items that are cut off one by one',
    (count) => [
      ...each(count, words),
      ...each(count, (index) => ({ type: 'conversation.item.truncated', item_id: `item_${index}` })),
    ],
  ],
]

describe('assembling a transcript [BND-9]', () => {
  test.each(cases)('takes time in proportion to the number of events: %s', async (_, eventsOf) => {
    await expectLinear(
      (factor) => eventsOf(400 * factor),
      (events) => observe(makeTranscript(), events),
    )
  })
})
