import { type CustomEvent, isCustomType } from './custom-event.js'

/*
 * The events that the client handles. Wire names with the same meaning share one type here. Later versions of
 * the protocol only add fields and events, so unknown ones are ignored. `raw` listeners receive all events.
 */
export type SessionEvent = ProviderEvent | CustomEvent

export type ProviderEvent =
  | { readonly type: 'ready'; readonly formats: AudioFormats }
  | { readonly type: 'speech.started' }
  | { readonly type: 'speech.stopped' }
  | { readonly type: 'speech.committed'; readonly itemId: string }
  | { readonly type: 'user.delta'; readonly itemId: string; readonly delta: string }
  | { readonly type: 'user.done'; readonly itemId: string; readonly text: string; readonly isFinal: boolean }
  | { readonly type: 'user.failed'; readonly itemId: string; readonly message: string }
  | AddedItem
  | {
      readonly type: 'assistant.delta'
      readonly itemId: string
      readonly responseId: string | null
      readonly delta: string
    }
  | {
      readonly type: 'assistant.done'
      readonly itemId: string
      readonly responseId: string | null
      /** Null if the provider sends it only in deltas. */
      readonly text: string | null
    }
  | AudioDelta
  | { readonly type: 'audio.done'; readonly itemId: string }
  | { readonly type: 'item.truncated'; readonly itemId: string; readonly heardMilliseconds: number }
  | { readonly type: 'response.created'; readonly responseId: string | null }
  | {
      readonly type: 'response.done'
      readonly responseId: string | null
      readonly status: string
      readonly itemIds: readonly string[]
      /** Why it failed, in the provider's wording. */
      readonly failure: string | null
    }
  | CallArguments
  | ErrorEvent

export interface AddedItem {
  readonly type: 'item.added'
  readonly itemId: string
  readonly role: 'user' | 'assistant'
  /** `null` if the text arrives later. */
  readonly text: string | null
}

export interface AudioDelta {
  readonly type: 'audio.delta'
  readonly itemId: string
  readonly responseId: string | null
  readonly contentIndex: number
  readonly base64: string
}

export interface CallArguments {
  readonly type: 'call.arguments'
  readonly callId: string
  readonly responseId: string | null
  readonly name: string
  readonly argumentsText: string
}

export interface ErrorEvent {
  readonly type: 'error'
  readonly code: string | null
  readonly message: string
  /** The client event that it refers to. */
  readonly eventId: string | null
  /** Whether the error was reported by the Parley service rather than by the model provider. */
  readonly isOfService: boolean
}

export type AudioFormat = 'pcm16' | 'g711_ulaw' | 'g711_alaw'

export interface AudioFormats {
  readonly input: AudioFormat
  readonly output: AudioFormat
}

export type RawEvent = Readonly<Record<string, unknown>>
type Reader = (event: RawEvent) => ProviderEvent | null

const userDone: Reader = (event) => ({
  type: 'user.done',
  itemId: textOf(event.item_id),
  text: textOf(event.transcript),
  // xAI sends the growing transcript several times.
  isFinal: event.status !== 'in_progress',
})
const assistantDelta: Reader = (event) => ({
  type: 'assistant.delta',
  ...positionOf(event),
  delta: textOf(event.delta),
})
const assistantDone: Reader = (event) => ({
  type: 'assistant.done',
  ...positionOf(event),
  text: stringOf(event.transcript) ?? stringOf(event.text),
})
const audioDelta: Reader = (event) => ({
  type: 'audio.delta',
  ...positionOf(event),
  contentIndex: numberOf(event.content_index),
  base64: textOf(event.delta),
})
const audioDone: Reader = (event) => ({ type: 'audio.done', itemId: textOf(event.item_id) })

