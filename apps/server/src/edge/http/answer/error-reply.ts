import { concealApiKeys, errorStatus, type Problem } from '@parley/contract'
import { distance } from 'fastest-levenshtein'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '../../../domain/domain-error.js'
import type { Database } from '../../../ports/database.js'
import { discardRest } from '../request/raw-request.js'
import type { App, Services } from '../services.js'

export const problemMediaType = 'application/problem+json; charset=utf-8'

/** Every error leaves the service here, in one shape. Causes go to the log under the request id, never to the caller. */
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
    if (allowed.length === 0) return sendProblem(request, reply, nothingHere(addresses.near(path)))
    reply.header('allow', allowed.join(', '))
    const detail = `This address takes ${allowed.join(', ')} and no ${request.method}.`
    return sendProblem(request, reply, new DomainError('MethodNotAllowed', detail))
  })
}

function nothingHere(near: readonly string[]): DomainError {
  const meant = near.length === 0 ? '' : ` Did you mean ${near.join(' or ')}?`
  return new DomainError(
    'NotFound',
    `There is nothing at this address.${meant} GET /openapi.json lists what there is.`,
  )
}

/** How long a caller should wait for a database that is away: about as long as one takes to start again. */
const outageRetrySeconds = 5

/** Soon: slots become free all the time. */
const busyRetrySeconds = 1

function databaseBusy(cause: unknown): DomainError {
  const detail = 'Too many requests of this organization are waiting for the database. Try again in a moment.'
  return new DomainError('Busy', detail, { cause, retryAfterSeconds: busyRetrySeconds })
}

function databaseAway(cause: unknown): DomainError {
  const detail = 'The database does not answer. Nothing was lost that was acknowledged; try again.'
  return new DomainError('Unavailable', detail, { cause, retryAfterSeconds: outageRetrySeconds })
}

/** Whatever is our own fault has its stack in the log; a refusal for now has at most its reason there. */
export function logFailure(log: FastifyRequest['log'], { code, cause }: DomainError, error: unknown): void {
  if (errorStatus[code] < 500) return
  if (errorStatus[code] !== 503) log.error({ err: error }, 'request failed')
  else if (cause instanceof Error) log.warn({ reason: cause }, 'request failed for now')
}

/** An answer goes through other hands than a request's headers: a key that came as a field's name is not repeated. */
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
    // The framework closes the connection on a body that it has not read.
    reply.removeHeader('connection')
    discardRest(request.raw)
  }
  reply.headers(retryHeaders(refusal))
  return reply.code(problem.status).type(problemMediaType).serializer(JSON.stringify).send(problem)
}

/** What the framework objects to, in our words; whatever else is thrown is our own fault. */
export function refusalOf(error: Error, database: Pick<Database, 'isBusy' | 'isOutage'>): DomainError {
  if (error instanceof DomainError) return error
  if (database.isBusy(error)) return databaseBusy(error)
  if (database.isOutage(error)) return databaseAway(error)
  const { code } = error as FastifyError
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new DomainError('TooLarge', 'The body is larger than 1 MiB.')
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new DomainError('UnsupportedMediaType', 'Send the body as Content-Type: application/json.')
  if (code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH')
    return new DomainError('InvalidRequest', 'The body is not as long as Content-Length says.')
  const status = (error as FastifyError).statusCode
  if (status !== undefined && status >= 400 && status < 500)
    return new DomainError('InvalidRequest', error.message)
  return new DomainError(
    'Internal',
    'The service failed to do this. The request id leads to the cause in its log.',
    { cause: error },
  )
}

/** The addresses of all routes, for whoever asks for one that is none of them. */
export interface KnownAddresses {
  /** The methods that some route takes at a path, whatever its parameters are; none where no route has that path. */
  methodsAt(path: string): readonly string[]
  /** Those that may be meant by a path that is none of them, spelled as in the contract. */
  near(path: string): readonly string[]
}

/** Remembers every route that is registered from now on. */
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
  // In the middle of an address an id can only have been forgotten; at its end the slash may be too much.
  if (withEmptyId.length > 0 && segments.at(-1) !== '') return withEmptyId
  const written = ['', ...segments.filter((segment) => segment !== '')]
  return [
    ...nearest(written, urls),
    ...nearest([...prefix.split('/'), ...written.slice(1)], urls),
    ...withEmptyId,
  ]
}

/** The addresses with as many parts in which the fewest letters are other ones, case aside; a parameter is any text. */
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

const mostEdits = 2

/** Bounded before it is counted: a stranger wrote the text. */
function editsIn(part: string, text = ''): number {
  if (isParameter(part)) return 0
  if (part.toLowerCase() === text.toLowerCase()) return 0
  // A short part with two other letters is another word.
  const allowed = Math.min(mostEdits, part.length - 3)
  if (Math.abs(part.length - text.length) > allowed) return Number.POSITIVE_INFINITY
  const edits = distance(part.toLowerCase(), text.toLowerCase())
  return edits <= allowed ? edits : Number.POSITIVE_INFINITY
}

function isParameter(part: string): boolean {
  return part.startsWith(':')
}

/** As the contract writes it. */
function spell(url: string): string {
  return url.replaceAll(/:(\w+)/g, '{$1}')
}
