import type { IncomingMessage } from 'node:http'
import { setImmediate as nextPass } from 'node:timers/promises'
import { type FieldError, fieldErrorsOf, formatPath } from '@parley/contract'
import type { FastifyRequest, FastifySchemaCompiler } from 'fastify'
import { z } from 'zod'
import { FairQueue } from '../../../concurrency/fair-queue.js'
import { DomainError, invalidRequest, notFound } from '../../../domain/domain-error.js'
import { isNestedDeeper } from '../../../domain/json-text.js'
import type { Timers } from '../../../ports/time.js'
import type { App } from '../services.js'

/** Checks a part of a request against its schema. An id that cannot be one names nothing: 404, like an unknown one. */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) => {
  const refuse = (error: DomainError) => ({ error: httpPart === 'params' ? notFound('resource') : error })
  const names = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
  return (data: unknown) => {
    const unstorable = findUnstorable(data)
    if (unstorable) return refuse(invalidRequest([unstorable]))
    // Fastify hands over null where there is no body.
    if (httpPart === 'body' && data === null)
      return refuse(new DomainError('InvalidRequest', 'The request needs a JSON body.'))
    const result = schema.safeParse(data)
    if (result.success) return { value: result.data }
    return refuse(invalidRequest(fieldErrorsOf(result.error, names)))
  }
}

/** How deep a request may nest. */
const maxDepth = 64
const shownDepth = 8

/**
 * Finds what no database could store or no parser should follow: NUL, half of a surrogate pair, endless nesting.
 * Looked for once, in whole requests, so that no single field can forget it. The way to a value is one list that grows
 * and shrinks: a request may hold half a million values, and everybody waits while they are looked at.
 */
export function findUnstorable(value: unknown): FieldError | null {
  const path: PropertyKey[] = []
  const message = mistakeIn(value, path)
  return message === null ? null : { path: formatPath(path.slice(0, shownDepth)), message }
}

/** What is wrong in a value; the path then leads to it. It goes no deeper than a request may. */
function mistakeIn(value: unknown, path: PropertyKey[]): string | null {
  if (path.length > maxDepth) return `is nested deeper than ${maxDepth} levels`
  if (typeof value === 'string') return textMistake(value)
  if (typeof value !== 'object' || value === null) return null
  return Array.isArray(value) ? mistakeInList(value, path) : mistakeInObject(value, path)
}

function mistakeInList(list: readonly unknown[], path: PropertyKey[]): string | null {
  for (let index = 0; index < list.length; index += 1) {
    path.push(index)
    const message = mistakeIn(list[index], path)
    if (message !== null) return message
    path.pop()
  }
  return null
}

function mistakeInObject(value: object, path: PropertyKey[]): string | null {
  for (const [name, inner] of Object.entries(value)) {
    path.push(name)
    const nameMistake = textMistake(name)
    const message = nameMistake === null ? mistakeIn(inner, path) : `has a name that ${nameMistake}`
    if (message !== null) return message
    path.pop()
  }
  return null
}

function textMistake(text: string): string | null {
  if (text.includes('\0')) return 'holds a NUL character'
  return text.isWellFormed() ? null : 'holds half of a surrogate pair'
}

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