const readers: Readonly<Record<string, Reader>> = {
  'session.updated': (event) => ({ type: 'ready', formats: formatsOf(recordOf(event.session)) }),
  'input_audio_buffer.speech_started': () => ({ type: 'speech.started' }),
  'input_audio_buffer.speech_stopped': () => ({ type: 'speech.stopped' }),
  'input_audio_buffer.committed': (event) => ({ type: 'speech.committed', itemId: textOf(event.item_id) }),
  'conversation.item.input_audio_transcription.delta': (event) => ({
    type: 'user.delta',
    itemId: textOf(event.item_id),
    delta: textOf(event.delta),
  }),
  'conversation.item.input_audio_transcription.completed': userDone,
  'input_audio.transcript.done': userDone,
  'conversation.item.input_audio_transcription.failed': (event) => ({
    type: 'user.failed',
    itemId: textOf(event.item_id),
    message: stringOf(recordOf(event.error).message) ?? 'The audio could not be transcribed.',
  }),
  'conversation.item.added': readItem,
  'conversation.item.created': readItem,
  'response.output_item.added': readItem,
  'response.output_audio_transcript.delta': assistantDelta,
  'response.audio_transcript.delta': assistantDelta,
  'response.output_text.delta': assistantDelta,
  'response.output_audio_transcript.done': assistantDone,
  'response.audio_transcript.done': assistantDone,
  'response.output_text.done': assistantDone,
  'response.output_audio.delta': audioDelta,
  'response.audio.delta': audioDelta,
  'response.output_audio.done': audioDone,
  'response.audio.done': audioDone,
  'conversation.item.truncated': (event) => ({
    type: 'item.truncated',
    itemId: textOf(event.item_id),
    heardMilliseconds: numberOf(event.audio_end_ms),
  }),
  'response.created': ({ response }) => ({
    type: 'response.created',
    responseId: stringOf(recordOf(response).id),
  }),
  'response.done': ({ response }) => readResponseDone(recordOf(response)),
  'response.function_call_arguments.done': (event) => ({
    type: 'call.arguments',
    callId: textOf(event.call_id),
    responseId: stringOf(event.response_id),
    name: textOf(event.name),
    argumentsText: textOf(event.arguments),
  }),
  error: ({ error }) => readError(recordOf(error)),
}

/** Null if it is not a JSON object. */
export function parseFrame(frame: string): RawEvent | null {
  try {
    const event: unknown = JSON.parse(frame)
    return isRecord(event) ? event : null
  } catch {
    return null
  }
}

/** Null if the client does not act on it. */
export function readSessionEvent(event: RawEvent): SessionEvent | null {
  const type = textOf(event.type)
  if (isCustomEvent(event)) return event
  return Object.hasOwn(readers, type) ? (readers[type]?.(event) ?? null) : null
}

/** The service validates its own events against the contract before sending them. */
function isCustomEvent(event: RawEvent): event is RawEvent & CustomEvent {
  return isCustomType(textOf(event.type)) && isRecord(event.data)
}

function readItem(event: RawEvent): ProviderEvent | null {
  const item = recordOf(event.item)
  const itemId = stringOf(item.id)
  if (itemId === null || item.type !== 'message' || (item.role !== 'user' && item.role !== 'assistant'))
    return null
  const parts = Array.isArray(item.content) ? item.content.map(recordOf) : []
  const texts = parts.flatMap(({ text, transcript }) => stringOf(text) ?? stringOf(transcript) ?? [])
  return { type: 'item.added', itemId, role: item.role, text: texts.length === 0 ? null : texts.join('\n') }
}

function readResponseDone(response: RawEvent): ProviderEvent {
  const output = Array.isArray(response.output) ? response.output.map(recordOf) : []
  return {
    type: 'response.done',
    responseId: stringOf(response.id),
    status: stringOf(response.status) ?? 'completed',
    itemIds: output.flatMap(({ id }) => stringOf(id) ?? []),
    failure: stringOf(recordOf(recordOf(response.status_details).error).message),
  }
}

function readError(error: RawEvent): ErrorEvent {
  return {
    type: 'error',
    code: stringOf(error.code),
    message: stringOf(error.message) ?? 'The provider reported an error without a message.',
    eventId: stringOf(error.event_id),
    isOfService: error.type === 'service_error',
  }
}

function formatsOf(session: RawEvent): AudioFormats {
  const audio = recordOf(session.audio)
  return {
    input: formatOf(recordOf(audio.input).format ?? session.input_audio_format),
    output: formatOf(recordOf(audio.output).format ?? session.output_audio_format),
  }
}

function formatOf(format: unknown): AudioFormat {
  const name = isRecord(format) ? format.type : format
  if (name === 'audio/pcmu' || name === 'g711_ulaw') return 'g711_ulaw'
  return name === 'audio/pcma' || name === 'g711_alaw' ? 'g711_alaw' : 'pcm16'
}

function positionOf(event: RawEvent): { readonly itemId: string; readonly responseId: string | null } {
  return { itemId: textOf(event.item_id), responseId: stringOf(event.response_id) }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function recordOf(value: unknown): RawEvent {
  return isRecord(value) ? value : {}
}

function stringOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0
}
