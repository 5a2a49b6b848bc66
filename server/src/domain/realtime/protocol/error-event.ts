import type { ServiceErrorEvent } from '@parley/contract'
import { v7 as uuid } from 'uuid'

/** An error of the service, in the shape that clients know from the provider. */
export function errorEvent(code: string, message: string, answersEventId: string | null = null): string {
  const event: ServiceErrorEvent = {
    type: 'error',
    event_id: `svc_${uuid()}`,
    error: { type: 'service_error', code, message, param: null, event_id: answersEventId },
  }
  return JSON.stringify(event)
}
