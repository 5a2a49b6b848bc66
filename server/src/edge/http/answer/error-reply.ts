import { concealApiKeys, errorStatus, type Problem } from '@parley/contract'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '../../../domain/domain-error.js'
import type { App } from '../services.js'

export const problemMediaType = 'application/problem+json; charset=utf-8'

/** Every error leaves the service here, in one shape. Causes go to the log under the request id, never to the caller. */
export function registerErrorReplies(app: App): void {
  app.setErrorHandler((error, request, reply) => {
    const refusal = refusalOf(error as Error)
    if (errorStatus[refusal.code] >= 500) request.log.error({ err: error }, 'request failed')
    return sendProblem(request, reply, refusal)
  })
  app.setNotFoundHandler((request, reply) =>
    sendProblem(
      request,
      reply,
      new DomainError('NotFound', 'There is nothing at this address. GET /openapi.json lists what there is.'),
    ),
  )
}

/** An answer goes through other hands than a request's headers: a key that came as a field's name is not repeated. */
export function problemOf({ code, detail, errors, limit }: DomainError, requestId: string): Problem {
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
    requestId,
  }
}

export function retryHeaders({ retryAfterSeconds }: DomainError): Readonly<Record<string, string>> {
  return retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }
}

function sendProblem(request: FastifyRequest, reply: FastifyReply, refusal: DomainError): FastifyReply {
  const problem = problemOf(refusal, request.id)
  reply.headers(retryHeaders(refusal))
  return reply.code(problem.status).type(problemMediaType).serializer(JSON.stringify).send(problem)
}

/** What the framework objects to, in our words; whatever else is thrown is our own fault. */
function refusalOf(error: Error): DomainError {
  if (error instanceof DomainError) return error
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
