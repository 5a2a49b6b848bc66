import { isIPv6 } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { BoundedMap } from '../../../concurrency/bounded-map.js'
import { DomainError } from '../../../domain/domain-error.js'
import type { RateLimitVerdict } from '../../../ports/rate-limiter.js'
import type { Clock } from '../../../ports/time.js'
import type { Services } from '../services.js'

export interface CountedRequest {
  /** The rate limit headers of the response. */
  readonly headers: Readonly<Record<string, string>>
  /** Set if the request exceeds the limit. */
  readonly refusal: DomainError | null
}

/**
 * The caller that a request without a valid key counts for. Requests on closed connections are counted
 * together.
 */
export const addressCaller = (address: string | null) => `address:${address ?? 'unknown'}`

/** Counts a request of a caller. */
export async function count(
  { rateLimiter, metrics }: Pick<Services, 'rateLimiter' | 'metrics'>,
  caller: string,
): Promise<CountedRequest> {
  const verdict = await rateLimiter.take(caller)
  const { limit, resetSeconds } = verdict
  const headers = headersOf(verdict)
  if (verdict.isAllowed) return { headers, refusal: null }
  metrics.rateLimited()
  const detail = `Too many requests. The limit is ${limit} requests per minute. Try again in ${resetSeconds} seconds.`
  return {
    headers,
    refusal: new DomainError('RateLimited', detail, { retryAfterSeconds: resetSeconds }),
  }
}

/** Counts a request of a caller and sets the rate limit headers. Throws if the limit is exceeded. */
export async function countRequest(services: Services, reply: FastifyReply, caller: string): Promise<void> {
  const { headers, refusal } = await count(services, caller)
  reply.headers(headers)
  if (refusal) throw refusal
}

/** Counts a request for its organization. The headers describe the caller's limit unless this throws. */
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

/**
 * Counts an attempt with an unverified key, session or password. Throws if the limit is exceeded. A rejected
 * attempt does not count, because it was not checked. Otherwise, many valid ones would block others at the
 * same address for the rest of the minute.
 */
export async function countAttempt(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { headers, refusal } = await count(services, attemptingCallerOf(services, request))
  reply.headers(headers)
  if (refusal === null) return
  await revertAttempt(services, request)
  throw refusal
}

/** Must be called if the attempt was valid. Reverts the count. */
export async function revertAttempt(services: Services, request: FastifyRequest): Promise<void> {
  await services.rateLimiter
    .giveBack(attemptingCallerOf(services, request))
    .catch((error) => request.log.warn({ err: error }, 'failed to revert a counted attempt'))
}

const attemptingCallerOf = ({ clientAddress }: Services, request: FastifyRequest) =>
  attemptCaller(clientAddress(request.raw))

/** The caller that failed attempts are counted for. An IPv6 client counts with its whole /64 network. */
export const attemptCaller = (address: string | null) => `guess:${addressCaller(networkOf(address))}`

function networkOf(address: string | null): string | null {
  if (address === null || !isIPv6(address)) return address
  const { parts } = ipaddr.IPv6.parse(address)
  return `${parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}

export interface RecentEntriesOptions {
  readonly forMilliseconds: number
  /** A new entry replaces the oldest one. */
  readonly maxEntries: number
}

/** Entries that were noted recently in this process. */
export class RecentEntries {
  readonly #clock: Clock
  readonly #forMilliseconds: number
  /** The expiry of each entry, oldest first. */
  readonly #entries: BoundedMap<string, number>

  constructor(clock: Clock, { forMilliseconds, maxEntries }: RecentEntriesOptions) {
    this.#clock = clock
    this.#forMilliseconds = forMilliseconds
    this.#entries = new BoundedMap(maxEntries)
  }

  has(entry: string): boolean {
    const until = this.#entries.get(entry)
    return until !== undefined && until > this.#clock.now().getTime()
  }

  note(entry: string): void {
    this.#entries.set(entry, this.#clock.now().getTime() + this.#forMilliseconds)
  }

  forget(entry: string): void {
    this.#entries.delete(entry)
  }
}
