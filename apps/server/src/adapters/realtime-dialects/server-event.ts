import { randomBytes } from 'node:crypto'
import type { Fields } from './json-fields.js'

/** An event of OpenAI's protocol without its id, which it gets when it is emitted. */
export type ServerEvent = Fields & { readonly type: string }

/** Queues an event, or a whole frame, for the owner of the socket. */
export type Emit = (event: ServerEvent | Buffer) => void

/** Random bytes for each event would cost as much as the rest of an audio frame. */
const eventPrefix = `event_${randomBytes(6).toString('hex')}`
let eventCount = 0

/** Returns the id of an event, which is unique in this process. */
export function nextEventId(): string {
  eventCount += 1
  return `${eventPrefix}${eventCount}`
}

/** Returns an id of at most 32 characters. */
export function makeId(kind: 'sess' | 'conv' | 'item' | 'resp' | 'call'): string {
  return `${kind}_${randomBytes(12).toString('hex')}`
}

/** The type comes first, so that the relay finds it without parsing. */
export function frameOf({ type, ...rest }: ServerEvent): Buffer {
  return Buffer.from(JSON.stringify({ type, event_id: nextEventId(), ...rest }))
}

/** Returns the answer to an event that has no counterpart at the provider. */
export function unsupportedEvent(event: Fields, message: string): ServerEvent {
  return errorEvent(event, 'unsupported_by_provider', message)
}

/** Returns the answer to an event of the client or the service that failed. */
export function errorEvent(event: Fields, code: string, message: string, param: string | null = null) {
  const type = 'invalid_request_error'
  return { type: 'error', error: { type, code, message, param, event_id: event.event_id ?? null } }
}
