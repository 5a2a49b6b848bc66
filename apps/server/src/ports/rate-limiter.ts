export interface RateLimitVerdict {
  readonly isAllowed: boolean
  readonly limit: number
  readonly remaining: number
  readonly resetSeconds: number
}

/** Whose requests are counted together: each has a limit of its own. */
export type RateLimitSubject = 'caller' | 'organization'

/** How many requests a minute each may make. */
export type RateLimits = Readonly<Record<RateLimitSubject, number>>

/** Counts requests in windows of one minute, in this process or across instances. */
export interface RateLimiter {
  /** Counts one request of this caller and says whether it is still within the limit. */
  take(caller: string): Promise<RateLimitVerdict>
  /** The same of an organization, whoever calls for it. */
  takeForOrganization(organizationId: string): Promise<RateLimitVerdict>
  /** Takes back what was counted for a caller who should not have been. */
  giveBack(caller: string): Promise<void>
}
