import { clientMessages, type RefusalCode } from '@parley/contract'
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
  readonly item?: unknown
  readonly call_id?: unknown
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
  const text = isBinary ? jsonInside(data) : data.toString('utf8')
  if (text === null) return forwarded(null)
  const fields = parseObject(text)
  // Binary that is no JSON is audio. Text that is none would be guesswork for whoever reads it more leniently.
  if (fields === null)
    return isBinary ? forwarded(null) : refused('invalid_message', 'The message is not a JSON object.', null)
  const eventId = textOf(fields.event_id)
  if (hasRepeatedKey(text)) return refused('invalid_message', 'The message names a field twice.', eventId)
  if (!('type' in fields)) return refused('invalid_message', 'The message has no type.', eventId)
  return judgeEvent(fields, eventId, isBackendCall)
}

function judgeEvent(
  fields: Fields,
  eventId: string | null,
  isBackendCall: (callId: string) => boolean,
): ClientFrameVerdict {
  const type = fields.type
  if (type === 'approval.approve' || type === 'approval.reject') return judgeApproval(type, fields, eventId)
  if (typeof type === 'string' && configuring.has(type))
    return refused(
      'session_update_not_allowed',
      'The service configures the session; clients do not.',
      eventId,
    )
  if (type === 'response.create') return forwarded({ type })
  const callId = type === 'conversation.item.create' ? answeredCall(fields) : null
  if (callId === null) return forwarded({ type: 'other' })
  if (isBackendCall(callId))
    return refused(
      'backend_tool_output_not_allowed',
      'The service runs this tool and answers the call itself.',
      eventId,
    )
  return forwarded({ type: 'tool-output', callId })
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

/** The call that a `function_call_output` item answers. */
function answeredCall(fields: Fields): string | null {
  const item = fields.item
  if (typeof item !== 'object' || item === null) return null
  const { type, call_id: callId } = item as Fields
  return type === 'function_call_output' && typeof callId === 'string' ? callId : null
}

/**
 * JSON in a binary frame, in any encoding that a lenient reader would find it in: UTF-8, UTF-16 and UTF-32 of plain
 * characters differ by zero bytes and a byte order mark alone.
 */
function jsonInside(data: Buffer): string | null {
  const start = data
    .subarray(0, 16)
    .filter(
      (byte) =>
        byte !== 0 && byte !== 0xef && byte !== 0xbb && byte !== 0xbf && byte !== 0xfe && byte !== 0xff,
    )
  if (!/^\s*\{/.test(Buffer.from(start).toString('latin1'))) return null
  const plain = data.includes(0) ? Buffer.from(data.filter((byte) => byte !== 0)) : data
  return plain.toString('utf8').replace(/^[^{]*/, '')
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
