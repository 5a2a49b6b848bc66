import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '../../../domain/domain-error.js'
import type { Timers } from '../../../ports/time.js'

/** Shorter than the time after which proxies close silent connections. */
const heartbeatMilliseconds = 15_000

export function wantsEvents(request: FastifyRequest): boolean {
  return /\btext\/event-stream\b/i.test(request.headers.accept ?? '')
}

/** Returns the id of the event after which the stream resumes, or 0 for the start. */
export function lastEventIdOf(request: FastifyRequest): number {
  const id = request.headers['last-event-id']
  if (id === undefined || id === '') return 0
  if (typeof id === 'string' && /^\d{1,9}$/.test(id)) return Number(id)
  throw new DomainError('InvalidRequest', 'Last-Event-ID must be the id of an event of this turn.', {
    errors: [{ path: 'Last-Event-ID', message: 'must be the id of an event of this turn' }],
  })
}

/** Returns a signal that aborts when the caller disconnects. */
export function disconnectSignal(reply: FastifyReply): AbortSignal {
  const disconnect = new AbortController()
  if (reply.raw.closed) disconnect.abort()
  reply.raw.once('close', () => disconnect.abort())
  return disconnect.signal
}

export interface SentEvents<Event> {
  readonly events: AsyncGenerator<Event>
  /** Returns the event in the format of server-sent events, including the empty line after it. */
  readonly textOf: (event: Event) => string
}

/** Streams events as they occur. Applies backpressure if the caller reads slowly. */
export function sendEvents<Event>(
  reply: FastifyReply,
  timers: Timers,
  sent: SentEvents<Event>,
): FastifyReply {
  return reply
    .code(200)
    .headers({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-store, no-transform',
      // Tells proxies not to buffer the response.
      'x-accel-buffering': 'no',
    })
    .send(Readable.from(eventLines(timers, sent), { objectMode: false, highWaterMark: 16_384 }))
}

async function* eventLines<Event>(
  timers: Timers,
  { events, textOf }: SentEvents<Event>,
): AsyncGenerator<Buffer> {
  // Sent immediately, so that the caller knows that the stream is connected.
  yield Buffer.from(': events follow\n\n')
  try {
    let next = events.next()
    for (;;) {
      const result = await orHeartbeat(timers, next)
      if (result === 'heartbeat') {
        yield Buffer.from(': still here\n\n')
        continue
      }
      if (result.done) return
      yield Buffer.from(textOf(result.value))
      next = events.next()
    }
  } finally {
    void events.return(undefined)
  }
}

async function orHeartbeat<Result>(timers: Timers, next: Promise<Result>): Promise<Result | 'heartbeat'> {
  let cancel = () => {}
  const heartbeat = new Promise<'heartbeat'>((resolve) => {
    cancel = timers.after(heartbeatMilliseconds, () => resolve('heartbeat'))
  })
  try {
    return await Promise.race([next, heartbeat])
  } finally {
    cancel()
  }
}
