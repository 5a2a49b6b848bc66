import type { ServiceErrorEvent, SessionEvent } from '../generated/schemas/session-events.js'

/** An event that the service adds to the provider's. `chatbotId` is the id of the agent or sub-agent of the event. */
export type CustomEvent = Exclude<SessionEvent, ServiceErrorEvent>

/** A record, so that a type without an entry does not compile. */
const types: Readonly<Record<CustomEvent['type'], true>> = {
  'message.created': true,
  'response.id': true,
  'response.completed': true,
  'response.function_invocation.start': true,
  'response.function_invocation.done': true,
  'approval.waiting': true,
  'approval.approved': true,
  'approval.expired': true,
  'session.moving': true,
  'session.provider_changed': true,
  'subagent.start': true,
  'subagent.done': true,
}

export function isCustomType(type: string): type is CustomEvent['type'] {
  return Object.hasOwn(types, type)
}
