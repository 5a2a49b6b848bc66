import type { IncomingMessage } from 'node:http'

const key = /^[+/0-9A-Za-z]{22}==$/
const versions = ['8', '13']
const protocolName = /^[\w!#$%&'*+.^`|~-]+$/

/**
 * Whether the WebSocket library will accept this handshake. This is checked first, because an invalid
 * handshake must not consume the token.
 */
export function isProperHandshake({ method, headers }: IncomingMessage): boolean {
  return (
    method === 'GET' &&
    headers.upgrade?.toLowerCase() === 'websocket' &&
    key.test(headers['sec-websocket-key'] ?? '') &&
    versions.includes(headers['sec-websocket-version'] ?? '') &&
    areProtocols(headers['sec-websocket-protocol'])
  )
}

function areProtocols(header: string | undefined): boolean {
  if (header === undefined) return true
  const names = header.split(',').map((name) => name.trim())
  return names.every((name) => protocolName.test(name)) && new Set(names).size === names.length
}
