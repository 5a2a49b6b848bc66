import type { FastifyReply } from 'fastify'
import { DomainError } from '../../../domain/domain-error.js'
import type { RateLimitVerdict } from '../../../ports/rate-limiter.js'
import type { Services } from '../services.js'

export interface CountedRequest {
  /** How many are left, for the answer, whatever it is. */
  readonly headers: Readonly<Record<string, string>>
  /** Set for the one too many. */
  readonly refusal: DomainError | null
}

/** Whom a request without a good key is counted for; those of connections that are gone count together. */
export const addressCaller = (address: string | null) => `address:${address ?? 'unknown'}`

/** Counts a request of this caller. */
export async function count(
  { rateLimiter, metrics }: Pick<Services, 'rateLimiter' | 'metrics'>,
  caller: string,
): Promise<CountedRequest> {
  const verdict = await rateLimiter.take(caller)
  const { limit, resetSeconds } = verdict
  const headers = headersOf(verdict)
  if (verdict.isAllowed) return { headers, refusal: null }
  metrics.rateLimited()
  const detail = `Too many requests: ${limit} a minute are allowed. Come back in ${resetSeconds} seconds.`
  return {
    headers,
    refusal: new DomainError('RateLimited', detail, { retryAfterSeconds: resetSeconds }),
  }
}

/** Counts a request of this caller, says in the headers how many are left, and refuses the one too many. */
export async function countRequest(services: Services, reply: FastifyReply, caller: string): Promise<void> {
  const { headers, refusal } = await count(services, caller)
  reply.headers(headers)
  if (refusal) throw refusal
}

/** Counts a request of the organization that it is for. The headers speak of the caller, unless this refuses it. */
export async function countForOrganization(
  { rateLimiter, metrics, limits }: Services,
  reply: FastifyReply,
  organizationId: string,
): Promise<void> {
  const verdict = await rateLimiter.takeForOrganization(organizationId)
  if (verdict.isAllowed) return
  metrics.rateLimited()
  reply.headers(headersOf(verdict))
  throw limits.refusal('requestsPerMinute', { retryAfterSeconds: verdict.resetSeconds })
}

function headersOf({ limit, remaining, resetSeconds }: RateLimitVerdict): Readonly<Record<string, string>> {
  return {
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(resetSeconds),
  }
}
