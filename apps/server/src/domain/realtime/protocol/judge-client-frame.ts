import { clientMessages, type RejectionCode } from '@parley/contract'
import { isNestedDeeper } from '../../json-text.js'
import {
  findCallItems,
  findDoubtfulKey,
  foldCase,
  isPrintable,
  isUnambiguous,
  namesGuarded,
  readingsOf,
  textInside,
} from './disguised-frames.js'
import { type Fields, idField, isObject, objectField, parseJson, textField } from './json-fields.js'

/** The decision on a client's frame that is not plain audio. */
export type ClientFrameVerdict =
  | { readonly kind: 'forward'; readonly event: ClientEvent }
  | {
      readonly kind: 'decide'
      readonly decision: 'approve' | 'reject'
      readonly callId: string
      readonly reason: string | null
      readonly eventId: string | null
    }
  | {
      readonly kind: 'refuse'
      readonly code: RejectionCode
      readonly message: string
      readonly eventId: string | null
    }

/** The effect of a forwarded frame on the session. */
export type ClientEvent =
  /** `isPlain`: whether the response has the settings of the session. */
  | { readonly type: 'response.create'; readonly isPlain: boolean }
  /** Cancels the response that was requested last. */
  | { readonly type: 'response.cancel' }
  | { readonly type: 'tool-output'; readonly callId: string }
  | { readonly type: 'input_audio_buffer.commit' | 'input_audio_buffer.clear' }
  /** A message of the user. The provider's echo has the id, if the client has chosen one. */
  | { readonly type: 'user-message'; readonly itemId: string | null }
  | { readonly type: 'other' }

/** Events that are not forwarded, and how they are handled. */
const guardedEvents: ReadonlyMap<string, 'configure' | keyof typeof clientMessages> = new Map([
  ['session.update', 'configure'],
  ['transcription_session.update', 'configure'],
  ['approval.approve', 'approval.approve'],
  ['approval.reject', 'approval.reject'],
])

/** No event is nested deeper than about twelve levels, including a tool's schema. */
const maxDepth = 64

/**
 * Decides on a frame by its parsed content, in every possible spelling: duplicate keys, different case,
 * escapes, and JSON in binary frames. `isClientCall` returns whether the model has called a client tool with
 * that id. The client may not answer other calls.
 */
export function judgeClientFrame(
  data: Buffer,
  isBinary: boolean,
  isClientCall: (callId: string) => boolean,
): ClientFrameVerdict {
  const text = isBinary ? textInside(data) : data.toString('utf8')
  // Brackets in binary audio have no meaning.
  if ((!isBinary || /^\{\s*"/.test(text)) && isNestedDeeper(data, maxDepth))
    return refused('invalid_message', `The message is nested deeper than ${maxDepth} levels.`, null)
  const fields = parseJson(text)
  // A binary frame that is not JSON is treated as audio, unless it contains a guarded name. A text frame that
  // is not JSON is refused, because a more lenient parser might accept it.
  if (!isObject(fields))
    return isBinary && !namesGuarded(data)
      ? forwarded({ type: 'other' })
      : refused('invalid_message', 'The message is not a JSON object.', null)
  const eventId = textField(fields, 'event_id')
  const doubtfulKey = findDoubtfulKey(text)
  if (doubtfulKey !== null) return refused('invalid_message', doubtfulKey, eventId)
  const type = textField(fields, 'type')
  if (type === null) return refused('invalid_message', 'The message has no type.', eventId)
  const verdict = judgeEvent({ type, fields, eventId }, isClientCall)
  const isPlain = isPrintable(type) && (!isBinary || isUnambiguous(data))
  return verdict.kind === 'forward' && !isPlain
    ? refused('invalid_message', 'The message contains bytes that parsers interpret differently.', eventId)
    : verdict
}

interface ParsedEvent {
  readonly type: string
  readonly fields: Fields
  readonly eventId: string | null
}

function judgeEvent(
  { type, fields, eventId }: ParsedEvent,
  isClientCall: (callId: string) => boolean,
): ClientFrameVerdict {
  for (const reading of readingsOf(type)) {
    const guarded = guardedEvents.get(reading)
    if (guarded === 'configure')
      return refused(
        'session_update_not_allowed',
        'The service configures the session. Clients must not send this event.',
        eventId,
      )
    if (guarded !== undefined) return judgeApproval(guarded, fields, eventId)
  }
  const { hasCall, answered } = findCallItems(fields)
  if (hasCall)
    return refused(
      'function_call_not_allowed',
      'Only the model can call tools. Clients must not create calls.',
      eventId,
    )
  const calls = answered.filter((callId) => typeof callId === 'string' && isClientCall(callId))
  if (calls.length < answered.length)
    return refused(
      'backend_tool_output_not_allowed',
      'Clients can only answer the calls of their own tools. The service answers all other calls.',
      eventId,
    )
  const folded = foldCase(type)
  if (folded === 'response.create')
    return forwarded(
      isOutOfBand(fields) ? { type: 'other' } : { type: folded, isPlain: !('response' in fields) },
    )
  if (folded === 'response.cancel' && !('response_id' in fields)) return forwarded({ type: folded })
  if (folded === 'input_audio_buffer.commit' || folded === 'input_audio_buffer.clear')
    return forwarded({ type: folded })
  if (folded !== 'conversation.item.create') return forwarded({ type: 'other' })
  const [callId] = calls
  if (typeof callId === 'string') return forwarded({ type: 'tool-output', callId })
  const item = objectField(fields, 'item')
  const isUserMessage = textField(item, 'type') === 'message' && textField(item, 'role') === 'user'
  return forwarded(isUserMessage ? { type: 'user-message', itemId: idField(item, 'id') } : { type: 'other' })
}

/**
 * Returns whether a response is out of band: it neither reads tool outputs nor blocks a response that does.
 */
function isOutOfBand(fields: Fields): boolean {
  return textField(objectField(fields, 'response'), 'conversation') === 'none'
}

function judgeApproval(
  type: keyof typeof clientMessages,
  fields: Fields,
  eventId: string | null,
): ClientFrameVerdict {
  const message = clientMessages[type].safeParse(fields)
  const callId = message.success ? (message.data.callId ?? message.data.call_id ?? null) : null
  if (!message.success || callId === null)
    return refused('invalid_message', `${type} requires the callId of a waiting call.`, eventId)
  const decision = type === 'approval.approve' ? 'approve' : 'reject'
  return { kind: 'decide', decision, callId, reason: message.data.reason ?? null, eventId }
}

const forwarded = (event: ClientEvent): ClientFrameVerdict => ({ kind: 'forward', event })

function refused(code: RejectionCode, message: string, eventId: string | null): ClientFrameVerdict {
  return { kind: 'refuse', code, message, eventId }
}
