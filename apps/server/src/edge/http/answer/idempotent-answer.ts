import { createHash } from 'node:crypto'
import { errorStatus, type Operation } from '@parley/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { DomainError } from '../../../domain/domain-error.js'
import { canonicalJson } from '../../../domain/json-text.js'
import type { Database, Stores } from '../../../ports/database.js'
import type { Clock } from '../../../ports/time.js'
import { callerOf, type Services } from '../services.js'
import { problemMediaType, problemOf } from './error-reply.js'
import { answerValue, etagOf } from './send-answer.js'

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
  readonly operation: Pick<Operation, 'operationId' | 'status' | 'response' | 'hasETag'>
  readonly key: string
}

/** Runs the call in one transaction, once for each key. A repeated request gets the first response. */
export async function answerIdempotently(
  services: Services,
  { request, reply, operation, key }: IdempotentRequest,
  act: (stores: Stores) => Promise<unknown>,
): Promise<FastifyReply> {
  const { organizationId } = callerOf(request)
  const once = { organizationId, key, operationId: operation.operationId, body: requestContentOf(request) }
  const answer = await answerOnce(services, once, {
    act: async (stores) => {
      const result = await act(stores)
      const etag = operation.hasETag ? etagOf((result as { version: number }).version) : null
      return {
        status: operation.status,
        body: operation.response && answerValue(operation.response, result),
        etag,
      }
    },
    refuse: (refusal) => refusalToStore(refusal, request.id),
  })
  return sendStoredResponse(reply, answer)
}

/** Returns the body with the path parameters, because the same body may be sent for different resources. */
function requestContentOf({ params, body }: FastifyRequest): unknown {
  return Object.keys(params as object).length === 0 ? body : { params, body }
}

export function refusalToStore(refusal: DomainError, requestId: string): StoredResponse {
  const problem = problemOf(refusal, requestId)
  return { status: problem.status, body: problem, etag: null }
}

export function isRefusal({ status }: StoredResponse): boolean {
  return status >= 400
}

/** Sends a stored response unchanged, because an earlier version of the contract may have shaped it. */
export function sendStoredResponse(reply: FastifyReply, answer: StoredResponse): FastifyReply {
  if (answer.etag !== null) reply.header('etag', answer.etag)
  if (answer.body !== undefined)
    reply.type(isRefusal(answer) ? problemMediaType : jsonMediaType).serializer(JSON.stringify)
  return reply.code(answer.status).send(answer.body)
}

/** A stored HTTP response. */
const StoredResponse = z.object({
  status: z.number(),
  body: z.unknown().optional(),
  etag: z.string().nullable(),
})

export type StoredResponse = Readonly<z.output<typeof StoredResponse>>

export interface AnswerOnceDependencies {
  readonly database: Database
  readonly clock: Clock
  /** How long a response is stored. After that, its key can be used again. */
  readonly idempotencyHours: number
}

/** A request with an Idempotency-Key. */
export interface OnceRequest {
  readonly organizationId: string
  readonly key: string
  /** The operation. The same key with a different operation is a different request. */
  readonly operationId: string
  readonly body: unknown
}

/** Responds to the request the first time. */
export interface FirstAnswer {
  readonly act: (stores: Stores) => Promise<StoredResponse>
  readonly refuse: (refusal: DomainError) => StoredResponse
}

/**
 * Runs a request once for each Idempotency-Key. The claim, the change and the response are one transaction.
 * A concurrent request waits for the claim and then returns the stored response. A crash leaves neither a
 * change nor a claim.
 */
export async function answerOnce(
  { database, clock, idempotencyHours }: AnswerOnceDependencies,
  request: OnceRequest,
  { act, refuse }: FirstAnswer,
): Promise<StoredResponse> {
  const now = clock.now().getTime()
  const { organizationId, key } = request
  const claim = { organizationId, key, fingerprint: fingerprintOf(request), createdAt: isoTime(now) }
  const expiredBefore = isoTime(now - idempotencyHours * 60 * 60 * 1000)

  const claimThen = (answerFirst: (stores: Stores) => Promise<StoredResponse>) =>
    database.runFairly({ organizationId, kind: 'call' }, () =>
      database.transaction(async (stores) => {
        if (!(await stores.idempotency.claim(claim, expiredBefore))) return findAnswer(stores, claim)
        const answer = await answerFirst(stores)
        await stores.idempotency.keep(organizationId, key, answer, subjectOf(answer))
        return answer
      }),
    )

  try {
    return await claimThen(act)
  } catch (error) {
    if (!isKept(error)) throw error
    // The error rolled back its claim with everything else. It is stored too, like any other response.
    return claimThen(async () => refuse(error))
  }
}

class KeyReused extends DomainError {
  constructor() {
    super('Conflict', 'This Idempotency-Key was used with another request. Use a new key for a new request.')
  }
}

/** The ids of a response that can identify its conversation or resource. */
const Subject = z.object({ conversationId: z.uuid().nullish(), id: z.uuid().nullish() })

/** Returns the id of the conversation or resource of a response, so that it can be removed with its subject. */
function subjectOf({ body }: StoredResponse): string | null {
  const { data } = Subject.safeParse(body)
  return data?.conversationId ?? data?.id ?? null
}

/**
 * An error caused by a limit, a budget or an erasure is not stored, because the same request may succeed later
 * with the same key.
 */
function isKept(error: unknown): error is DomainError {
  if (!(error instanceof DomainError) || error instanceof KeyReused) return false
  if (error.code === 'ErasureInProgress') return false
  return error.limit === undefined && error.budget === undefined && errorStatus[error.code] < 500
}

async function findAnswer(
  stores: Stores,
  { organizationId, key, fingerprint }: Pick<OnceRequest, 'organizationId' | 'key'> & { fingerprint: string },
): Promise<StoredResponse> {
  const stored = await stores.idempotency.find(organizationId, key)
  if (stored === null || stored.answer === null)
    throw new DomainError(
      'Unavailable',
      'The first request with this Idempotency-Key is not finished. Try again.',
    )
  if (stored.fingerprint !== fingerprint) throw new KeyReused()
  return StoredResponse.parse(stored.answer)
}

function fingerprintOf({ operationId, body }: OnceRequest): string {
  return createHash('sha256')
    .update(canonicalJson([operationId, body]))
    .digest('hex')
}

const isoTime = (milliseconds: number) => new Date(milliseconds).toISOString()
