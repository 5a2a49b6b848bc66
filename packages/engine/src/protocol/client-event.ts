import { z } from 'zod'
import { errorOfIssue, isRecord } from './issue-error.js'
import { invalidRequest, type ProtocolError } from './protocol-error.js'
import { integer, responseParams, sessionUpdate } from './session-schema.js'

const itemFields = {
  id: z.string().exactOptional(),
  object: z.string().exactOptional(),
  status: z.enum(['completed', 'incomplete', 'in_progress']).exactOptional(),
}

const message = <const Role extends string, const Type extends string>(
  role: Role,
  contentTypes: readonly Type[],
) =>
  z.strictObject({
    ...itemFields,
    type: z.literal('message'),
    role: z.literal(role),
    content: z.array(
      z.strictObject({
        type: z.enum(contentTypes),
        text: z.string().nullable().exactOptional(),
        audio: z.string().nullable().exactOptional(),
        transcript: z.string().nullable().exactOptional(),
      }),
    ),
  })

const itemMembers = [
  z.discriminatedUnion('role', [
    message('system', ['input_text']),
    message('user', ['input_text', 'input_audio']),
    message('assistant', ['output_text', 'output_audio']),
  ]),
  z.strictObject({
    ...itemFields,
    type: z.literal('function_call'),
    call_id: z.string().exactOptional(),
    name: z.string(),
    arguments: z.string(),
  }),
  z.strictObject({
    ...itemFields,
    type: z.literal('function_call_output'),
    call_id: z.string(),
    output: z.string(),
  }),
] as const

const item = z.discriminatedUnion('type', itemMembers)
const inputItem = z.discriminatedUnion('type', [
  ...itemMembers,
  z.strictObject({ type: z.literal('item_reference'), id: z.string() }),
])
const response = responseParams(inputItem)

const event = <const Type extends string, Shape extends z.core.$ZodLooseShape>(type: Type, shape: Shape) =>
  z.strictObject({ type: z.literal(type), event_id: z.string().max(512).exactOptional(), ...shape })

const index = integer(0, Number.MAX_SAFE_INTEGER)

const clientEvent = z.discriminatedUnion('type', [
  event('session.update', { session: sessionUpdate }),
  event('input_audio_buffer.append', { audio: z.string() }),
  event('input_audio_buffer.commit', {}),
  event('input_audio_buffer.clear', {}),
  event('conversation.item.create', { item, previous_item_id: z.string().nullable().exactOptional() }),
  event('conversation.item.retrieve', { item_id: z.string() }),
  event('conversation.item.truncate', { item_id: z.string(), content_index: index, audio_end_ms: index }),
  event('conversation.item.delete', { item_id: z.string() }),
  event('response.create', { response: response.nullable().exactOptional() }),
  event('response.cancel', { response_id: z.string().exactOptional() }),
  event('output_audio_buffer.clear', {}),
])

export type ClientEvent = z.output<typeof clientEvent>
export type ClientItem = z.output<typeof item>
export type ResponseParams = z.output<typeof response>

export type ClientFrame =
  | { readonly ok: true; readonly event: ClientEvent }
  | { readonly ok: false; readonly error: ProtocolError; readonly eventId: string | null }

/** Decodes and validates one frame of a client. Later code relies on it and does not validate again. */
export function decodeClientFrame(frame: string): ClientFrame {
  const value = parseJson(frame)
  if (!isRecord(value)) {
    const error = invalidRequest('invalid_json', 'The event is not a JSON object. Send one event a frame.')
    return { ok: false, error, eventId: null }
  }
  const decoded = clientEvent.safeParse(value, { reportInput: true })
  if (decoded.success) return { ok: true, event: decoded.data }
  const eventId = typeof value.event_id === 'string' ? value.event_id : null
  return { ok: false, error: firstError(decoded.error), eventId }
}

function firstError({ issues: [first] }: z.ZodError): ProtocolError {
  return first === undefined ? invalidRequest('invalid_value', 'Invalid event.') : errorOfIssue(first)
}

function parseJson(frame: string): unknown {
  try {
    return JSON.parse(frame)
  } catch {
    return undefined
  }
}
