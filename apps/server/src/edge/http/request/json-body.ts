import type { IncomingMessage } from 'node:http'
import { setImmediate as nextPass } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { FairQueue } from '../../../concurrency/fair-queue.js'
import { DomainError } from '../../../domain/domain-error.js'
import { isNestedDeeper } from '../../../domain/json-text.js'
import type { Timers } from '../../../ports/timers.js'
import type { App } from '../services.js'
import { maxDepth } from './storable.js'

type Done = (error: Error | null, body?: unknown) => void

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** Parsing and checking a longer body takes more than a millisecond, so each pass of the event loop parses only one. */
const longBytes = 32 * 1024

/**
 * Accepts JSON bodies only. Invalid UTF-8 is rejected, not replaced by question marks. Deep nesting is rejected before
 * parsing, which would take ten times as long as for any other body of the same length.
 */
export function registerJsonBody(app: App, timers: Timers): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  const longBodies = new FairQueue(timers, { atOnce: 1 })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    ['application/json', 'application/merge-patch+json'],
    { parseAs: 'buffer' },
    (request, body, done) => {
      const bytes = body as Buffer
      if (bytes.length < longBytes) return parseBody(request, bytes, done)
      void longBodies.run(presentedCaller(request.raw), async () => {
        parseBody(request, bytes, done)
        await nextPass()
      })
    },
  )

  function parseBody(request: FastifyRequest, bytes: Buffer, done: Done): void {
    if (isNestedDeeper(bytes, maxDepth + 1))
      return done(new DomainError('InvalidRequest', `The body is nested deeper than ${maxDepth} levels.`))
    let text: string
    try {
      text = utf8.decode(bytes)
    } catch {
      return done(new DomainError('InvalidRequest', 'The body is not valid UTF-8.'))
    }
    if (text.trim() === '') return done(null, undefined)
    void parse(request, text, (error, value) => {
      done(
        error && new DomainError('InvalidRequest', 'The body is not valid JSON, or has a __proto__ field.'),
        value,
      )
    })
  }
}

/** Tells callers apart by the key that they present. The key is not verified yet. */
function presentedCaller({ headers, socket }: IncomingMessage): string {
  const key = headers['x-api-key'] ?? headers.authorization
  return typeof key === 'string' ? `key ${key}` : `address ${socket.remoteAddress}`
}
