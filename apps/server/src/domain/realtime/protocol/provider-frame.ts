import { isBeyond, type JsonBounds } from '../../json-text.js'
import { typeAtStart } from './audio-frames.js'
import {
  type Fields,
  idField,
  isObject,
  listField,
  numberField,
  objectField,
  parseJson,
  textField,
  unlessBlank,
} from './json-fields.js'
import type {
  EchoedItem,
  OutputItem,
  ProviderErrorEvent,
  ProviderEvent,
  ResponseCreatedEvent,
  ResponseDoneEvent,
  ResponseUsage,
  TranscriptionUsage,
  UserPart,
} from './provider-event.js'

/** The wire names that the service handles, and their readers. Events with other names are only forwarded. */
const readers = {
  error: readError,
  'session.updated': () => ({ type: 'session.updated' }),
  // GPT-Live's own name.
  'session.usage.updated': (event) => ({
    type: 'session.usage',
    seconds: numberField(objectField(event, 'usage'), 'seconds'),
  }),

  'response.output_audio.delta': () => ({ type: 'audio.delta' }),
  'response.audio.delta': () => ({ type: 'audio.delta' }),

  'input_audio_buffer.speech_started': () => ({ type: 'speech.started' }),
  'input_audio_buffer.committed': (event) => ({ type: 'speech.committed', ...segmentIds(event) }),
  'conversation.item.input_audio_transcription.delta': (event) => ({
    type: 'user.delta',
    ...segmentIds(event),
    delta: textField(event, 'delta'),
  }),
  'conversation.item.input_audio_transcription.completed': readUserDone,
  // No current provider uses this name, but the interface defines it.
  'input_audio.transcript.done': readUserDone,
  'conversation.item.input_audio_transcription.failed': (event) => ({
    type: 'user.failed',
    ...segmentIds(event),
    message: textField(objectField(event, 'error'), 'message'),
  }),

  // The assistant's transcript under its current names, the names of the beta, and others.
  'response.output_audio_transcript.delta': readAssistantDelta,
  'response.audio_transcript.delta': readAssistantDelta,
  'response.output_text.delta': readAssistantDelta,
  'response.text.delta': readAssistantDelta,
  'response.output_audio_transcript.done': readAssistantDone,
  'response.audio_transcript.done': readAssistantDone,
  'response.output_text.done': readAssistantDone,
  'response.text.done': readAssistantDone,
  'response.content.done': readAssistantDone,

  'conversation.item.added': readEcho,
  'conversation.item.created': readEcho,
  'conversation.item.done': readEcho,
  'conversation.item.truncated': (event) => ({ type: 'item.truncated', itemId: idField(event, 'item_id') }),

  'response.created': readResponseCreated,
  'response.done': readResponseDone,
  'response.output_item.added': (event) => ({ type: 'output-item.added', ...outputOf(event) }),
  'response.output_item.done': (event) => ({ type: 'output-item.done', ...outputOf(event) }),
  'response.function_call_arguments.done': (event) => ({
    type: 'call.arguments',
    responseId: idField(event, 'response_id'),
    itemId: idField(event, 'item_id'),
    ...callFields(event),
  }),
} as const satisfies Record<string, (event: Fields) => ProviderEvent>

/** The wire name of an event that the service handles. */
export type ProviderEventName = keyof typeof readers

export const providerEventNames: readonly string[] = Object.keys(readers)

const readerOf: ReadonlyMap<string, (event: Fields) => ProviderEvent> = new Map(Object.entries(readers))

/**
 * No event is nested deeper than about twelve levels or contains more than a few thousand values. Parsing an
 * event that exceeds this takes far longer than its length suggests. At most one megabyte of text is stored
 * per segment.
 */
const bounds: JsonBounds = { maxDepth: 64, maxValues: 20_000 }
const maxBytes = 4 * 1024 * 1024

/**
 * Decodes a text frame of the provider. Returns null, without parsing, if the service does not handle its
 * type.
 */
export function decodeProviderFrame(frame: Buffer): ProviderEvent | null {
  const plainType = typeAtStart(frame)
  if (plainType !== null && !readerOf.has(plainType)) return null
  if (frame.length > maxBytes || isBeyond(frame, bounds)) return null
  const event = parseJson(frame.toString('utf8'))
  if (!isObject(event)) return null
  const type = textField(event, 'type')
  const read = type === null ? undefined : readerOf.get(type)
  return read === undefined ? null : read(event)
}

/** Reads an error. Providers often omit the id of the event that caused it, or send an empty id. */
function readError(event: Fields): ProviderErrorEvent {
  const error = objectField(event, 'error')
  const eventId = textField(error, 'event_id')
  return {
    type: 'error',
    eventId: eventId === '' ? null : eventId,
    code: textField(error, 'code'),
    param: textField(error, 'param'),
    message: textField(error, 'message'),
  }
}

function segmentIds(event: Fields) {
  return { itemId: idField(event, 'item_id'), contentIndex: numberField(event, 'content_index') ?? 0 }
}

function readUserDone(event: Fields): ProviderEvent {
  // xAI sends the growing transcript several times under this name.
  if (textField(event, 'status') === 'in_progress')
    return { type: 'user.partial', ...segmentIds(event), text: wordsOf(event) ?? '' }
  return {
    type: 'user.done',
    wireName: wireNameOf(event),
    ...segmentIds(event),
    text: unlessBlank(wordsOf(event)),
    usage: transcriptionUsageOf(objectField(event, 'usage')),
  }
}

function transcriptionUsageOf(usage: Fields | null): TranscriptionUsage | null {
  const seconds = numberField(usage, 'seconds')
  if (seconds !== null) return { type: 'duration', seconds }
  const tokens = usageOf(usage)
  return tokens === null ? null : { type: 'tokens', tokens }
}

