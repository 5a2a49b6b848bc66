import { OutboundError } from './outbound-error.js'

const defaults = { 'accept-encoding': 'gzip, br', 'user-agent': 'parley' }

/**
 * Headers that callers cannot set. undici would check the certificate against `host`, and the other headers
 * define the end of a message.
 */
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

/**
 * Returns the headers to send. The caller's headers override our defaults. Throws if the caller sets a header
 * of the connection.
 */
export function composeHeaders(given: Readonly<Record<string, string>>): Record<string, string> {
  const headers = Object.entries(given).map(([name, value]) => [name.toLowerCase(), value] as const)
  const forbidden = headers.find(([name]) => connectionHeaders.has(name))
  if (forbidden !== undefined) {
    throw new OutboundError(
      'refused',
      `The header ${forbidden[0]} cannot be set, because it belongs to the connection.`,
    )
  }
  return { ...defaults, ...Object.fromEntries(headers) }
}
