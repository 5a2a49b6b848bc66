import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { WireEvent } from '../../../support/realtime/decode-event.js'
import {
  effectsOf,
  makeTranscript,
  observe,
  observeAll,
} from '../../../support/realtime/observed-transcript.js'

const item = (id: string, role: string, ...content: object[]) => ({ id, type: 'message', role, content })
const typedPart = (text: string) => ({ type: 'input_text', text })
const audioPart = { type: 'input_audio', transcript: null }
const completed = 'conversation.item.input_audio_transcription.completed'

const userEvents = {
  committed: { type: 'input_audio_buffer.committed', item_id: 'U' },
  audio: { type: 'conversation.item.added', item: item('U', 'user', audioPart) },
  typed: { type: 'conversation.item.added', item: item('U', 'user', typedPart('Typed')) },
  piece: {
    type: 'conversation.item.input_audio_transcription.delta',
    item_id: 'U',
    content_index: 0,
    delta: 'He',
  },
  words: { type: completed, item_id: 'U', content_index: 0, transcript: 'Hello' },
  blank: { type: completed, item_id: 'U', content_index: 0, transcript: ' ' },
  unnamed: { type: 'input_audio.transcript.done', transcript: 'Hello' },
  failed: {
    type: 'conversation.item.input_audio_transcription.failed',
    item_id: 'U',
    content_index: 0,
    error: { message: 'Too loud.' },
  },
  failedUnnamed: { type: 'conversation.item.input_audio_transcription.failed' },
  truncated: { type: 'conversation.item.truncated', item_id: 'U' },
  answered: { type: 'response.done', response: { id: 'R', status: 'cancelled', output: [] } },
} as const satisfies Record<string, WireEvent>

type UserEvent = keyof typeof userEvents

/** What an event does at once, and what the end of the session adds to it. */
type Cell = readonly [now: string, atEnd: string]

const nothing: Cell = ['', '']
const lost: Cell = ['', 'silent U - cut failed']
const partly: Cell = ['', 'silent U He cut failed']
const said: Cell = ['message U Hello', '']
const typed: Cell = ['message U Typed', '']
const apart: Cell = ['message unnamed:1 Hello', '']
const noWords: Cell = ['silent U - failed', '']

const userSituations = {
  unknown: [],
  waiting: ['committed'],
  heard: ['committed', 'piece'],
  told: ['committed', 'words'],
  silence: ['committed', 'blank'],
  refused: ['committed', 'failed'],
  written: ['typed'],
  replayed: [],
} as const satisfies Record<string, readonly UserEvent[]>

// No Partial, so a new situation or event without its cells does not compile.
const userTable: Record<keyof typeof userSituations, Record<UserEvent, Cell>> = {
  unknown: {
    ...{ committed: lost, audio: lost, typed, piece: partly, words: said, blank: nothing, unnamed: apart },
    ...{ failed: noWords, failedUnnamed: nothing, truncated: nothing, answered: nothing },
  },
  waiting: {
    ...{ committed: lost, audio: lost, typed, piece: partly, words: said, blank: nothing, unnamed: said },
    ...{ failed: noWords, failedUnnamed: noWords, truncated: lost, answered: lost },
  },
  heard: {
    ...{ committed: partly, audio: partly, typed, words: said, unnamed: said },
    piece: ['', 'silent U HeHe cut failed'],
    blank: ['message U He', ''],
    failed: ['silent U He failed', ''],
    failedUnnamed: ['silent U He failed', ''],
    ...{ truncated: partly, answered: partly },
  },
  told: {
    ...{ committed: nothing, audio: nothing, typed: nothing, piece: nothing, words: nothing, blank: nothing },
    ...{ unnamed: nothing, failed: nothing, failedUnnamed: nothing, answered: nothing },
    truncated: ['cut U', ''],
  },
  silence: {
    ...{ committed: nothing, audio: nothing, typed: nothing, piece: nothing, words: nothing, blank: nothing },
    ...{ unnamed: apart, failed: nothing, failedUnnamed: nothing, truncated: nothing, answered: nothing },
  },
  refused: {
    ...{ committed: nothing, audio: nothing, typed: nothing, piece: nothing, words: nothing, blank: nothing },
    ...{ unnamed: apart, failed: nothing, failedUnnamed: nothing, answered: nothing },
    truncated: ['cut U', ''],
  },
  written: {
    ...{ committed: nothing, audio: nothing, typed: nothing, piece: nothing, words: nothing, blank: nothing },
    ...{ unnamed: apart, failed: nothing, failedUnnamed: nothing, answered: nothing },
    truncated: ['cut U', ''],
  },
  replayed: {
    ...{ committed: nothing, audio: nothing, typed: nothing, piece: nothing, words: nothing, blank: nothing },
    ...{ unnamed: apart, failed: nothing, failedUnnamed: nothing, truncated: nothing, answered: nothing },
  },
}

