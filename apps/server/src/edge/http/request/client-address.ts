import type { IncomingMessage } from 'node:http'
import { isIP, isIPv4 } from 'node:net'
import proxyAddr from '@fastify/proxy-addr'
import ipaddr from 'ipaddr.js'

/** Where a request or a handshake comes from; null where the connection is gone already. */
export type ClientAddress = (request: IncomingMessage) => string | null

/** How many proxies stand before the service, or in which networks they are. */
export type TrustedProxies = number | readonly string[]

/**
 * The address that the farthest trusted proxy has seen. Each proxy adds the address of whoever called it behind what
 * X-Forwarded-For said already, and a caller may have said anything: so the way is gone back from the socket's other
 * end, and never past what nobody trusted vouches for.
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

  // Asked several times for each request; where no proxy tells of others, all of a connection come from one address.
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

/** An address in its one spelling, without the port and the zone that some proxies add; null where it is none. */
function plainAddress(text: string | undefined): string | null {
  if (text === undefined) return null
  const { v6, v4 } = withPort.exec(text)?.groups ?? {}
  const address = (v6 ?? v4 ?? text).replace(/%.*$/, '')
  if (isIPv4(address)) return address
  return isIP(address) === 0 ? null : plainIPv6(address)
}

/** Through the URL parser first: ipaddr.js takes `::8.8.8.8` for `::ffff:8.8.8.8`. */
function plainIPv6(address: string): string {
  const spelled = new URL(`http://[${address}]`).hostname.slice(1, -1)
  return ipaddr.process(spelled).toString()
}

const headersOfProxies = ['x-forwarded-for', 'x-forwarded-proto', 'forwarded', 'via']

/** Whether a proxy says that it stands between the caller and this connection. */
export function isForwarded({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headersOfProxies.some((name) => headers[name] !== undefined)
}
