import { describe, expect, test } from 'vitest'
import { isAudioDelta } from '#server/domain/realtime/protocol/audio-frames.js'
import type { ProviderEvent } from '#server/domain/realtime/protocol/provider-event.js'
import {
  decodeProviderFrame,
  type ProviderEventName,
  providerEventNames,
} from '#server/domain/realtime/protocol/provider-frame.js'
import { decodeEvent, type WireEvent } from '../../../support/realtime/decode-event.js'

const ids = { item_id: 'I', content_index: 1 }
const answerIds = { ...ids, response_id: 'R' }
const segment = { itemId: 'I', contentIndex: 1 }
const answerSegment = { ...segment, responseId: 'R' }
const userMessage = {
  id: 'I',
  type: 'message',
  role: 'user',
  content: [{ type: 'input_audio' }, { type: 'input_text', text: 'a' }, { type: 'input_text', text: 'b' }],
}
const echoed: ProviderEvent = {
  type: 'item.echoed',
  item: {
    kind: 'user-message',
    itemId: 'I',
    parts: [
      { kind: 'audio', contentIndex: 0 },
      { kind: 'typed', contentIndex: 1, text: 'a\nb' },
    ],
  },
}
const call = { id: 'I', type: 'function_call', status: 'completed', call_id: 'C', name: 'n', arguments: '{}' }
const callFields = { callId: 'C', name: 'n', argumentsText: '{}' }
const callItem = { kind: 'call', itemId: 'I', status: 'completed', ...callFields } as const
const spoken = (wireName: string) =>
  [
    { ...answerIds, transcript: 'Hi' },
    { type: 'assistant.done', wireName, ...answerSegment, text: 'Hi' },
  ] as const
const written = (wireName: string) =>
  [
    { ...answerIds, text: 'Hi' },
    { type: 'assistant.done', wireName, ...answerSegment, text: 'Hi' },
  ] as const
const piece = [
  { ...answerIds, delta: 'H' },
  { type: 'assistant.delta', ...answerSegment, delta: 'H' },
] as const
const heard = (wireName: string) =>
  [
    { ...ids, transcript: 'Hi', usage: { type: 'duration', seconds: 2 } },
    { type: 'user.done', wireName, ...segment, text: 'Hi', usage: { type: 'duration', seconds: 2 } },
  ] as const
const noTokens = {
  ...{ totalTokens: 0, inputTokens: 0, inputTextTokens: 0, inputAudioTokens: 0, inputImageTokens: 0 },
  ...{ cachedTokens: 0, cachedTextTokens: 0, cachedAudioTokens: 0, cachedImageTokens: 0 },
  ...{ outputTokens: 0, outputTextTokens: 0, outputAudioTokens: 0 },
}

/**
 * For every event name: an event of a provider, and the decoded event. A name without an example does not
 * compile.
 */
