import { concealApiKeys, errorStatus, type Problem } from '@parley/contract'
import { distance } from 'fastest-levenshtein'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '../../../domain/domain-error.js'
import type { Database } from '../../../ports/database.js'
import { discardRest } from '../request/raw-request.js'
import type { App, Services } from '../services.js'

export const problemMediaType = 'application/problem+json; charset=utf-8'

/** Sends every error in one format. Causes are logged with the request id and never sent to the caller. */
export function registerErrorReplies(app: App, { database }: Pick<Services, 'database'>): void {
  app.setErrorHandler((error, request, reply) => {
    const refusal = refusalOf(error as Error, database)
    logFailure(request.log, refusal, error)
    return sendProblem(request, reply, refusal)
  })
  const addresses = collectAddresses(app)
  app.setNotFoundHandler((request, reply) => {
    const [path = ''] = request.url.split(/[?#]/, 1)
    const allowed = addresses.methodsAt(path)
    if (allowed.length === 0) return sendProblem(request, reply, nothingHere(path, addresses.near(path)))
    reply.header('allow', allowed.join(', '))
    const detail = `${request.method} is not allowed here. Allowed methods: ${allowed.join(', ')}.`
    return sendProblem(request, reply, new DomainError('MethodNotAllowed', detail))
  })
}

/** The paths that people and probes commonly try for the health checks. */
const healthNames = /\/(?:health|healthcheck|live|livez|liveness|ready|readiness|status|ping)\/?$/i

function nothingHere(path: string, near: readonly string[]): DomainError {
  const guesses = healthNames.test(path) ? ['/healthz', '/readyz'] : near
  const suggestion = guesses.length === 0 ? '' : ` Did you mean ${guesses.join(' or ')}?`
  return new DomainError('NotFound', `Path not found.${suggestion} See GET /openapi.json for all paths.`)
}

/** The Retry-After time while the database is unavailable: about as long as a database takes to restart. */
const outageRetrySeconds = 5

/** This interval is short, because slots become free all the time. */
const busyRetrySeconds = 1

function databaseBusy(cause: unknown): DomainError {
  const detail = 'This organization has too many requests waiting for the database. Try again in a moment.'
  return new DomainError('Busy', detail, { cause, retryAfterSeconds: busyRetrySeconds })
}

function databaseUnavailable(cause: unknown): DomainError {
  const detail =
    'The database is temporarily unavailable. Changes that were already confirmed are not lost. Try again.'
  return new DomainError('Unavailable', detail, { cause, retryAfterSeconds: outageRetrySeconds })
}

/** Logs our own errors with their stack, and temporary refusals with their reason. */
export function logFailure(log: FastifyRequest['log'], { code, cause }: DomainError, error: unknown): void {
  if (errorStatus[code] < 500) return
  if (errorStatus[code] !== 503) log.error({ err: error }, 'request failed')
  else if (cause instanceof Error) log.warn({ reason: cause }, 'request temporarily failed')
}

/**
 * Conceals API keys, because responses pass through more systems than request headers. Field names are
 * checked too, because one may be a key.
 */
export function problemOf({ code, detail, errors, limit, budget }: DomainError, requestId: string): Problem {
  return {
    status: errorStatus[code],
    detail: concealApiKeys(detail),
    errorCode: code,
    ...(errors && {
      errors: errors.map(({ path, message }) => ({
        path: concealApiKeys(path),
        message: concealApiKeys(message),
      })),
    }),
    ...(limit !== undefined && { limit }),
    ...(budget !== undefined && { budget }),
    requestId,
  }
}

export function retryHeaders({ retryAfterSeconds }: DomainError): Readonly<Record<string, string>> {
  return retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }
}

function sendProblem(request: FastifyRequest, reply: FastifyReply, refusal: DomainError): FastifyReply {
  const problem = problemOf(refusal, request.id)
  if (!request.raw.complete) {
    // Fastify closes the connection if it has not read the whole body.
    reply.removeHeader('connection')
    discardRest(request.raw)
  }
  reply.headers(retryHeaders(refusal))
  return reply.code(problem.status).type(problemMediaType).serializer(JSON.stringify).send(problem)
}

/** Translates errors of Fastify and of the database. Any other error is an internal one. */
export function refusalOf(error: Error, database: Pick<Database, 'isBusy' | 'isOutage'>): DomainError {
  if (error instanceof DomainError) return error
  if (database.isBusy(error)) return databaseBusy(error)
  if (database.isOutage(error)) return databaseUnavailable(error)
  const { code } = error as FastifyError
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new DomainError('TooLarge', 'The body is larger than 1 MiB.')
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new DomainError('UnsupportedMediaType', 'Send the body as Content-Type: application/json.')
  if (code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH')
    return new DomainError('InvalidRequest', 'The length of the body does not match Content-Length.')
  const status = (error as FastifyError).statusCode
  if (status !== undefined && status >= 400 && status < 500)
    return new DomainError('InvalidRequest', error.message)
  return new DomainError('Internal', 'Internal error. The service logged the cause with the request id.', {
    cause: error,
  })
}

/** The paths of all routes, for requests that match none of them. */
export interface KnownAddresses {
  /** Returns the methods of all routes at a path. Empty if no route has this path. */
  methodsAt(path: string): readonly string[]
  /** Returns similar paths, spelled as in the contract. */
  near(path: string): readonly string[]
}

/** Collects every route that is registered after this call. */
function collectAddresses(app: App): KnownAddresses {
  const methodsOf = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ method, url }) => {
    const methods = methodsOf.get(url) ?? new Set()
    methodsOf.set(url, methods)
    for (const each of [method].flat()) methods.add(each)
  })
  return {
    methodsAt(path) {
      const segments = path.split('/')
      const fitting = [...methodsOf].filter(([url]) => isFitting(url.split('/'), segments))
      return [...new Set(fitting.flatMap(([, methods]) => [...methods]))].sort()
    },
    near: (path) => findNear(path, [...methodsOf.keys()]).map(spell),
  }
}

