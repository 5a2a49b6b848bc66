import { clientMessages, type RefusalCode } from '@parley/contract'
import { answeredCalls } from './answered-calls.js'
import { foldCase } from './fold-case.js'
import { namesGuarded } from './guarded-names.js'
import { objectField, textField } from './provider-frame.js'
import { hasRepeatedKey } from './repeated-key.js'

/** What to do with a frame of the client that is not plain audio. */
export type ClientFrameVerdict =
  | { readonly action: 'forward'; readonly sent: ClientEvent | null }
  | {
      readonly action: 'decide'
      readonly decision: 'approve' | 'reject'
      readonly callId: string
      readonly reason: string | null
      readonly eventId: string | null
    }
  | {
      readonly action: 'refuse'
      readonly code: RefusalCode
      readonly message: string
      readonly eventId: string | null
    }

/** What a forwarded frame does, as far as the session must know. */
export type ClientEvent =
  | { readonly type: 'response.create' }
  | { readonly type: 'tool-output'; readonly callId: string }
  | { readonly type: 'other' }

interface Fields {
  readonly type?: unknown
  readonly event_id?: unknown
  readonly response?: unknown
}

const configuring = new Set(['session.update', 'transcription_session.update'])

/**
 * Judges a frame by what it says once parsed, in whichever spelling: duplicate keys, other letter case, escapes, binary
 * frames that hold JSON. `isBackendCall` tells whose call an output would answer.
 */
export function judgeClientFrame(
  data: Buffer,
  isBinary: boolean,
  isBackendCall: (callId: string) => boolean,
): ClientFrameVerdict {
  const text = isBinary ? textInside(data) : data.toString('utf8')
  const fields = parseObject(text)
  // Binary that is no JSON is audio, unless it names what is guarded. Text that is none would be guesswork for whoever
  // reads it more leniently.
  if (fields === null)
    return isBinary && !namesGuarded(text)
      ? forwarded(null)
      : refused('invalid_message', 'The message is not a JSON object.', null)
  const eventId = textOf(fields.event_id)
  if (hasRepeatedKey(text)) return refused('invalid_message', 'The message names a field twice.', eventId)
  const type = textOf(fields.type)
  if (type === null) return refused('invalid_message', 'The message has no type.', eventId)
  return judgeEvent(foldCase(type), fields, eventId, isBackendCall)
}

function judgeEvent(
  type: string,
  fields: Fields,
  eventId: string | null,
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
function isOutOfBand({ response }: Fields): boolean {
  return textField(objectField({ response }, 'response'), 'conversation') === 'none'
}

function judgeApproval(
  type: keyof typeof clientMessages,
  fields: Fields,
  eventId: string | null,
): ClientFrameVerdict {
  const message = clientMessages[type].safeParse(fields)
  const callId = message.success ? (message.data.callId ?? message.data.call_id) : undefined
  if (!message.success || callId === undefined)
    return refused('invalid_message', `${type} needs the callId of the call that waits.`, eventId)
  const decision = type === 'approval.approve' ? 'approve' : 'reject'
  return { action: 'decide', decision, callId, reason: message.data.reason ?? null, eventId }
}

/**
 * A binary frame as text, in any encoding that a lenient reader would find it in: UTF-8, UTF-16 and UTF-32 of plain
 * characters differ by zero bytes and a byte order mark alone.
 */
function textInside(data: Buffer): string {
  const plain = data.includes(0) ? Buffer.from(data.filter((byte) => byte !== 0)) : data
  return plain.toString('utf8').replace(/^[\s\uFEFF\uFFFD]+/, '')
}

function parseObject(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null
  } catch {
    return null
  }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : null)

const forwarded = (sent: ClientEvent | null): ClientFrameVerdict => ({ action: 'forward', sent })

function refused(code: RefusalCode, message: string, eventId: string | null): ClientFrameVerdict {
  return { action: 'refuse', code, message, eventId }
}
