import type { CustomFetch } from 'openid-client'
import { makeGuardedFetch } from '../outbound/guarded-fetch.js'
import { makeOutbound } from '../outbound/outbound.js'
import { portOf } from '../outbound/url-parts.js'

const limits = { maxResponseBytes: 256 * 1024, maxValues: 10_000 } as const

export interface IssuerDoorOptions {
  readonly issuer: string
  readonly allowedPrivateHosts: readonly string[]
  readonly timeoutSeconds: number
}

/**
 * A door of its own to the issuer, with a pool of its own. The operator wrote its address, which may be private; other
 * addresses that the issuer names are called as everybody's are.
 */
export function makeIssuerDoor({ issuer, allowedPrivateHosts, timeoutSeconds }: IssuerDoorOptions) {
  const url = new URL(issuer)
  const outbound = makeOutbound({
    allowedPrivateHosts: [...allowedPrivateHosts, `${url.hostname}:${portOf(url)}`],
  })
  const guarded = makeGuardedFetch(outbound, { ...limits, timeoutMilliseconds: timeoutSeconds * 1000 })
  const fetch: CustomFetch = (address, { method, headers, body, signal }) =>
    guarded(address, { method, headers, body: body ?? null, signal: signal ?? null })
  return { fetch, close: () => outbound.close() }
}
