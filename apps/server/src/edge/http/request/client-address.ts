import type { IncomingMessage } from 'node:http'
import { isIP, isIPv4 } from 'node:net'
import proxyAddr from '@fastify/proxy-addr'
import ipaddr from 'ipaddr.js'

/** Returns the client address of a request or handshake, or null if the connection is already closed. */
export type ClientAddress = (request: IncomingMessage) => string | null

/** The number of proxies in front of the service, or their networks. */
export type TrustedProxies = number | readonly string[]

/**
 * Returns the client address as seen by the farthest trusted proxy. Each proxy appends the address of its
 * client to X-Forwarded-For, but clients can send any value. The search therefore goes back from the socket's
 * peer and stops at the first address that no trusted proxy reported.
 */
export function makeClientAddress(trusted: TrustedProxies): ClientAddress {
  const isTrusted = trustRule(trusted)
  const known = new WeakMap<object, string>()

  function find(request: IncomingMessage): string | null {
    const [nearest = null, ...farther] = proxyAddr.all(request).map(plainAddress)
    let found = nearest
    for (const [hops, address] of farther.entries()) {
      if (found === null || address === null || !isTrusted(found, hops)) break
      found = address
    }
    return found
  }

  // The address is cached, because it is needed several times for each request. Without the header, all
  // requests on a connection have the same address.
  return (request) => {
    const source = request.headers['x-forwarded-for'] === undefined ? request.socket : request
    const found = known.get(source)
    if (found !== undefined) return found
    const address = find(request)
    if (address !== null) known.set(source, address)
    return address
  }
}

type TrustRule = (address: string, hops: number) => boolean

function trustRule(trusted: TrustedProxies): TrustRule {
  return typeof trusted === 'number' ? (_, hops) => hops < trusted : proxyAddr.compile([...trusted])
}

const withPort = /^(?:\[(?<v6>[^\]]*)\]|(?<v4>[\d.]+))(?::\d{1,5})?$/

/**
 * Returns the address in canonical form, without the port and zone that some proxies add. Returns null if it
 * is invalid.
 */
function plainAddress(text: string | undefined): string | null {
  if (text === undefined) return null
  const { v6, v4 } = withPort.exec(text)?.groups ?? {}
  const address = (v6 ?? v4 ?? text).replace(/%.*$/, '')
  if (isIPv4(address)) return address
  return isIP(address) === 0 ? null : plainIPv6(address)
}

/** Uses the URL parser first, because ipaddr.js parses `::8.8.8.8` as `::ffff:8.8.8.8`. */
function plainIPv6(address: string): string {
  const spelled = new URL(`http://[${address}]`).hostname.slice(1, -1)
  return ipaddr.process(spelled).toString()
}

/**
 * Returns what limits count as one client: an IPv4 address, or the first 64 bits of an IPv6 address, because one client
 * can use all addresses of such a network.
 */
export function clientNetwork(address: string | null): string | null {
  if (address === null || !address.includes(':')) return address
  return ipaddr.IPv6.networkAddressFromCIDR(`${address}/64`).toString()
}

const headersOfProxies = ['x-forwarded-for', 'x-forwarded-proto', 'forwarded', 'via']

/** Whether a proxy reports that it forwarded the request. */
export function isForwarded({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headersOfProxies.some((name) => headers[name] !== undefined)
}
