import { isIPv6 } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { DomainError } from '../../../domain/domain-error.js'
import type { RateLimitVerdict } from '../../../ports/rate-limiter.js'
import type { Clock } from '../../../ports/time.js'
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

/**
 * Counts a try with a key, a session or a password that may be wrong, and refuses the one too many. That one does not count:
 * it has reached nothing, and a crowd of good ones would keep others of their address out for the rest of the minute.
 */
export async function countGuess(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { headers, refusal } = await count(services, guesserOf(services, request))
  reply.headers(headers)
  if (refusal === null) return
  await takeBackGuess(services, request)
  throw refusal
}

/** To be called where it was right. */
export async function takeBackGuess(services: Services, request: FastifyRequest): Promise<void> {
  await services.rateLimiter
    .giveBack(guesserOf(services, request))
    .catch((error) => request.log.warn({ err: error }, 'a try that is none was counted as a guess'))
}

const guesserOf = ({ clientAddress }: Services, request: FastifyRequest) =>
  guessCaller(clientAddress(request.raw))

/** Whom it is counted for: of IPv6, everybody has a whole /64. */
export const guessCaller = (address: string | null) => `guess:${addressCaller(networkOf(address))}`

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
  /** The oldest one makes room for a new one. */
  readonly maxEntries: number
}

/** What was noted a short while ago, in this process. */
export class RecentEntries {
  readonly #clock: Clock
  readonly #options: RecentEntriesOptions
  /** Until when each is recent, oldest first. */
  readonly #entries = new Map<string, number>()

  constructor(clock: Clock, options: RecentEntriesOptions) {
    this.#clock = clock
    this.#options = options
  }

  has(entry: string): boolean {
    const until = this.#entries.get(entry)
    return until !== undefined && until > this.#clock.now().getTime()
  }

  note(entry: string): void {
    const { forMilliseconds, maxEntries } = this.#options
    this.#entries.delete(entry)
    this.#entries.set(entry, this.#clock.now().getTime() + forMilliseconds)
    const [oldest] = this.#entries.keys()
    if (this.#entries.size > maxEntries && oldest !== undefined) this.#entries.delete(oldest)
  }

  forget(entry: string): void {
    this.#entries.delete(entry)
  }
}
