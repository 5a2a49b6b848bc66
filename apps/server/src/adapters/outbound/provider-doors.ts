import type { Outbound, ProviderDoors } from '../../ports/outbound.js'
import { makeOutbound, type OutboundOptions } from './outbound.js'
import { portOf } from './url-parts.js'

export interface ProviderDoorsOptions extends OutboundOptions {
  /** The door for everybody. */
  readonly outbound: Outbound
  /** The address of OPENAI_BASE_URL; null where it is unset. */
  readonly environmentAddress: string | null
}

/**
 * A door of its own for the operator's provider, with a pool of its own: a connection that stands is not checked again,
 * so one that only this provider may have must be in nobody else's reach.
 */
export function makeProviderDoors({
  outbound,
  environmentAddress,
  ...options
}: ProviderDoorsOptions): ProviderDoors {
  if (environmentAddress === null) return { doorOf: () => outbound, close: async () => undefined }
  const url = new URL(environmentAddress)
  const allowedPrivateHosts = [...options.allowedPrivateHosts, `${url.hostname}:${portOf(url)}`]
  const operators = makeOutbound({ ...options, allowedPrivateHosts })
  return {
    doorOf: ({ address, isFromEnvironment }) =>
      isFromEnvironment && address === environmentAddress ? operators : outbound,
    close: () => operators.close(),
  }
}
