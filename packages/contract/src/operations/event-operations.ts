import { LiveEvent } from '../live-event.js'
import { defineOperation } from '../operation.js'

export const eventOperations = {
  followChanges: defineOperation({
    operationId: 'followChanges',
    method: 'GET',
    path: '/api/v1/Event',
    tag: 'Event',
    summary: 'Follow the changes of the organization',
    description:
      'Server-sent events about changes on any instance. An event names the resource, never its content. A caller receives only events that it could read. After an interruption the stream resumes from the cursor in `Last-Event-ID`. Events may repeat but are never lost. The stream ends when the key or session ends, when the role changes, and when the service stops; clients reconnect. A comment is sent at least every 15 seconds.',
    scope: null,
    outcome: 'The events, until the caller disconnects.',
    status: 200,
    events: LiveEvent,
    isEndless: true,
    refusals: ['LimitReached', 'Unavailable'],
  }),
}
