import type { FastifyRequest } from 'fastify'
import { DomainError } from '../../../domain/domain-error.js'
import { isNestedDeeper } from '../../../domain/json-depth.js'
import type { App } from '../services.js'
import { CallerTurns, presentedCaller } from './caller-turns.js'
import { maxDepth } from './storable.js'

type Done = (error: Error | null, body?: unknown) => void

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** From here on a body takes more than a millisecond to be parsed and checked: one a pass of the event loop. */
const longBytes = 32 * 1024

/**
 * JSON is the only body there is. Bytes that are no UTF-8 are refused, not replaced: nobody sent question marks. What is
 * nested without end is refused before it is parsed, which takes ten times as long as for anything else of its length.
 */
export function registerJsonBody(app: App): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  const turns = new CallerTurns(1)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    ['application/json', 'application/merge-patch+json'],
    { parseAs: 'buffer' },
    (request, body, done) => {
      const bytes = body as Buffer
      if (bytes.length < longBytes) parseBody(request, bytes, done)
      else turns.run(presentedCaller(request.raw), () => parseBody(request, bytes, done))
    },
  )

  function parseBody(request: FastifyRequest, bytes: Buffer, done: Done): void {
    // First, since it is seen in the first bytes.
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