const examples: Record<ProviderEventName, readonly [fields: object, decoded: ProviderEvent]> = {
  error: [
    { error: { event_id: 'E', code: 'c', param: 'p', message: 'm' } },
    { type: 'error', eventId: 'E', code: 'c', param: 'p', message: 'm' },
  ],
  'session.updated': [{ session: {} }, { type: 'session.updated' }],
  'session.usage.updated': [{ usage: { seconds: 12.5 } }, { type: 'session.usage', seconds: 12.5 }],
  'response.output_audio.delta': [{ delta: 'AAAA' }, { type: 'audio.delta' }],
  'response.audio.delta': [{ delta: 'AAAA' }, { type: 'audio.delta' }],
  'input_audio_buffer.speech_started': [{ audio_start_ms: 5 }, { type: 'speech.started' }],
  'input_audio_buffer.committed': [ids, { type: 'speech.committed', ...segment }],
  'conversation.item.input_audio_transcription.delta': [
    { ...ids, delta: 'H' },
    { type: 'user.delta', ...segment, delta: 'H' },
  ],
  'conversation.item.input_audio_transcription.completed': heard(
    'conversation.item.input_audio_transcription.completed',
  ),
  'input_audio.transcript.done': heard('input_audio.transcript.done'),
  'conversation.item.input_audio_transcription.failed': [
    { ...ids, error: { message: 'm' } },
    { type: 'user.failed', ...segment, message: 'm' },
  ],
  'response.output_audio_transcript.delta': piece,
  'response.audio_transcript.delta': piece,
  'response.output_text.delta': piece,
  'response.text.delta': piece,
  'response.output_audio_transcript.done': spoken('response.output_audio_transcript.done'),
  'response.audio_transcript.done': spoken('response.audio_transcript.done'),
  'response.output_text.done': written('response.output_text.done'),
  'response.text.done': written('response.text.done'),
  'response.content.done': [{ ...answerIds, content: 'Hi' }, spoken('response.content.done')[1]],
  'conversation.item.added': [{ item: userMessage }, echoed],
  'conversation.item.created': [{ item: userMessage }, echoed],
  'conversation.item.done': [
    { item: { type: 'function_call_output', call_id: 'C' } },
    { type: 'item.echoed', item: { kind: 'call-output', callId: 'C' } },
  ],
  'conversation.item.truncated': [ids, { type: 'item.truncated', itemId: 'I' }],
  'response.created': [
    { response: { id: 'R', conversation_id: null, output_modalities: ['text'] } },
    { type: 'response.created', responseId: 'R', isOutOfBand: true, isTextOnly: true },
  ],
  'response.done': [
    {
      response: {
        id: 'R',
        status: 'completed',
        output: [call],
        usage: { total_tokens: 7, billable_audio_seconds: 8 },
      },
    },
    {
      type: 'response.done',
      responseId: 'R',
      status: 'completed',
      isCutOff: false,
      output: [callItem],
      usage: { ...noTokens, totalTokens: 7, billableAudioSeconds: 8 },
    },
  ],
  'response.output_item.added': [
    { response_id: 'R', item: { id: 'I', type: 'message' } },
    { type: 'output-item.added', responseId: 'R', item: { kind: 'message', itemId: 'I', status: null } },
  ],
  'response.output_item.done': [
    { response_id: 'R', item: call },
    { type: 'output-item.done', responseId: 'R', item: callItem },
  ],
  'response.function_call_arguments.done': [
    { response_id: 'R', item_id: 'I', call_id: 'C', name: 'n', arguments: '{}' },
    { type: 'call.arguments', responseId: 'R', itemId: 'I', ...callFields },
  ],
}

/** In the order of the interface. */
const persistenceTriggers = [
  'conversation.item.input_audio_transcription.completed',
  'input_audio.transcript.done',
  'response.audio_transcript.done',
  'response.output_audio_transcript.done',
  'response.output_text.done',
  'response.content.done',
]

