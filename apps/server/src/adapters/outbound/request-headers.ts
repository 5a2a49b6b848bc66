import { OutboundError } from './outbound-error.js'

const defaults = { 'accept-encoding': 'gzip, br', 'user-agent': 'parley' }

/** undici would check the certificate against `host`; the others decide where a message ends. */
const connectionHeaders = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** The headers to send: the caller's, without those that belong to the connection, over our defaults. */
export function composeHeaders(given: Readonly<Record<string, string>>): Record<string, string> {
  const headers = Object.entries(given).map(([name, value]) => [name.toLowerCase(), value] as const)
  const forbidden = headers.find(([name]) => connectionHeaders.has(name))
  if (forbidden !== undefined) {
    throw new OutboundError(
      'refused',
      `The header ${forbidden[0]} cannot be set: it belongs to the connection.`,
    )
  }
  return { ...defaults, ...Object.fromEntries(headers) }
}
