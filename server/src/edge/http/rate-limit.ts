import type { FastifyReply } from 'fastify'
import { DomainError } from '../../domain/domain-error.js'
import type { Services } from './context.js'

/** Counts a request of this caller, says in the headers how many are left, and refuses the one too many. */
export async function countRequest(services: Services, reply: FastifyReply, caller: string): Promise<void> {
  const verdict = await services.rateLimiter.take(caller)
  reply.headers({
    'ratelimit-limit': verdict.limit,
    'ratelimit-remaining': verdict.remaining,
    'ratelimit-reset': verdict.resetSeconds,
  })
  if (verdict.isAllowed) return
  services.metrics.rateLimited()
  reply.header('retry-after', verdict.resetSeconds)
  throw new DomainError(
    'RateLimited',
    `Too many requests: ${verdict.limit} a minute are allowed. Come back in ${verdict.resetSeconds} seconds.`,
  )
}
