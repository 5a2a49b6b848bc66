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
      'Server-sent events, on whichever instance, of what changes on any of them: what and which, never its contents. Only what the caller could read is told of. After a break the stream goes on from the cursor in `Last-Event-ID`; what it has to tell may be told twice, and is never left out. It ends when the key or session does or the role changes, and when the service stops; then it is opened anew. A comment comes at least every 15 seconds.',
    scope: null,
    outcome: 'The events, as they come, until the caller leaves.',
    status: 200,
    events: LiveEvent,
    isEndless: true,
    refusals: ['LimitReached', 'Unavailable'],
  }),
}
