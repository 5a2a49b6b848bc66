import { parseUrl } from '@parley/contract'
import type { OutboundMethod } from '../../ports/outbound.js'
import { OutboundError } from './outbound-error.js'
import { isSecure } from './url-parts.js'

export const maxRedirects = 5

/** One request in a chain of redirects. */
export interface Hop {
  readonly url: URL
  readonly method: OutboundMethod
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | undefined
  readonly onSent?: (() => void) | undefined
}

const redirectStatuses = [301, 302, 303, 307, 308]
/**
 * With these statuses, clients repeat the request with the same method and body. With all others, they send a
 * GET request.
 */
const faithfulStatuses = [307, 308]

/**
 * Returns the request that follows a redirect, or null if the response is not a redirect. The caller must
 * check its host. A request other than GET or HEAD is either repeated unchanged or rejected. As a GET
 * request, it would appear to succeed without having its effect.
 */
export function nextHop(hop: Hop, status: number, location: string | undefined): Hop | null {
  if (!redirectStatuses.includes(status) || location === undefined) return null
  const url = parseUrl(location, hop.url)
  if (url === null) throw new OutboundError('refused', `${hop.url.host} redirects to an invalid URL.`)
  if (isSecure(hop.url) && !isSecure(url)) {
    throw new OutboundError(
      'refused',
      `${hop.url.host} redirects from https: to ${url.protocol}, which is not allowed.`,
    )
  }
  if (hop.method !== 'GET' && hop.method !== 'HEAD' && !faithfulStatuses.includes(status))
    throw new OutboundError(
      'refused',
      `${hop.url.host} redirects the ${hop.method} request with status ${status}, which would turn it into a GET request. The redirect was not followed. Use its target at ${url.origin} directly.`,
    )
  const next = status === 303 ? withoutBody(hop) : hop
  if (url.origin === hop.url.origin) return { ...next, url }
  if (next.body !== undefined) {
    // The redirect is rejected, because headers are not sent to another origin and the body is just as
    // confidential.
    throw new OutboundError(
      'refused',
      `${hop.url.host} redirects a request with a body to ${url.origin}. Use that address directly.`,
    )
  }
  return { ...next, url, headers: {} }
}

function withoutBody(hop: Hop): Hop {
  const kept = Object.entries(hop.headers).filter(([name]) => !name.toLowerCase().startsWith('content-'))
  return { ...hop, body: undefined, headers: Object.fromEntries(kept) }
}
