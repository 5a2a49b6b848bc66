import type { Operation } from '@parley/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '../../../domain/domain-error.js'
import { answerOnce } from '../../../domain/idempotency/answer-once.js'
import type { Stores } from '../../../ports/database.js'
import { callerOf, type Services } from '../context.js'
import { problemOf } from './error-reply.js'
import { etagOf } from './etag.js'

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

/** Returns the first result again, whether it was a success or a refusal, where the key was used before. */
export async function answerIdempotently(
  services: Services,
  operation: Pick<Operation, 'operationId' | 'status' | 'answer' | 'hasETag'>,
  key: string,
  request: FastifyRequest,
  reply: FastifyReply,
  act: (stores: Stores) => Promise<unknown>,
): Promise<FastifyReply> {
  const { organizationId } = callerOf(request)
  const once = { organizationId, key, operationId: operation.operationId, body: request.body }
  const answer = await answerOnce(
    services.database,
    services.clock,
    once,
    async (stores) => {
      const result = await act(stores)
      const etag = operation.hasETag ? etagOf((result as { version: number }).version) : null
      return { status: operation.status, body: operation.answer?.parse(result), etag }
    },
    (refusal) => ({ status: refusal.status, body: problemOf(refusal, request.id), etag: null }),
  )
  services.afterChange()
  if (answer.etag !== null) reply.header('etag', answer.etag)
  if (answer.status >= 400) reply.type('application/problem+json; charset=utf-8').serializer(JSON.stringify)
  return reply.code(answer.status).send(answer.body)
}
