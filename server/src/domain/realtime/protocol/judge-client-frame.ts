import { clientMessages, type RefusalCode } from '@parley/contract'
import { answeredCalls, foldCase, hasRepeatedKey, namesGuarded, textInside } from './disguised-messages.js'
import { type Fields, isObject, objectField, parseJson, textField } from './json-fields.js'

/** What to do with a frame of the client that is not plain audio. */
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
      readonly code: RefusalCode
      readonly message: string
      readonly eventId: string | null
    }

/** What a forwarded frame does, as far as the session must know. */
export type ClientEvent =
  | { readonly type: 'response.create' }
  | { readonly type: 'tool-output'; readonly callId: string }
  | { readonly type: 'other' }

const configuring = new Set(['session.update', 'transcription_session.update'])

/**
 * Judges a frame by what it says once parsed, in whichever spelling: duplicate keys, other letter case, escapes, binary
 * frames that hold JSON. `isBackendCall` says whether an output would be for a call of the service's own tools.
 */
export function judgeClientFrame(
  data: Buffer,
  isBinary: boolean,
  isBackendCall: (callId: string) => boolean,
): ClientFrameVerdict {
  const text = isBinary ? textInside(data) : data.toString('utf8')
  const fields = parseJson(text)
  // Binary that is no JSON is audio, unless it names what is guarded. Text that is none would be guesswork for whoever
  // reads it more leniently.
  if (!isObject(fields))
    return isBinary && !namesGuarded(text)
      ? forwarded({ type: 'other' })
      : refused('invalid_message', 'The message is not a JSON object.', null)
  const eventId = textField(fields, 'event_id')
  if (hasRepeatedKey(text)) return refused('invalid_message', 'The message names a field twice.', eventId)
  const type = textField(fields, 'type')
  if (type === null) return refused('invalid_message', 'The message has no type.', eventId)
  return judgeEvent({ type: foldCase(type), fields, eventId }, isBackendCall)
}

interface ParsedEvent {
  readonly type: string
  readonly fields: Fields
  readonly eventId: string | null
}

function judgeEvent(
  { type, fields, eventId }: ParsedEvent,
  isBackendCall: (callId: string) => boolean,
): ClientFrameVerdict {
  if (type === 'approval.approve' || type === 'approval.reject') return judgeApproval(type, fields, eventId)
  if (configuring.has(type))
    return refused(
      'session_update_not_allowed',
      'The service configures the session; clients do not.',
      eventId,
    )
  const calls = answeredCalls(fields)
  if (calls.some(isBackendCall))
    return refused(
      'backend_tool_output_not_allowed',
      'The service runs this tool and answers the call itself.',
      eventId,
    )
  if (type === 'response.create') return forwarded({ type: isOutOfBand(fields) ? 'other' : type })
  const [callId] = type === 'conversation.item.create' ? calls : []
  return forwarded(callId === undefined ? { type: 'other' } : { type: 'tool-output', callId })
}

/** Apart from the conversation: it neither reads the outputs of tools nor stands in the way of a response that does. */
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
    return refused('invalid_message', `${type} needs the callId of the call that waits.`, eventId)
  const decision = type === 'approval.approve' ? 'approve' : 'reject'
  return { kind: 'decide', decision, callId, reason: message.data.reason ?? null, eventId }
}

const forwarded = (event: ClientEvent): ClientFrameVerdict => ({ kind: 'forward', event })

function refused(code: RefusalCode, message: string, eventId: string | null): ClientFrameVerdict {
  return { kind: 'refuse', code, message, eventId }
}
