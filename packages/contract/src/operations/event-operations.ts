import { LiveEvent } from '../live-event.js'
import { defineOperation } from '../operation.js'

export const eventOperations = {
  followChanges: defineOperation({
    operationId: 'followChanges',
    method: 'GET',
    path: '/api/v1/Event',
    tag: 'Event',
    summary: 'Follow changes in the organization',
    description:
      'Streams server-sent events about changes on all instances. An event contains the type and ID of the resource, but not its content. Callers only receive events for resources that they can read. After an interruption, the stream resumes from the cursor in `Last-Event-ID`. Events can be repeated, but are never lost. The stream ends when the API key or session becomes invalid, when the role of the user changes, and when the service stops. Clients must then reconnect. A comment is sent at least every 15 seconds to keep the connection alive.',
    scope: null,
    outcome: 'A stream of events that continues until the caller disconnects.',
    status: 200,
    events: LiveEvent,
    isEndless: true,
    errors: ['LimitReached', 'Unavailable'],
  }),
}
