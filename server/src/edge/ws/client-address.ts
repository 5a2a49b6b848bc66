import type { IncomingMessage } from 'node:http'

/** Where a handshake comes from: what the proxy says, where the operator trusts it, else the socket's other end. */
export function clientAddress(request: IncomingMessage, isProxyTrusted: boolean): string {
  const forwarded = isProxyTrusted ? request.headers['x-forwarded-for'] : undefined
  const first = (Array.isArray(forwarded) ? forwarded[0] : forwarded)?.split(',')[0]?.trim()
  return first || (request.socket.remoteAddress ?? 'unknown')
}
