import type { Operation, PersonOperation } from '@parley/contract'
import type { FastifyRequest } from 'fastify'

const safeMethods = ['GET', 'HEAD', 'OPTIONS']
const loopbackNames = ['localhost', '127.0.0.1', '[::1]']

/**
 * Returns why a call with a cookie may come from another site, or null. A browser adds the cookie to calls
 * from any page, but no page can choose Origin or Sec-Fetch-Site. The Host header is ignored, because the
 * address of the service is a setting.
 */
export function crossSiteRefusal(
  { method, headers }: Pick<FastifyRequest, 'method' | 'headers'>,
  { form }: Pick<Operation | PersonOperation, 'form'>,
  publicUrl: string,
): string | null {
  if (safeMethods.includes(method)) return null
  const { origin, 'sec-fetch-site': site, 'content-type': mediaType } = headers
  if (origin === undefined || !ownOrigins(publicUrl).includes(origin))
    return `Requests with a session need the header Origin: ${publicUrl}. If the service has another address, set PARLEY_PUBLIC_URL to it.`
  if (site !== undefined && site !== 'same-origin') return 'This request was sent by another site.'
  const isTaken = mediaType === undefined || (form === undefined ? isJson : isForm)(mediaType)
  return isTaken ? null : 'Requests with a session must have a JSON body or an upload form.'
}

/** Returns the allowed origins. A service on its own machine is reachable through any loopback name. */
export function ownOrigins(publicUrl: string): readonly string[] {
  const { protocol, hostname, port, origin } = new URL(publicUrl)
  if (protocol !== 'http:' || !isLoopbackName(hostname)) return [origin]
  return loopbackNames.map((name) => new URL(`http://${name}:${port || '80'}`).origin)
}

export const isLoopbackName = (hostname: string) => loopbackNames.includes(hostname)

const isJson = (mediaType: string) => /^application\/(?:merge-patch\+)?json\s*(?:;|$)/i.test(mediaType)
const isForm = (mediaType: string) => /^multipart\/form-data\s*(?:;|$)/i.test(mediaType)
