import type { ServiceErrorEvent, SessionEvent } from '../generated/schemas/session-events.js'

/** What the service says beside the provider. `chatbotId` is the id of the agent, or of the sub-agent whose event it is. */
export type CustomEvent = Exclude<SessionEvent, ServiceErrorEvent>

/** As a record, so that a type without its name here does not compile. */
const types: Readonly<Record<CustomEvent['type'], true>> = {
  'message.created': true,
  'response.id': true,
  'response.completed': true,
  'response.function_invocation.start': true,
  'response.function_invocation.done': true,
  'approval.waiting': true,
  'approval.approved': true,
  'approval.expired': true,
  'subagent.start': true,
  'subagent.done': true,
}

export function isCustomType(type: string): type is CustomEvent['type'] {
  return Object.hasOwn(types, type)
}
