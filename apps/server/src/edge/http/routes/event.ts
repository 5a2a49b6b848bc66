import { operations } from '@parley/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SentEvent, StreamEnd } from '../../../domain/live/organization-watch.js'
import { disconnectSignal, sendEvents } from '../answer/event-stream.js'
import type { Router } from '../operation-route.js'
import { isStillAdmitted } from '../request/authenticate.js'
import type { Services } from '../services.js'

/** How long a client may take to read the last events. After that, the connection is destroyed. */
const lingerMilliseconds = 5000

export function registerEventRoutes({ respond }: Router, services: Services): void {
  const { live, questions } = services
  const { timers } = questions

  respond(operations.followChanges, async (_, { caller }, { request, reply }) => {
    const disconnected = disconnectSignal(reply)
    const stream = await live.open({
      caller,
      lastEventId: cursorOf(request),
      isStillAllowed: () => isStillAdmitted(services, caller, request),
      onEnd: (end) => closeConnection(reply, end),
    })
    const leave = () => stream.end('left')
    if (disconnected.aborted) leave()
    else disconnected.addEventListener('abort', leave, { once: true })
    return sendEvents(reply, timers, { events: stream[Symbol.asyncIterator](), textOf })
  })

  /**
   * Closes the stream. Events that were already sent wait for a client that may never read them, so a timer
   * destroys the connection.
   */
  function closeConnection({ raw }: FastifyReply, end: StreamEnd): void {
    if (raw.closed) return
    if (end === 'slow') raw.destroy()
    else
      raw.once(
        'close',
        timers.after(lingerMilliseconds, () => raw.destroy()),
      )
  }
}

/** The cursor is not validated here, because an invalid cursor results in a reset event. */
function cursorOf({ headers }: FastifyRequest): string | null {
  const id = headers['last-event-id']
  return typeof id === 'string' && id !== '' ? id : null
}

function textOf({ id, event }: SentEvent): string {
  const cursor = id === null ? '' : `id: ${id}\n`
  return event === null ? `: still here\n${cursor}\n` : `${cursor}data: ${JSON.stringify(event)}\n\n`
}
