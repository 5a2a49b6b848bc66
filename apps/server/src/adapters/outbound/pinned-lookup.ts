import type { LookupFunction } from 'node:net'
import type { OutboundAddress } from '../../ports/outbound.js'

/**
 * A `lookup` for net, tls and ws that knows the given addresses alone, so that a name cannot change between
 * check and connection. Node does not ask it about a literal address: that must have been checked as it is.
 */
export function pinnedLookup(addresses: readonly OutboundAddress[]): LookupFunction {
  return (hostname, options, callback) => {
    const [first] = addresses
    if (first === undefined) callback(new Error(`No address for ${hostname}`), '')
    else if (options.all === true) callback(null, [...addresses])
    else callback(null, first.address, first.family)
  }
}
