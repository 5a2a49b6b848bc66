import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

// A public address, but inside Azure it serves the configuration of the requesting virtual machine.
const azurePlatformAddress = '168.63.129.16'

const globalUnicastIPv6 = ipaddr.IPv6.parseCIDR('2000::/3')
const nat64WellKnownPrefix = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/**
 * Returns whether an address from a lookup is on the public internet. Returns false for an invalid address.
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 0) return false
  return family === 4 ? isPublicIPv4(ipaddr.IPv4.parse(address)) : isPublicIPv6(parseIPv6(address))
}

/**
 * Normalized by the URL parser first. ipaddr.js treats `::8.8.8.8` as `::ffff:8.8.8.8`, but the kernel does
 * not.
 */
function parseIPv6(address: string): ipaddr.IPv6 {
  const withoutZone = address.replace(/%.*$/, '')
  return ipaddr.IPv6.parse(new URL(`http://[${withoutZone}]`).hostname.slice(1, -1))
}

function isPublicIPv4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && address.toString() !== azurePlatformAddress
}

/**
 * Two prefixes lead to an IPv4 address and are judged by that address: `::ffff:` through the operating
 * system, and `64:ff9b::` through the NAT64 of IPv6-only networks, which use it in DNS for every IPv4 host.
 * All other embedded IPv4 addresses are rejected.
 */
function isPublicIPv6(address: ipaddr.IPv6): boolean {
  if (address.isIPv4MappedAddress() || address.match(nat64WellKnownPrefix)) {
    return isPublicIPv4(new ipaddr.IPv4(address.toByteArray().slice(12)))
  }
  // The prefix is checked because ipaddr.js returns 'unicast' for all addresses outside its ranges, for
  // example `::127.0.0.1`.
  return address.range() === 'unicast' && address.match(globalUnicastIPv6) && !isIsatap(address)
}

function isIsatap(address: ipaddr.IPv6): boolean {
  const [high, low] = address.parts.slice(4, 6)
  return low === 0x5efe && (high === 0 || high === 0x200)
}
