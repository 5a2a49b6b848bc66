import type {
  ConversationItem,
  RealtimeResponse,
  RealtimeServerEvent,
} from 'openai/resources/realtime/realtime'
import { makeId } from './ids.js'
import type { ProtocolError } from './protocol-error.js'
import type { SessionConfig } from './session-config.js'

export type WireItem = ConversationItem
export type WireResponse = Omit<RealtimeResponse, 'metadata'> & {
  readonly metadata?: Readonly<Record<string, unknown>> | null
}

/** Events that repeat client input. The engine accepts more than the library's types allow. */
type OwnEventBody =
  | { readonly type: 'session.created' | 'session.updated'; readonly session: SessionConfig }
  | { readonly type: 'response.created' | 'response.done'; readonly response: WireResponse }

type LibraryEventBody = RealtimeServerEvent extends infer Event
  ? Event extends { type: OwnEventBody['type'] }
    ? never
    : Event extends { event_id: string }
      ? Omit<Event, 'event_id'>
      : never
  : never

/** An event without its id. It gets the id when it is sent. */
export type ServerEventBody = OwnEventBody | LibraryEventBody
export type ServerEvent = ServerEventBody & { readonly event_id: string }

/** Sends an event to the client. Events are sent in the order of the calls. */
export type Emit = (event: ServerEventBody) => void

/** Uses the providers' key order: the fields that a relay looks for come first. */
export function serverEvent(body: ServerEventBody): ServerEvent {
  return Object.assign({ type: body.type, event_id: makeId('event') }, body)
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
