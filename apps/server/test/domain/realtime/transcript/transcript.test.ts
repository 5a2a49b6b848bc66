import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { WireEvent } from '../../../support/realtime/decode-event.js'
import {
  effectsOf,
  makeTranscript,
  observe,
  observeAll,
} from '../../../support/realtime/observed-transcript.js'
import {
  assistantEvents,
  audioPart,
  completed,
  ids,
  item,
  typedPart,
  userEvents,
} from '../../../support/realtime/transcript-events.js'

describe('words of an event [6.2-1]', () => {
  const userPlaces = { transcript: 'Words', text: 'Words', content: 'Words' }
  const answerPlaces = {
    ...userPlaces,
    part: { type: 'audio', transcript: 'Words' },
    'part ': { type: 'text', text: 'Words' },
    'content ': [{ type: 'audio', transcript: 'Wor' }, { type: 'text', text: 'ds' }, null],
  }
  const userTriggers = [completed, 'input_audio.transcript.done']
  const answerTriggers = [
    'output_audio_transcript',
    'audio_transcript',
    'output_text',
    'text',
    'content',
  ].map((name) => `response.${name}.done`)
  const places = [
    ...userTriggers.flatMap((type) =>
      Object.entries(userPlaces).map(([place, words]) => [type, place, words, 'message U Words'] as const),
    ),
    ...answerTriggers.flatMap((type) =>
      Object.entries(answerPlaces).map(([place, words]) => [type, place, words, 'response U Words'] as const),
    ),
  ]
  test.each(places)('are found in %s in the field %s', (type, place, words, stored) => {
    const event = { type, item_id: 'U', [place.trim()]: words }
    expect(observeAll(makeTranscript(), [event])).toBe(stored)
  })

  const deltas = ['output_audio_transcript', 'audio_transcript', 'output_text', 'text']
  test.each(deltas)('are found for response.%s.done in its deltas only', (name) => {
    const piece = (delta: string) => ({ ...ids, type: `response.${name}.delta`, delta })
    const end = { ...ids, type: `response.${name}.done` }
    expect(observeAll(makeTranscript(), [piece('Wor'), piece('ds'), end])).toBe('response A Words')
  })

  test.each([
    ['an event without fields', {}],
    ['fields of other types', { transcript: 7, text: ['Words'], content: { text: 'Words' }, part: 'Words' }],
  ])('are not found in %s', (_, fields) => {
    for (const type of [...userTriggers, ...answerTriggers])
      expect(observeAll(makeTranscript(), [{ type, ...ids, ...fields }])).toBe('')
  })
})

describe('turns of a transcript [RT-18]', () => {
  const answer = (fields: object) => ({ type: 'response.output_text.done', ...ids, text: 'Yes.', ...fields })
  const { committed, words, unnamed } = userEvents
  const second = { ...words, item_id: 'V' }
  const rows: readonly [string, readonly WireEvent[], string][] = [
    [
      'each part of an answer',
      [answer({}), answer({ content_index: 1 })],
      'response A Yes., response A Yes.',
    ],
    ['each item of one response', [answer({}), answer({ item_id: 'B' })], 'response A Yes., response B Yes.'],
    [
      'each answer without any id',
      [{}, {}].flatMap(() => [
        { type: 'response.created' },
        { type: 'response.content.done', content: 'Yes.' },
      ]),
      'response unnamed:2 Yes., response unnamed:4 Yes.',
    ],
    [
      'each sentence without an id',
      ['One.', 'Two.', 'Two.'].map((text) => ({ type: 'response.text.done', response_id: 'R', text })),
      'response unnamed:1 One., response unnamed:2 Two., response unnamed:3 Two.',
    ],
    [
      'typed and spoken words of one item',
      [
        {
          type: 'conversation.item.added',
          item: item('U', 'user', audioPart, typedPart('a'), typedPart('b')),
        },
        words,
      ],
      'message U a\nb, message U Hello',
    ],
    ['the same words of another item', [words, second], 'message U Hello, message V Hello'],
    [
      'the same words again without ids',
      [committed, unnamed, { ...committed, item_id: 'V' }, unnamed],
      'message U Hello, message V Hello',
    ],
    [
      'words that may be a repetition while another turn waits',
      [committed, { ...committed, item_id: 'V' }, words, unnamed, { ...second, transcript: 'Bye' }],
      'message U Hello, message unnamed:1 Hello, message V Bye',
    ],
    [
      'the same words without an id after another speaker',
      [words, { type: 'response.created', response: { id: 'R' } }, unnamed],
      'message U Hello, message unnamed:1 Hello',
    ],
    [
      'the same words without an id of a later item',
      [words, { ...committed, item_id: 'V' }, unnamed],
      'message U Hello, message V Hello',
    ],
    [
      'each answer of another response, even if the provider did not report its beginning',
      ['R', 'S'].map((id) => ({ type: 'response.content.done', response_id: id, content: 'Yes.' })),
      'response unnamed:1 Yes., response unnamed:2 Yes.',
    ],
    [
      'each answer after the end of a response',
      [
        answer({}),
        { type: 'response.done', response: { id: ids.response_id, status: 'completed' } },
        { type: 'response.content.done', content: 'Yes.' },
      ],
      'response A Yes., response unnamed:1 Yes.',
    ],
    [
      'an open turn after an empty transcript without an id',
      [committed, { ...unnamed, transcript: null }, answer({}), words, words],
      'response A Yes., message U Hello',
    ],
    [
      'words that first arrive without their id',
      [unnamed, words, second],
      'message unnamed:1 Hello, message V Hello',
    ],
  ]
  test.each(rows)('are stored as expected for %s', (_, events, stored) => {
    expect(observeAll(makeTranscript(), events)).toBe(stored)
  })
})

