import type { ServiceErrorEvent } from '@parley/contract'
import { v7 as uuid } from 'uuid'

/** Sets the events that the service sends apart from a client's, in what a provider says of them too. */
const prefix = 'svc_'

export const newServiceEventId = () => `${prefix}${uuid()}`

export const isServiceEventId = (eventId: string) => eventId.startsWith(prefix)

/** An error of the service, in the shape that clients know from the provider. */
export function errorEvent(code: string, message: string, clientEventId: string | null = null): string {
  const event: ServiceErrorEvent = {
    type: 'error',
    event_id: newServiceEventId(),
    error: { type: 'service_error', code, message, param: null, event_id: clientEventId },
  }
  return JSON.stringify(event)
}
