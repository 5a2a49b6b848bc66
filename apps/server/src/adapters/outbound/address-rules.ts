import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

// In a public range, yet inside Azure it serves the configuration of the virtual machine that asks.
const azurePlatformAddress = '168.63.129.16'

const globalUnicastIPv6 = ipaddr.IPv6.parseCIDR('2000::/3')
const nat64WellKnownPrefix = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/** Whether an address, as a lookup returns it, is of the public internet; what is no address is not. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 0) return false
  return family === 4 ? isPublicIPv4(ipaddr.IPv4.parse(address)) : isPublicIPv6(parseIPv6(address))
}

/** Through the URL parser first: ipaddr.js takes `::8.8.8.8` for `::ffff:8.8.8.8`, the kernel does not. */
function parseIPv6(address: string): ipaddr.IPv6 {
  const withoutZone = address.replace(/%.*$/, '')
  return ipaddr.IPv6.parse(new URL(`http://[${withoutZone}]`).hostname.slice(1, -1))
}

function isPublicIPv4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && address.toString() !== azurePlatformAddress
}

/**
 * The two prefixes that really lead to an IPv4 address are judged by that address: `::ffff:` through the
 * operating system, `64:ff9b::` through the NAT64 of IPv6-only networks, where DNS gives it to every IPv4 host.
 * All other ways of carrying an IPv4 address inside are refused.
 */
function isPublicIPv6(address: ipaddr.IPv6): boolean {
  if (address.isIPv4MappedAddress() || address.match(nat64WellKnownPrefix)) {
    return isPublicIPv4(new ipaddr.IPv4(address.toByteArray().slice(12)))
  }
  // ipaddr.js calls 'unicast' all that is in none of its ranges, `::127.0.0.1` for one, hence the prefix.
  return address.range() === 'unicast' && address.match(globalUnicastIPv6) && !isIsatap(address)
}

function isIsatap(address: ipaddr.IPv6): boolean {
  const [high, low] = address.parts.slice(4, 6)
  return low === 0x5efe && (high === 0 || high === 0x200)
}
