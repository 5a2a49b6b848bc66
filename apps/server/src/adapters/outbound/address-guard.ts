import { lookup } from 'node:dns/promises'
import { isIP, isIPv6 } from 'node:net'
import type { OutboundAddress } from '../../ports/outbound.js'
import { isPublicAddress } from './address-rules.js'
import type { AllowedHosts } from './allowed-hosts.js'
import { OutboundError } from './outbound-error.js'
import { bareHostname } from './url-parts.js'
import { howToAllow } from './url-rules.js'

export type Resolver = (
  hostname: string,
) => Promise<readonly { readonly address: string; readonly family: number }[]>

/** Resolves a host to the addresses that a connection may use. */
export type AddressGuard = (host: string, port: number) => Promise<readonly OutboundAddress[]>

export const systemResolver: Resolver = (hostname) => lookup(hostname, { all: true })

/** A single non-public address rejects the host, because otherwise a connection could be steered to it. */
export function makeAddressGuard(allowed: AllowedHosts, resolver: Resolver): AddressGuard {
  return async (host, port) => {
    const hostname = bareHostname(host)
    const addresses = isIP(hostname) === 0 ? await lookUp(host, resolver) : [hostname]
    if (!allowed.has(hostname, port) && !addresses.every(isPublicAddress)) {
      // The message omits the address, so that callers cannot probe a private network's names.
      throw new OutboundError('refused', `The host ${hostname} is not a public address. ${howToAllow}`)
    }
    return addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
  }
}

async function lookUp(host: string, resolver: Resolver): Promise<readonly string[]> {
  const found = await resolver(host).catch((error: unknown) => {
    throw new OutboundError('connection-failed', `The host ${host} was not found.`, error)
  })
  if (found.length === 0) throw new OutboundError('connection-failed', `The host ${host} was not found.`)
  return found.map((entry) => entry.address)
}