const ids = { response_id: 'R', item_id: 'A', output_index: 0, content_index: 0 }

const assistantEvents = {
  created: { type: 'response.created', response: { id: 'R' } },
  added: { type: 'response.output_item.added', response_id: 'R', item: item('A', 'assistant') },
  piece: { type: 'response.output_audio_transcript.delta', ...ids, delta: 'Hel' },
  unnamedPiece: { type: 'response.output_audio_transcript.delta', response_id: 'R', delta: 'Hel' },
  words: { type: 'response.output_audio_transcript.done', ...ids, transcript: 'Hello' },
  noWords: { type: 'response.output_audio_transcript.done', ...ids },
  unnamed: { type: 'response.content.done', content: 'Hello' },
  done: { type: 'response.done', response: { id: 'R', status: 'completed', output: [] } },
  cut: {
    type: 'response.done',
    response: { id: 'R', status: 'cancelled', output: [{ ...item('A', 'assistant'), status: 'incomplete' }] },
  },
  cutBriefly: { type: 'response.done', response: { id: 'R', status: 'incomplete' } },
  cutAfter: {
    type: 'response.done',
    response: { id: 'R', status: 'failed', output: [{ ...item('A', 'assistant'), status: 'completed' }] },
  },
  next: { type: 'response.created', response: { id: 'R2' } },
  truncated: { type: 'conversation.item.truncated', item_id: 'A' },
} as const satisfies Record<string, WireEvent>

type AssistantEvent = keyof typeof assistantEvents

const assistantSituations = {
  begun: ['created'],
  reserved: ['created', 'added'],
  heard: ['created', 'added', 'piece'],
  answered: ['created', 'added', 'piece', 'words'],
  answeredUnnamed: ['created', 'unnamed'],
  cutOff: ['created', 'added', 'piece', 'cut'],
  truncated: ['created', 'added', 'truncated'],
} as const satisfies Record<string, readonly AssistantEvent[]>

const hearing: Cell = ['', 'response A Hel cut']
const answer: Cell = ['response A Hello', '']
const pieces: Cell = ['response A Hel', '']
const cutPieces: Cell = ['response A Hel cut', '']
const cutLater: Cell = ['cut A', '']
const heardApart: Cell = ['', 'response unnamed:1 Hel cut']

const assistantTable: Record<keyof typeof assistantSituations, Record<AssistantEvent, Cell>> = {
  begun: {
    ...{ created: nothing, added: nothing, piece: hearing, unnamedPiece: heardApart, words: answer },
    ...{ noWords: nothing, unnamed: ['response unnamed:1 Hello', ''], done: nothing, cut: nothing },
    ...{ cutBriefly: nothing, cutAfter: nothing, next: nothing, truncated: nothing },
  },
  reserved: {
    ...{ created: nothing, added: nothing, piece: hearing, unnamedPiece: hearing, words: answer },
    ...{ noWords: nothing, unnamed: answer, done: nothing, cut: nothing },
    ...{ cutBriefly: nothing, cutAfter: nothing, next: nothing, truncated: nothing },
  },
  heard: {
    ...{ created: hearing, added: hearing, words: answer, noWords: pieces, unnamed: answer, done: pieces },
    piece: ['', 'response A HelHel cut'],
    unnamedPiece: ['', 'response A HelHel cut'],
    ...{ cut: cutPieces, cutBriefly: cutPieces, cutAfter: cutPieces, next: hearing, truncated: hearing },
  },
  answered: {
    ...{ created: nothing, added: nothing, piece: nothing, unnamedPiece: heardApart, words: nothing },
    ...{ noWords: nothing, unnamed: nothing, done: nothing, cut: cutLater },
    ...{ cutBriefly: cutLater, cutAfter: nothing, next: nothing, truncated: cutLater },
  },
  answeredUnnamed: {
    ...{ created: nothing, added: nothing, piece: hearing, words: nothing, noWords: nothing },
    ...{
      unnamedPiece: ['', 'response unnamed:2 Hel cut'],
      unnamed: ['response unnamed:2 Hello', ''],
      done: nothing,
    },
    ...{ cut: ['cut unnamed:1', ''], cutBriefly: ['cut unnamed:1', ''], cutAfter: ['cut unnamed:1', ''] },
    ...{ next: nothing, truncated: nothing },
  },
  cutOff: {
    ...{ created: nothing, added: nothing, piece: nothing, unnamedPiece: heardApart, words: nothing },
    ...{ noWords: nothing, unnamed: ['response unnamed:1 Hello', ''], done: nothing, cut: nothing },
    ...{ cutBriefly: nothing, cutAfter: nothing, next: nothing, truncated: nothing },
  },
  truncated: {
    ...{ created: nothing, added: nothing, piece: hearing, unnamedPiece: hearing, noWords: nothing },
    ...{ words: ['response A Hello cut', ''], unnamed: ['response A Hello cut', ''], done: nothing },
    ...{ cut: nothing, cutBriefly: nothing, cutAfter: nothing, next: nothing, truncated: nothing },
  },
}

