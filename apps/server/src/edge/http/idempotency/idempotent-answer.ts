import type { Operation } from '@parley/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '../../../domain/domain-error.js'
import type { Stores } from '../../../ports/database.js'
import { answerValue } from '../answer/answer-text.js'
import { problemMediaType, problemOf } from '../answer/error-reply.js'
import { etagOf } from '../answer/etag.js'
import { callerOf, type Services } from '../services.js'
import { answerOnce, type KeptAnswer } from './answer-once.js'

const jsonMediaType = 'application/json; charset=utf-8'

const form = /^[\x21-\x7e]{1,255}$/

export function idempotencyKeyOf(request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key']
  if (key === undefined) return null
  if (typeof key !== 'string' || !form.test(key))
    throw new DomainError('InvalidRequest', 'Idempotency-Key must be 1 to 255 visible characters.', {
      errors: [{ path: 'Idempotency-Key', message: 'must be 1 to 255 visible characters' }],
    })
  return key
}

export interface IdempotentRequest {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly operation: Pick<Operation, 'operationId' | 'status' | 'answer' | 'hasETag'>
  readonly key: string
}

/** Acts in one transaction, once for this key: where it was used before, the first answer is returned again. */
export async function answerIdempotently(
  services: Services,
  { request, reply, operation, key }: IdempotentRequest,
  act: (stores: Stores) => Promise<unknown>,
): Promise<FastifyReply> {
  const { organizationId } = callerOf(request)
  const once = { organizationId, key, operationId: operation.operationId, body: whatIsAsked(request) }
  const answer = await answerOnce(services, once, {
    act: async (stores) => {
      const result = await act(stores)
      const etag = operation.hasETag ? etagOf((result as { version: number }).version) : null
      return {
        status: operation.status,
        body: operation.answer && answerValue(operation.answer, result),
        etag,
      }
    },
    refuse: (refusal) => keptRefusal(refusal, request.id),
  })
  return sendKept(reply, answer)
}

/** The body, and what the path names besides: the same body can mean another resource. */
function whatIsAsked({ params, body }: FastifyRequest): unknown {
  return Object.keys(params as object).length === 0 ? body : { params, body }
}

export function keptRefusal(refusal: DomainError, requestId: string): KeptAnswer {
  const problem = problemOf(refusal, requestId)
  return { status: problem.status, body: problem, etag: null }
}

export function isRefusal({ status }: KeptAnswer): boolean {
  return status >= 400
}

/** Sends a stored answer as it is: an earlier version of the contract may have shaped it. */
export function sendKept(reply: FastifyReply, answer: KeptAnswer): FastifyReply {
  if (answer.etag !== null) reply.header('etag', answer.etag)
  if (answer.body !== undefined)
    reply.type(isRefusal(answer) ? problemMediaType : jsonMediaType).serializer(JSON.stringify)
  return reply.code(answer.status).send(answer.body)
}
