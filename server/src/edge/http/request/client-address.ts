import type { IncomingMessage } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'

/** Where a request or a handshake comes from. */
export type ClientAddress = (request: IncomingMessage) => string

/** Takes X-Forwarded-For at its word where the operator trusts the proxy, else the socket's other end. */
export function makeClientAddress(isProxyTrusted: boolean): ClientAddress {
  // A socket that is gone already has no address any more.
  return (request) => proxyAddr(request, () => isProxyTrusted) || 'unknown'
}
