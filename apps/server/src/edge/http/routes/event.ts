import { operations } from '@parley/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SentEvent, StreamEnd } from '../../../domain/live/organization-watch.js'
import { leftSignal, sendEvents } from '../answer/event-stream.js'
import type { Router } from '../operation-route.js'
import { isStillAdmitted } from '../request/authenticate.js'
import type { Services } from '../services.js'

/** A reader who has not taken the last words by then does not get them. */
const lingerMilliseconds = 5000

export function registerEventRoutes({ respond }: Router, services: Services): void {
  const { live, questions } = services
  const { timers } = questions

  respond(operations.followChanges, async (_, { caller }, { request, reply }) => {
    const left = leftSignal(reply)
    const stream = await live.open({
      caller,
      lastEventId: cursorOf(request),
      isStillAllowed: () => isStillAdmitted(services, caller, request),
      onEnd: (end) => hangUp(reply, end),
    })
    const leave = () => stream.end('left')
    if (left.aborted) leave()
    else left.addEventListener('abort', leave, { once: true })
    return sendEvents(reply, timers, { events: stream[Symbol.asyncIterator](), textOf })
  })

  /** What a stream has sent waits for its reader, who may never come for it. */
  function hangUp({ raw }: FastifyReply, end: StreamEnd): void {
    if (raw.closed) return
    if (end === 'slow') raw.destroy()
    else
      raw.once(
        'close',
        timers.after(lingerMilliseconds, () => raw.destroy()),
      )
  }
}

/** Whatever it holds: a cursor that is none is answered with a reset. */
function cursorOf({ headers }: FastifyRequest): string | null {
  const id = headers['last-event-id']
  return typeof id === 'string' && id !== '' ? id : null
}

function textOf({ id, event }: SentEvent): string {
  const cursor = id === null ? '' : `id: ${id}\n`
  return event === null ? `: still here\n${cursor}\n` : `${cursor}data: ${JSON.stringify(event)}\n\n`
}
