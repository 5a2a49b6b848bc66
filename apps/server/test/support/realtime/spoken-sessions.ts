import {
  answered,
  committed,
  responseCreated,
  responseDone,
  spoke,
  transcribed,
  typedItem,
} from './spoken-turns.js'

/** A provider's events in a session, and the stored messages: role, words and marks. */
export type SpokenSession = readonly [title: string, events: readonly object[], stored: readonly string[]]

export const userTriggers = [
  'conversation.item.input_audio_transcription.completed',
  'input_audio.transcript.done',
]

export const answerTriggers = [
  'audio_transcript',
  'output_audio_transcript',
  'output_text',
  'content',
  'text',
].map((name) => `response.${name}.done`)

const R = 'response of A'
const part = { response_id: R, item_id: 'A', output_index: 0, content_index: 0 }
const unnamedAnswer = [
  { type: 'response.created', response: {} },
  { type: 'response.text.done', text: 'One' },
  { type: 'response.done', response: { status: 'completed' } },
]
const itemAdded = (id: string, responseId: string) => ({
  type: 'response.output_item.added',
  response_id: responseId,
  item: { id, type: 'message', role: 'assistant' },
})
const truncated = { type: 'conversation.item.truncated', item_id: 'A', content_index: 0, audio_end_ms: 100 }
const failed = {
  type: 'conversation.item.input_audio_transcription.failed',
  item_id: 'U',
  content_index: 0,
}

/** An answer that does not end normally. */
const ended = (status: string, output: object[] = [{ id: 'A', type: 'message', status: 'incomplete' }]) =>
  responseDone(R, { status, output, status_details: { type: status, reason: 'turn_detected' } })

export const repeatedTurns: readonly SpokenSession[] = [
  [
    'told by every trigger',
    [...answerTriggers, ...answerTriggers].map((type) => ({ ...part, type, text: 'Yes' })),
    ['assistant: Yes'],
  ],
  [
    'told with and without ids',
    answerTriggers.map((type, index) => ({ ...(index % 2 === 0 && part), type, text: 'Yes' })),
    ['assistant: Yes'],
  ],
  ['told without any id', answerTriggers.map((type) => ({ type, text: 'Yes' })), ['assistant: Yes']],
  [
    'told of a user with and without ids',
    [transcribed('U', 'Hi'), { type: 'input_audio.transcript.done', text: 'Hi' }, transcribed('U', 'Hi')],
    ['user: Hi'],
  ],
  [
    'for each of its parts',
    [answered('A', 'One'), { ...answered('A', 'Two'), content_index: 1 }, answered('A', 'One')],
    ['assistant: One', 'assistant: Two'],
  ],
  [
    'told again in another response, without an item',
    ['R', 'S', 'T'].flatMap((id) => [
      responseCreated(id),
      { type: 'response.content.done', response_id: id, content: 'Okay.' },
      responseDone(id),
    ]),
    ['assistant: Okay.', 'assistant: Okay.', 'assistant: Okay.'],
  ],
  [
    'told again under the same name, without any id',
    ['Okay.', 'Okay.'].map((content) => ({ type: 'response.content.done', content })),
    ['assistant: Okay.', 'assistant: Okay.'],
  ],
  [
    'said again by a user, now without an id',
    [
      ...[
        committed('U'),
        transcribed('U', 'yes'),
        responseCreated(R),
        answered('A', 'Sure?'),
        responseDone(R),
      ],
      { type: 'input_audio.transcript.done', transcript: 'yes' },
    ],
    ['user: yes', 'assistant: Sure?', 'user: yes'],
  ],
  ['for each answer without ids', [...unnamedAnswer, ...unnamedAnswer], ['assistant: One', 'assistant: One']],
  [
    'told in pieces and at its end',
    [responseCreated(R), spoke('A', 'Ye'), spoke('A', 's'), answered('A', 'Yes'), responseDone(R)],
    ['assistant: Yes'],
  ],
]

