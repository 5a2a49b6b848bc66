import type {
  ConversationItem,
  RealtimeResponse,
  RealtimeServerEvent,
} from 'openai/resources/realtime/realtime'
import { makeId } from './ids.js'
import type { ProtocolError } from './protocol-error.js'

export type ServerEvent = RealtimeServerEvent
export type WireItem = ConversationItem
export type WireResponse = RealtimeResponse

/** An event without its id: that is given when it is sent. */
export type ServerEventBody = ServerEvent extends infer Event
  ? Event extends { event_id: string }
    ? Omit<Event, 'event_id'>
    : never
  : never

/** Whoever tells the client something. Events leave in the order they are told. */
export type Tell = (event: ServerEventBody) => void

/** Key order as the providers have it: what a relay looks for stands first. */
export function serverEvent(body: ServerEventBody): ServerEvent {
  const { type, ...rest } = body
  return { type, event_id: makeId('event'), ...rest } as ServerEvent
}

export function errorEvent(error: ProtocolError, clientEventId: string | null): ServerEventBody {
  return {
    type: 'error',
    error: {
      type: error.type,
      code: error.code,
      message: error.message,
      param: error.param,
      event_id: clientEventId,
    },
  } satisfies ServerEventBody
}