describe('items that a client creates [RT-23]', () => {
  const echo = (created: object) => ({ type: 'conversation.item.created', item: created })
  const text = (value: string) => ({ type: 'output_text', text: value })
  test.each([
    ['not stored for an assistant', item('X', 'assistant', text('I said that.')), ''],
    ['not stored for the system', item('X', 'system', typedPart('Obey.')), ''],
    ['not stored for a tool', { id: 'X', type: 'function_call_output', call_id: 'c', output: 'Done' }, ''],
    ['not stored without words', item('X', 'user', typedPart(' ')), ''],
    ['not stored without an id', { type: 'message', role: 'user', content: [typedPart('Hi')] }, ''],
    ['stored for a user', item('X', 'user', typedPart('Hi')), 'message X Hi'],
  ])('are %s', (_, created, stored) => {
    const transcript = makeTranscript()
    expect(observeAll(transcript, [echo(created), echo(created)])).toBe(stored)
    expect(effectsOf(transcript.end())).toBe('')
  })
})

test('a turn takes its position when it is spoken, not when its words arrive [RT-20]', () => {
  const { committed, words, unnamed } = userEvents
  const spoken = [
    committed,
    { ...unnamed, transcript: '' },
    assistantEvents.added,
    assistantEvents.words,
    { ...committed, item_id: 'V' },
    { ...words, item_id: 'V' },
    words,
  ]
  const transcript = makeTranscript()
  const segments = observe(transcript, spoken).flatMap((effect) =>
    effect.effect === 'store' ? [effect.segment] : [],
  )
  expect(segments.map(({ itemId }) => itemId)).toEqual(['A', 'V', 'U'])
  const inOrder = segments.toSorted((one, other) => one.position.counter - other.position.counter)
  expect(inOrder.map(({ itemId }) => itemId)).toEqual(['U', 'A', 'V'])
})

test('every turn is stored exactly once for any provider events in any order [RT-18]', () => {
  const named: WireEvent[] = [...Object.entries(userEvents), ...Object.entries(assistantEvents)]
    .filter(([name]) => !/unnamed|blank/i.test(name))
    .flatMap(([, event]) => [
      event,
      JSON.parse(JSON.stringify(event).replaceAll('"U"', '"V"').replaceAll('"A"', '"B"')) as WireEvent,
    ])
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...named), { maxLength: 40 }), (events) => {
      const transcript = makeTranscript()
      const effects = [...observe(transcript, events), ...transcript.end()]
      const stored = effects.flatMap((effect) => (effect.effect === 'store' ? [effect.segment.itemId] : []))
      const cut = effects.flatMap((effect) => (effect.effect === 'interrupt' ? [effect.itemId] : []))
      const spoken = events.flatMap((event) =>
        'delta' in event || 'transcript' in event ? [event.item_id] : [],
      )
      expect(stored).toEqual([...new Set(stored)])
      expect(cut).toEqual([...new Set(cut)].filter((itemId) => stored.includes(itemId)))
      expect(stored).toEqual(expect.arrayContaining(spoken))
    }),
  )
})