function readAssistantDelta(event: Fields): ProviderEvent {
  return {
    type: 'assistant.delta',
    ...segmentIds(event),
    responseId: idField(event, 'response_id'),
    delta: textField(event, 'delta'),
  }
}

function readAssistantDone(event: Fields): ProviderEvent {
  const text = wordsOf(event) ?? spokenOrWritten(objectField(event, 'part')) ?? wordsOfParts(event)
  return {
    type: 'assistant.done',
    wireName: wireNameOf(event),
    ...segmentIds(event),
    responseId: idField(event, 'response_id'),
    text: unlessBlank(text),
  }
}

const wireNameOf = (event: Fields) => String(event.type)

/** Returns the text of an event, from any of the fields that providers use for it. */
function wordsOf(event: Fields): string | null {
  return spokenOrWritten(event) ?? textField(event, 'content')
}

function wordsOfParts(event: Fields): string {
  return listField(event, 'content').map(spokenOrWritten).join('')
}

function spokenOrWritten(fields: Fields | null): string | null {
  return textField(fields, 'transcript') ?? textField(fields, 'text')
}

function readEcho(event: Fields): ProviderEvent {
  return { type: 'item.echoed', item: echoedItem(objectField(event, 'item')) }
}

function readResponseCreated(event: Fields): ResponseCreatedEvent {
  const response = objectField(event, 'response')
  const modalities = response?.output_modalities
  return {
    type: 'response.created',
    responseId: idField(response, 'id'),
    isOutOfBand: response?.conversation_id === null,
    isTextOnly: Array.isArray(modalities) && modalities.length === 1 && modalities[0] === 'text',
  }
}

function readResponseDone(event: Fields): ResponseDoneEvent {
  const response = objectField(event, 'response')
  return {
    type: 'response.done',
    responseId: idField(response, 'id'),
    status: textField(response, 'status'),
    isCutOff:
      textField(objectField(objectField(response, 'status_details'), 'error'), 'code') === 'provider_closed',
    output: listField(response, 'output').map(outputItem),
    // xAI sends an empty usage in the response and the counts beside it.
    usage: usageOf(objectField(response, 'usage')) ?? usageOf(objectField(event, 'usage')),
  }
}

/**
 * Reads the usage of a response, in which the input tokens include cached tokens. Returns null if it contains no
 * counts, because an unknown usage must not be counted as zero.
 */
function usageOf(usage: Fields | null): ResponseUsage | null {
  if (usage === null || !tokenCounts.some((name) => numberField(usage, name) !== null)) return null
  const input = objectField(usage, 'input_token_details')
  const cached = objectField(input, 'cached_tokens_details')
  const output = objectField(usage, 'output_token_details')
  const count = (fields: Fields | null, name: string) => numberField(fields, name) ?? 0
  return {
    totalTokens: count(usage, 'total_tokens'),
    inputTokens: count(usage, 'input_tokens'),
    inputTextTokens: count(input, 'text_tokens'),
    inputAudioTokens: count(input, 'audio_tokens'),
    inputImageTokens: count(input, 'image_tokens'),
    cachedTokens: count(input, 'cached_tokens'),
    cachedTextTokens: count(cached, 'text_tokens'),
    cachedAudioTokens: count(cached, 'audio_tokens'),
    cachedImageTokens: count(cached, 'image_tokens'),
    outputTokens: count(usage, 'output_tokens'),
    outputTextTokens: count(output, 'text_tokens'),
    outputAudioTokens: count(output, 'audio_tokens'),
    billableAudioSeconds: count(usage, 'billable_audio_seconds'),
  }
}

const tokenCounts = ['total_tokens', 'input_tokens', 'output_tokens']

function outputOf(event: Fields) {
  return { responseId: idField(event, 'response_id'), item: outputItem(objectField(event, 'item')) }
}

/** Reads a conversation item from the client, the service or the provider. */
function echoedItem(item: Fields | null): EchoedItem {
  const type = textField(item, 'type')
  const callId = idField(item, 'call_id')
  if (type === 'function_call_output' && callId !== null) return { kind: 'call-output', callId }
  const itemId = idField(item, 'id')
  if (type === 'message' && textField(item, 'role') === 'user' && itemId !== null)
    return { kind: 'user-message', itemId, parts: userParts(listField(item, 'content')) }
  return { kind: 'other' }
}

/** Returns the parts of a user's message. All typed text is one part, with the index of the first. */
function userParts(content: readonly Fields[]): UserPart[] {
  const isTyped = (part: Fields) => textField(part, 'type') === 'input_text'
  const typed = content.filter(isTyped).map((part) => textField(part, 'text'))
  const text = unlessBlank(typed.join('\n'))
  const typedIndex = content.findIndex(isTyped)
  return content.flatMap((part, contentIndex): UserPart[] => {
    if (textField(part, 'type') === 'input_audio') return [{ kind: 'audio', contentIndex }]
    return contentIndex === typedIndex && text !== null ? [{ kind: 'typed', contentIndex, text }] : []
  })
}

/** Reads an item in the output of a response. */
function outputItem(item: Fields | null): OutputItem {
  const type = textField(item, 'type')
  const fields = { itemId: idField(item, 'id'), status: textField(item, 'status') }
  if (type === 'function_call') return { kind: 'call', ...fields, ...callFields(item) }
  return { kind: type === 'message' ? 'message' : 'other', ...fields }
}

/** Reads the fields of a call, which are the same in items and in argument events. */
function callFields(fields: Fields | null) {
  return {
    callId: idField(fields, 'call_id'),
    name: idField(fields, 'name'),
    argumentsText: textField(fields, 'arguments') ?? '',
  }
}
