export interface RateLimitVerdict {
  readonly isAllowed: boolean
  readonly limit: number
  readonly remaining: number
  readonly resetSeconds: number
}

/** Requests are counted per caller and per organization, with separate limits. */
export type RateLimitSubject = 'caller' | 'organization'

/** The limits in requests per minute. */
export type RateLimits = Readonly<Record<RateLimitSubject, number>>

/** Counts requests in windows of one minute, in this process or across instances. */
export interface RateLimiter {
  /** Counts one request of the caller and returns whether it is within the limit. */
  take(caller: string): Promise<RateLimitVerdict>
  /** Counts one request of the organization, by any caller. */
  takeForOrganization(organizationId: string): Promise<RateLimitVerdict>
  /** Reverts the count of a request that must not be counted for this caller. */
  giveBack(caller: string): Promise<void>
}
