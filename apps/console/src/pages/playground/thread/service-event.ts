import type { TurnEvent } from '@parley/sdk'
import type { PlainEvent } from './timing'

/** The events of tools and other agents, as a record, so that one without its name here does not compile. */
type CallEventType = Exclude<
  TurnEvent['type'],
  'turn.started' | 'response.text.delta' | 'message.created' | 'response.id' | 'response.completed' | 'error'
>

const types: Readonly<Record<CallEventType, true>> = {
  'response.function_invocation.start': true,
  'response.function_invocation.done': true,
  'approval.waiting': true,
  'approval.approved': true,
  'approval.expired': true,
  'subagent.start': true,
  'subagent.done': true,
}

/** The service checks its own events against the contract before it sends them. */
export function isCallEvent(
  event: PlainEvent,
): event is PlainEvent & Extract<TurnEvent, { type: CallEventType }> {
  return (
    typeof event.type === 'string' &&
    Object.hasOwn(types, event.type) &&
    typeof event.data === 'object' &&
    event.data !== null
  )
}