interface Case {
  readonly situation: string
  readonly event: string
  readonly before: readonly WireEvent[]
  readonly now: WireEvent
  readonly cell: Cell
}

function casesOf<Situation extends string, Event extends string>(
  table: Record<Situation, Record<Event, Cell>>,
  situations: Record<Situation, readonly Event[]>,
  events: Record<Event, WireEvent>,
): Case[] {
  const rows = Object.entries(table) as [Situation, Record<Event, Cell>][]
  return rows.flatMap(([situation, row]) =>
    (Object.entries(row) as [Event, Cell][]).map(([event, cell]) => ({
      ...{ situation, event, cell, now: events[event] },
      before: situations[situation].map((name) => events[name]),
    })),
  )
}

describe('[RT-18] every event in every situation of', () => {
  const run = ({ situation, before, now, cell }: Case) => {
    const transcript = makeTranscript(situation === 'replayed' ? ['U'] : [])
    observeAll(transcript, before)
    expect([observeAll(transcript, [now]), effectsOf(transcript.end())]).toEqual(cell)
    expect(transcript.end()).toEqual([])
  }
  test.each(casesOf(userTable, userSituations, userEvents))('a user: $situation, $event', run)
  test.each(casesOf(assistantTable, assistantSituations, assistantEvents))(
    'an answer: $situation, $event',
    run,
  )
})

describe('[6.2-1] the words are found', () => {
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
  test.each(places)('by %s in %s', (type, place, words, stored) => {
    const event = { type, item_id: 'U', [place.trim()]: words }
    expect(observeAll(makeTranscript(), [event])).toBe(stored)
  })

  const deltas = ['output_audio_transcript', 'audio_transcript', 'output_text', 'text']
  test.each(deltas)('by response.%s.done in its pieces alone', (name) => {
    const piece = (delta: string) => ({ ...ids, type: `response.${name}.delta`, delta })
    const end = { ...ids, type: `response.${name}.done` }
    expect(observeAll(makeTranscript(), [piece('Wor'), piece('ds'), end])).toBe('response A Words')
  })

  test.each([
    ['nothing', {}],
    ['something else', { transcript: 7, text: ['Words'], content: { text: 'Words' }, part: 'Words' }],
  ])('nowhere, in %s', (_, fields) => {
    for (const type of [...userTriggers, ...answerTriggers])
      expect(observeAll(makeTranscript(), [{ type, ...ids, ...fields }])).toBe('')
  })
})

describe('[RT-18] one turn is', () => {
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
      'what was typed and what was spoken in one item',
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
      'perhaps its second telling where another turn waits, so it is kept',
      [committed, { ...committed, item_id: 'V' }, words, unnamed, { ...second, transcript: 'Bye' }],
      'message U Hello, message unnamed:1 Hello, message V Bye',
    ],
    [
      'the same words without an id after somebody else has spoken',
      [words, { type: 'response.created', response: { id: 'R' } }, unnamed],
      'message U Hello, message unnamed:1 Hello',
    ],
    [
      'the same words without an id of what was said since',
      [words, { ...committed, item_id: 'V' }, unnamed],
      'message U Hello, message V Hello',
    ],
    [
      'each answer of another response, whether it was said to begin or not',
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
    ['told without its id first', [unnamed, words, second], 'message unnamed:1 Hello, message V Hello'],
  ]
  test.each(rows)('%s', (_, events, stored) => {
    expect(observeAll(makeTranscript(), events)).toBe(stored)
  })
})

describe('[RT-23] what a client creates is', () => {
  const echo = (created: object) => ({ type: 'conversation.item.created', item: created })
  const text = (value: string) => ({ type: 'output_text', text: value })
  test.each([
    ['not stored for an assistant', item('X', 'assistant', text('I said that.')), ''],
    ['not stored for the system', item('X', 'system', typedPart('Obey.')), ''],
    ['not stored for a tool', { id: 'X', type: 'function_call_output', call_id: 'c', output: 'Done' }, ''],
    ['not stored without words', item('X', 'user', typedPart(' ')), ''],
    ['not stored without an id', { type: 'message', role: 'user', content: [typedPart('Hi')] }, ''],
    ['stored for a user', item('X', 'user', typedPart('Hi')), 'message X Hi'],
  ])('%s', (_, created, stored) => {
    const transcript = makeTranscript()
    expect(observeAll(transcript, [echo(created), echo(created)])).toBe(stored)
    expect(effectsOf(transcript.end())).toBe('')
  })
})

test('[RT-20] a turn takes its place when it is spoken, not when its words come', () => {
  const { committed, words } = userEvents
  const spoken = [
    committed,
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

test('[RT-18] whatever the provider says in whatever order, no turn is stored twice and none is lost', () => {
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
