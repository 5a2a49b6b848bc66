import type { CustomFetch } from 'openid-client'
import { makeGuardedFetch } from '../outbound/guarded-fetch.js'
import { makeOutbound } from '../outbound/outbound.js'
import { portOf } from '../outbound/url-parts.js'

const limits = { maxResponseBytes: 256 * 1024, maxValues: 10_000 } as const

export interface IssuerFetchOptions {
  readonly issuer: string
  readonly allowedPrivateHosts: readonly string[]
  readonly timeoutSeconds: number
}

/**
 * A guarded fetch for the identity provider with its own connection pool. The operator configured the
 * provider's address, so it may be private. Other addresses in the provider's metadata are checked as usual.
 */
export function makeIssuerFetch({ issuer, allowedPrivateHosts, timeoutSeconds }: IssuerFetchOptions) {
  const url = new URL(issuer)
  const outbound = makeOutbound({
    allowedPrivateHosts: [...allowedPrivateHosts, `${url.hostname}:${portOf(url)}`],
  })
  const guarded = makeGuardedFetch(outbound, { ...limits, timeoutMilliseconds: timeoutSeconds * 1000 })
  const fetch: CustomFetch = (address, { method, headers, body, signal }) =>
    guarded(address, { method, headers, body: body ?? null, signal: signal ?? null })
  return { fetch, close: () => outbound.close() }
}
