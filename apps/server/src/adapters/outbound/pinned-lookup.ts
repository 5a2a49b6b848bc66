import type { LookupFunction } from 'node:net'
import type { OutboundAddress } from '../../ports/outbound.js'

/**
 * A `lookup` for net, tls and ws that only returns the given addresses, so that a name cannot resolve
 * differently between check and connection. Node does not use it for a literal address, which must be checked
 * before.
 */
export function pinnedLookup(addresses: readonly OutboundAddress[]): LookupFunction {
  return (hostname, options, callback) => {
    const [first] = addresses
    if (first === undefined) callback(new Error(`No address for ${hostname}`), '')
    else if (options.all === true) callback(null, [...addresses])
    else callback(null, first.address, first.family)
  }
}
