import type { TurnEvent } from '@parley/sdk'
import type { PlainEvent } from './timing'

/** The tool and agent events as a record, so that the compiler reports a missing event. */
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

/** The service validates its own events before sending, so this is not repeated here. */
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
