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
    'stores an answer once that every trigger event reports',
    [...answerTriggers, ...answerTriggers].map((type) => ({ ...part, type, text: 'Yes' })),
    ['assistant: Yes'],
  ],
  [
    'stores an answer once if only some events have ids',
    answerTriggers.map((type, index) => ({ ...(index % 2 === 0 && part), type, text: 'Yes' })),
    ['assistant: Yes'],
  ],
  [
    'stores an answer once if no event has ids',
    answerTriggers.map((type) => ({ type, text: 'Yes' })),
    ['assistant: Yes'],
  ],
  [
    'stores a user turn once if only some events have ids',
    [transcribed('U', 'Hi'), { type: 'input_audio.transcript.done', text: 'Hi' }, transcribed('U', 'Hi')],
    ['user: Hi'],
  ],
  [
    'stores each content part of an item once',
    [answered('A', 'One'), { ...answered('A', 'Two'), content_index: 1 }, answered('A', 'One')],
    ['assistant: One', 'assistant: Two'],
  ],
  [
    'stores equal answers of different responses without item ids separately',
    ['R', 'S', 'T'].flatMap((id) => [
      responseCreated(id),
      { type: 'response.content.done', response_id: id, content: 'Okay.' },
      responseDone(id),
    ]),
    ['assistant: Okay.', 'assistant: Okay.', 'assistant: Okay.'],
  ],
  [
    'stores each of two equal events of the same type without ids',
    ['Okay.', 'Okay.'].map((content) => ({ type: 'response.content.done', content })),
    ['assistant: Okay.', 'assistant: Okay.'],
  ],
  [
    'stores a repeated user turn even if the second event has no id',
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
  [
    'stores each answer without ids once',
    [...unnamedAnswer, ...unnamedAnswer],
    ['assistant: One', 'assistant: One'],
  ],
  [
    'stores an answer once that arrives in deltas and as a whole',
    [responseCreated(R), spoke('A', 'Ye'), spoke('A', 's'), answered('A', 'Yes'), responseDone(R)],
    ['assistant: Yes'],
  ],
]

export const lateWords: readonly SpokenSession[] = [
  [
    'stores a late transcription before the answer',
    [committed('U'), answered('A', 'Hello'), responseDone(R), transcribed('U', 'Hi')],
    ['user: Hi', 'assistant: Hello'],
  ],
  [
    'keeps the order of user turns whose transcriptions arrive in another order',
    [...['U', 'V', 'W'].map(committed), ...['W', 'V', 'U'].map((item) => transcribed(item, item))],
    ['user: U', 'user: V', 'user: W'],
  ],
  [
    'stores an answer first that began before the user spoke',
    [spoke('A', 'Hel'), committed('U'), transcribed('U', 'Wait'), answered('A', 'Hello')],
    ['assistant: Hello', 'user: Wait'],
  ],
  [
    'stores an answer first whose item was added before the user spoke',
    [itemAdded('A', R), transcribed('U', 'Then'), answered('A', 'First')],
    ['assistant: First', 'user: Then'],
  ],
  [
    'stores typed text after earlier speech that is transcribed later',
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
    'keeps the words if the next turn cancels the response after the final text',
    [spoke('A', 'Hel'), answered('A', 'Hel'), ended('cancelled')],
    ['assistant: Hel: cut'],
  ],
  [
    'keeps the words if the next turn cancels the response before the final text',
    [spoke('A', 'Hel'), spoke('A', 'lo'), ended('cancelled')],
    ['assistant: Hello: cut'],
  ],
  [
    'keeps the words if the cancelled response lists no items',
    [answered('A', 'Hel'), ended('cancelled', [])],
    ['assistant: Hel: cut'],
  ],
  [
    'keeps the words if a limit ends the response',
    [spoke('A', 'Hel'), answered('A', 'Hel'), ended('incomplete')],
    ['assistant: Hel: cut'],
  ],
  [
    'keeps the words if the response fails',
    [spoke('A', 'Hel'), ended('failed', [])],
    ['assistant: Hel: cut'],
  ],
  [
    'stores nothing if the response is cancelled before its first words',
    [itemAdded('A', R), ended('cancelled')],
    [],
  ],
  [
    'marks only the unfinished item of a cancelled response as cut',
    [
      answered('A', 'One'),
      { ...spoke('B', 'Tw'), response_id: R },
      ended('cancelled', [{ id: 'A', status: 'completed' }]),
    ],
    ['assistant: One', 'assistant: Tw: cut'],
  ],
  [
    'marks a finished answer as cut if it is truncated afterwards',
    [answered('A', 'Hello'), ended('completed'), truncated],
    ['assistant: Hello: cut'],
  ],
  [
    'marks an answer as cut if it is truncated before its final text',
    [spoke('A', 'Hel'), truncated, answered('A', 'Hello')],
    ['assistant: Hello: cut'],
  ],
  [
    'does not mark a completed answer as cut',
    [answered('A', 'Hello'), ended('completed')],
    ['assistant: Hello'],
  ],
]

export const missingWords: readonly SpokenSession[] = [
  [
    'keeps the place of the message if it failed',
    [committed('U'), answered('A', 'Hello'), { ...failed, error: { message: 'Too loud.' } }],
    ['user: : Too loud.', 'assistant: Hello'],
  ],
  [
    'stores a default reason if it failed without one',
    [committed('U'), failed],
    ['user: : The transcription failed.'],
  ],
  [
    'keeps the words that arrived before it failed',
    [
      committed('U'),
      { ...failed, type: 'conversation.item.input_audio_transcription.delta', delta: 'Hel' },
      failed,
    ],
    ['user: Hel: The transcription failed.'],
  ],
  [
    'leaves a message without words if the session ends before it arrives',
    [committed('U'), answered('A', 'Hello')],
    ['user: : cut: The session ended before this speech was transcribed.', 'assistant: Hello'],
  ],
  [
    'stores no message if it has no words',
    [committed('U'), transcribed('U', ' \n'), answered('A', 'Hello')],
    ['assistant: Hello'],
  ],
]