export const lateWords: readonly SpokenSession[] = [
  [
    'a transcription after the answer',
    [committed('U'), answered('A', 'Hello'), responseDone(R), transcribed('U', 'Hi')],
    ['user: Hi', 'assistant: Hello'],
  ],
  [
    'several turns before their words',
    [...['U', 'V', 'W'].map(committed), ...['W', 'V', 'U'].map((item) => transcribed(item, item))],
    ['user: U', 'user: V', 'user: W'],
  ],
  [
    'an answer that began before the user spoke',
    [spoke('A', 'Hel'), committed('U'), transcribed('U', 'Wait'), answered('A', 'Hello')],
    ['assistant: Hello', 'user: Wait'],
  ],
  [
    'an answer that was only announced before the user spoke',
    [itemAdded('A', R), transcribed('U', 'Then'), answered('A', 'First')],
    ['assistant: First', 'user: Then'],
  ],
  [
    'typed words among spoken ones',
    [
      committed('U'),
      { type: 'conversation.item.added', item: typedItem('T', 'typed') },
      transcribed('U', 'spoken'),
    ],
    ['user: spoken', 'user: typed'],
  ],
]

export const cutAnswers: readonly SpokenSession[] = [
  [
    'by the next turn, its end told',
    [spoke('A', 'Hel'), answered('A', 'Hel'), ended('cancelled')],
    ['assistant: Hel: cut'],
  ],
  [
    'by the next turn, its end not told',
    [spoke('A', 'Hel'), spoke('A', 'lo'), ended('cancelled')],
    ['assistant: Hello: cut'],
  ],
  [
    'by the next turn, its items not told',
    [answered('A', 'Hel'), ended('cancelled', [])],
    ['assistant: Hel: cut'],
  ],
  ['by a limit', [spoke('A', 'Hel'), answered('A', 'Hel'), ended('incomplete')], ['assistant: Hel: cut']],
  ['by a failure', [spoke('A', 'Hel'), ended('failed', [])], ['assistant: Hel: cut']],
  ['before it said anything', [itemAdded('A', R), ended('cancelled')], []],
  [
    'after an item that was finished',
    [
      answered('A', 'One'),
      { ...spoke('B', 'Tw'), response_id: R },
      ended('cancelled', [{ id: 'A', status: 'completed' }]),
    ],
    ['assistant: One', 'assistant: Tw: cut'],
  ],
  [
    'after it was finished',
    [answered('A', 'Hello'), ended('completed'), truncated],
    ['assistant: Hello: cut'],
  ],
  [
    'before its end was told',
    [spoke('A', 'Hel'), truncated, answered('A', 'Hello')],
    ['assistant: Hello: cut'],
  ],
  ['not, where nothing was cut', [answered('A', 'Hello'), ended('completed')], ['assistant: Hello']],
]

export const missingWords: readonly SpokenSession[] = [
  [
    'that failed leaves the message in its place',
    [committed('U'), answered('A', 'Hello'), { ...failed, error: { message: 'Too loud.' } }],
    ['user: : Too loud.', 'assistant: Hello'],
  ],
  ['that failed without a word why says so', [committed('U'), failed], ['user: : The transcription failed.']],
  [
    'that failed half-way keeps its pieces',
    [
      committed('U'),
      { ...failed, type: 'conversation.item.input_audio_transcription.delta', delta: 'Hel' },
      failed,
    ],
    ['user: Hel: The transcription failed.'],
  ],
  [
    'that the session did not live to see leaves the message',
    [committed('U'), answered('A', 'Hello')],
    ['user: : cut: The session ended before these words were written down.', 'assistant: Hello'],
  ],
  [
    'without words leaves nothing',
    [committed('U'), transcribed('U', ' \n'), answered('A', 'Hello')],
    ['assistant: Hello'],
  ],
]
