import type { ConversationItem, RealtimeClientEvent } from 'openai/resources/realtime/realtime'
import { invalidRequest, type ProtocolError } from './protocol-error.js'
import { responseShape, sessionShape } from './session-shape.js'
import {
  array,
  findMistake,
  integer,
  isRecord,
  nullable,
  object,
  oneOf,
  type Shape,
  tagged,
  text,
} from './shape.js'

export type ClientEvent = RealtimeClientEvent
export type ClientItem = ConversationItem

export type ClientFrame =
  | { readonly kind: 'event'; readonly event: ClientEvent }
  | { readonly kind: 'mistake'; readonly error: ProtocolError; readonly eventId: string | null }

const content = (...types: readonly string[]): Shape =>
  array(
    object(
      {
        type: oneOf(...types),
        text: nullable(text),
        audio: nullable(text),
        transcript: nullable(text),
      },
      ['type'],
    ),
  )

const itemFields = {
  id: text,
  object: text,
  type: text,
  status: oneOf('completed', 'incomplete', 'in_progress'),
}

const message = (role: string, ...types: readonly string[]): Shape =>
  object({ ...itemFields, role: oneOf(role), content: content(...types) }, ['content'])

const item = tagged('type', {
  message: tagged('role', {
    system: message('system', 'input_text'),
    user: message('user', 'input_text', 'input_audio'),
    assistant: message('assistant', 'output_text', 'output_audio'),
  }),
  function_call: object({ ...itemFields, call_id: text, name: text, arguments: text }, ['name', 'arguments']),
  function_call_output: object({ ...itemFields, call_id: text, output: text }, ['call_id', 'output']),
})

const reference = object({ type: text, id: text }, ['id'])
const inputItem = tagged('type', {
  ...(item.kind === 'tagged' ? item.members : {}),
  item_reference: reference,
})

const eventId: Shape = { kind: 'string', maxLength: 512 }
const event = (fields: Readonly<Record<string, Shape>>, ...required: readonly string[]): Shape =>
  object({ type: text, event_id: eventId, ...fields }, required)

const clientEvent = tagged('type', {
  'session.update': event({ session: sessionShape }, 'session'),
  'input_audio_buffer.append': event({ audio: text }, 'audio'),
  'input_audio_buffer.commit': event({}),
  'input_audio_buffer.clear': event({}),
  'conversation.item.create': event({ item, previous_item_id: nullable(text) }, 'item'),
  'conversation.item.retrieve': event({ item_id: text }, 'item_id'),
  'conversation.item.truncate': event(
    { item_id: text, content_index: integer(0), audio_end_ms: integer(0) },
    'item_id',
    'content_index',
    'audio_end_ms',
  ),
  'conversation.item.delete': event({ item_id: text }, 'item_id'),
  'response.create': event({ response: nullable(responseShape(inputItem)) }),
  'response.cancel': event({ response_id: text }),
  'output_audio_buffer.clear': event({}),
})

/** Reads one frame of a client, all of it checked: what comes out can be acted on without a second look. */
export function readClientFrame(frame: string): ClientFrame {
  const value = parseJson(frame)
  if (!isRecord(value))
    return mistake(
      invalidRequest('invalid_json', 'The event is not a JSON object. Send one event a frame.'),
      null,
    )
  const error = findMistake(clientEvent, value, '')
  if (error !== null) return mistake(error, typeof value.event_id === 'string' ? value.event_id : null)
  return { kind: 'event', event: value as unknown as ClientEvent }
}

function mistake(error: ProtocolError, id: string | null): ClientFrame {
  return { kind: 'mistake', error, eventId: id }
}

function parseJson(frame: string): unknown {
  try {
    return JSON.parse(frame)
  } catch {
    return undefined
  }
}