function isFitting(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, index) => (isParameter(part) ? segments[index] !== '' : part === segments[index]))
  )
}

const prefix = '/api/v1'

function findNear(path: string, urls: readonly string[]): readonly string[] {
  const segments = path.split('/')
  const withEmptyId = segments.includes('', 1) ? nearest(segments, urls) : []
  // An empty segment in the middle of a path is a missing id. At the end, it may also be an extra slash.
  if (withEmptyId.length > 0 && segments.at(-1) !== '') return withEmptyId
  const written = ['', ...segments.filter((segment) => segment !== '')]
  return [
    ...nearest(written, urls),
    ...nearest([...prefix.split('/'), ...written.slice(1)], urls),
    ...withEmptyId,
  ]
}

/**
 * Returns the paths with the same number of segments and the fewest edits, ignoring case. A parameter
 * matches any text.
 */
function nearest(segments: readonly string[], urls: readonly string[]): readonly string[] {
  const edited = urls
    .map((url) => ({ url, edits: editsBetween(url.split('/'), segments) }))
    .filter(({ edits }) => edits !== Number.POSITIVE_INFINITY)
  const fewest = Math.min(...edited.map(({ edits }) => edits))
  return edited.filter(({ edits }) => edits === fewest).map(({ url }) => url)
}

function editsBetween(pattern: readonly string[], segments: readonly string[]): number {
  if (pattern.length !== segments.length) return Number.POSITIVE_INFINITY
  return pattern.reduce((sum, part, index) => sum + editsIn(part, segments[index]), 0)
}

const maxEdits = 2

/**
 * Checks the lengths first, because the distance of long texts is expensive and the client chose the text.
 */
function editsIn(part: string, text = ''): number {
  if (isParameter(part)) return 0
  if (part.toLowerCase() === text.toLowerCase()) return 0
  // Short segments allow fewer edits, because two edits turn them into a different word.
  const allowed = Math.min(maxEdits, part.length - 3)
  if (Math.abs(part.length - text.length) > allowed) return Number.POSITIVE_INFINITY
  const edits = distance(part.toLowerCase(), text.toLowerCase())
  return edits <= allowed ? edits : Number.POSITIVE_INFINITY
}

function isParameter(part: string): boolean {
  return part.startsWith(':')
}

function spell(url: string): string {
  return url.replaceAll(/:(\w+)/g, '{$1}')
}