describe('a provider frame', () => {
  test.each(Object.entries(examples))('is decoded: %s', (type, [fields, decoded]) => {
    expect(decodeEvent({ type, ...fields })).toEqual(decoded)
    expect(decodeEvent({ ...fields, type })).toEqual(decoded)
  })

  test('is decoded for every event name of the table', () => {
    expect(Object.keys(examples).sort()).toEqual([...providerEventNames].sort())
  })

  test('is decoded for every event that stores something [6.2-1]', () => {
    expect(providerEventNames).toEqual(expect.arrayContaining(persistenceTriggers))
  })

  test.each(Object.keys(examples))('is decoded without any fields: %s', (type) => {
    const bare = decodeEvent({ type })
    expect(bare?.type).toBe(examples[type as ProviderEventName][1].type)
    const wrong = Object.fromEntries(
      ['error', 'item', 'response', 'item_id', 'content_index', 'response_id', 'transcript', 'delta', 'text']
        .concat('content', 'part', 'call_id', 'name', 'arguments')
        .map((name) => [name, [7, null, { id: 7 }]]),
    )
    if (type !== 'response.content.done') expect(decodeEvent({ type, ...wrong })).toEqual(bare)
  })

  test.each<[string, WireEvent, object]>([
    ['an empty event id', { type: 'error', error: { event_id: '' } }, { eventId: null }],
    ['blank text', { type: 'response.text.done', text: ' \n' }, { text: null }],
    ['text in a part', { type: 'response.content.done', part: { transcript: 'Hi' } }, { text: 'Hi' }],
    [
      'text in several parts',
      { type: 'response.content.done', content: [{ text: 'H' }, 7, { text: 'i' }] },
      { text: 'Hi' },
    ],
    ['an invalid index', { type: 'input_audio_buffer.committed', content_index: 'x' }, { contentIndex: 0 }],
    [
      'another conversation',
      { type: 'response.created', response: { conversation_id: 'x' } },
      { isOutOfBand: false },
    ],
    [
      'two modalities',
      { type: 'response.created', response: { output_modalities: ['text', 'audio'] } },
      { isTextOnly: false },
    ],
  ])('is decoded leniently: %s', (_, event, expected) => {
    expect(decodeEvent(event)).toMatchObject(expected)
  })

  test.each<[string, WireEvent, object]>([
    ['an item id', { type: 'input_audio_buffer.committed', item_id: 'i'.repeat(257) }, { itemId: null }],
    [
      'an item id of the maximum length',
      { type: 'conversation.item.truncated', item_id: 'i'.repeat(256) },
      { itemId: 'i'.repeat(256) },
    ],
    ['a response id', { type: 'response.created', response: { id: 'r'.repeat(257) } }, { responseId: null }],
    [
      'a call id',
      { type: 'response.function_call_arguments.done', call_id: 'c'.repeat(257), name: 'n'.repeat(257) },
      { callId: null, name: null },
    ],
  ])('has a null id if the id is too long to store: %s [BND-17]', (_, event, expected) => {
    expect(decodeEvent(event)).toMatchObject(expected)
  })

  test.each([
    ['if its type is another', '{"type":"rate_limits.updated"}'],
    ['if its type is an inherited property of objects', '{"type":"constructor"}'],
    ['if it has no type', '{"response":{"id":"R"}}'],
    ['if its type is not a string', '{"type":7}'],
    ['if it is a list', '[{"type":"response.done"}]'],
    ['if it is not JSON', '{"type":"response.done"'],
    ['if it is empty', ''],
    ['if a second type field changes its type', '{"type":"response.done","type":"x"}'],
  ])('is ignored %s', (_, frame) => {
    expect(decodeProviderFrame(Buffer.from(frame))).toBeNull()
  })

  test.each([
    ['spaces', '{ "type" : "session.updated" }'],
    ['an escape', '{"type":"session\\u002eupdated"}'],
    ['another field first', '{"event_id":"e","type":"session.updated"}'],
  ])('is decoded if only a parser can find its type: %s', (_, frame) => {
    expect(decodeProviderFrame(Buffer.from(frame))).toEqual({ type: 'session.updated' })
  })
})

describe('an audio frame of the provider', () => {
  test.each([
    '{"type":"response.output_audio.delta","delta":"AAAA"}',
    '{"type":"response.audio.delta","event_id":"e","delta":"AAAA"}',
    '{"event_id":"event_6UkYip0C2Yhq5gLxloq8cl","type":"response.audio.delta","delta":"AAAA"}',
    '{"event_id":"","type":"response.output_audio.delta"}',
  ])('is recognized without parsing: %s', (frame) => {
    expect(isAudioDelta(Buffer.from(frame))).toBe(true)
  })

  test.each([
    '{"type":"response.output_audio.delta.more"}',
    '{"type":"response.output_audio_transcript.delta"}',
    '{"event_id":"e\\","type":"response.audio.delta"}',
    `{"event_id":"${'e'.repeat(101)}","type":"response.audio.delta"}`,
    '{"event_id":"e"}',
    '{"event_id":"e',
    '',
  ])('is parsed if it starts differently: %s', (frame) => {
    expect(isAudioDelta(Buffer.from(frame))).toBe(false)
  })
})

describe('the usage of a response', () => {
  const done = (fields: object) => decodeEvent({ type: 'response.done', ...fields })

  test('is unknown if it contains no counts [USE-1]', () => {
    expect(done({ response: { id: 'R', usage: {} } })).toMatchObject({ usage: null })
  })

  test('is read beside the response if the one in it is empty [RT-52]', () => {
    const usage = { input_tokens: 3, output_tokens: 4, total_tokens: 7 }
    expect(done({ response: { id: 'R', usage: {} }, usage })).toMatchObject({
      usage: { inputTokens: 3, outputTokens: 4, totalTokens: 7 },
    })
  })
})
