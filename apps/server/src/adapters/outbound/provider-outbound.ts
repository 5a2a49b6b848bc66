import type { Outbound, ProviderOutbound } from '../../ports/outbound.js'
import { makeOutbound, type OutboundOptions } from './outbound.js'
import { portOf } from './url-parts.js'

export interface ProviderOutboundOptions extends OutboundOptions {
  /** The outbound guard of all other connections. */
  readonly outbound: Outbound
  /** The address in OPENAI_BASE_URL, or null if it is unset. */
  readonly environmentAddress: string | null
}

/**
 * The operator's provider has an outbound guard with its own connection pool. An open connection is not
 * checked again, so a connection to a private address must not be shared with other callers.
 */
export function makeProviderOutbound({
  outbound,
  environmentAddress,
  ...options
}: ProviderOutboundOptions): ProviderOutbound {
  if (environmentAddress === null) return { forConnection: () => outbound, close: async () => undefined }
  const url = new URL(environmentAddress)
  const allowedPrivateHosts = [...options.allowedPrivateHosts, `${url.hostname}:${portOf(url)}`]
  const operators = makeOutbound({ ...options, allowedPrivateHosts })
  return {
    forConnection: ({ address, isFromEnvironment }) =>
      isFromEnvironment && address === environmentAddress ? operators : outbound,
    close: () => operators.close(),
  }
}
