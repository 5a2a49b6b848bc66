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

/**
 * Validates a part of a request against its schema. A malformed id in the path gets a 404, like an unknown
 * one.
 */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) => {
  const refuse = (error: DomainError) => ({ error: httpPart === 'params' ? notFound('resource') : error })
  const names = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
  return (data: unknown) => {
    const unstorable = findUnstorable(data)
    if (unstorable) return refuse(invalidRequest([unstorable]))
    // Fastify passes null if there is no body.
    if (httpPart === 'body' && data === null)
      return refuse(new DomainError('InvalidRequest', 'A JSON body is required.'))
    const result = schema.safeParse(data)
    if (result.success) return { value: result.data }
    return refuse(invalidRequest(fieldErrorsOf(result.error, names)))
  }
}

/** The maximum nesting depth of a request. */
const maxDepth = 64
const shownDepth = 8

/**
 * Finds values that no database can store or that are nested too deeply: NUL, half of a surrogate pair,
 * endless nesting. Checks the whole request once, so that no field can be forgotten. Uses a single list as
 * the path, because a request may contain half a million values and blocks the event loop while they are
 * checked.
 */
export function findUnstorable(value: unknown): FieldError | null {
  const path: PropertyKey[] = []
  const message = errorIn(value, path)
  return message === null ? null : { path: formatPath(path.slice(0, shownDepth)), message }
}

/** Returns the error in a value, or null. The path then leads to the error. Stops at the maximum depth. */
function errorIn(value: unknown, path: PropertyKey[]): string | null {
  if (path.length > maxDepth) return `is nested deeper than ${maxDepth} levels`
  if (typeof value === 'string') return textError(value)
  if (typeof value !== 'object' || value === null) return null
  return Array.isArray(value) ? errorInList(value, path) : errorInObject(value, path)
}

function errorInList(list: readonly unknown[], path: PropertyKey[]): string | null {
  for (let index = 0; index < list.length; index += 1) {
    path.push(index)
    const message = errorIn(list[index], path)
    if (message !== null) return message
    path.pop()
  }
  return null
}

function errorInObject(value: object, path: PropertyKey[]): string | null {
  for (const [name, inner] of Object.entries(value)) {
    path.push(name)
    const nameError = textError(name)
    const message = nameError === null ? errorIn(inner, path) : `has a name that ${nameError}`
    if (message !== null) return message
    path.pop()
  }
  return null
}

function textError(text: string): string | null {
  if (text.includes('\0')) return 'contains a NUL character'
  return text.isWellFormed() ? null : 'contains half of a surrogate pair'
}

type Done = (error: Error | null, body?: unknown) => void

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/**
 * Parsing and validating a longer body takes more than a millisecond, so each event loop pass parses only
 * one.
 */
const longBytes = 32 * 1024

/**
 * Accepts JSON bodies only. Invalid UTF-8 is rejected rather than replaced by question marks. Deep nesting is
 * rejected before parsing, because parsing it would take ten times as long as for any other body of the same
 * length.
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

/** Distinguishes callers by the key that they present. The key is not verified yet. */
function presentedCaller({ headers, socket }: IncomingMessage): string {
  const key = headers['x-api-key'] ?? headers.authorization
  return typeof key === 'string' ? `key ${key}` : `address ${socket.remoteAddress}`
}
