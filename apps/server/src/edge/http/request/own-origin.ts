import type { Operation, PersonOperation } from '@parley/contract'
import type { FastifyRequest } from 'fastify'

const safeMethods = ['GET', 'HEAD', 'OPTIONS']
const loopbackNames = ['localhost', '127.0.0.1', '[::1]']

/**
 * Why a call with a cookie is not taken for one of our own pages'; null where it is. A browser adds the cookie whoever
 * made it call, but no page can choose Origin or Sec-Fetch-Site. What the Host says does not count: the address of the
 * service is a setting.
 */
export function crossSiteRefusal(
  { method, headers }: Pick<FastifyRequest, 'method' | 'headers'>,
  { form }: Pick<Operation | PersonOperation, 'form'>,
  publicUrl: string,
): string | null {
  if (safeMethods.includes(method)) return null
  const { origin, 'sec-fetch-site': site, 'content-type': mediaType } = headers
  if (origin === undefined || !ownOrigins(publicUrl).includes(origin))
    return `With a session this call needs Origin: ${publicUrl}. PARLEY_PUBLIC_URL says where the service is.`
  if (site !== undefined && site !== 'same-origin') return 'Another site has made this call.'
  const isTaken = mediaType === undefined || (form === undefined ? isJson : isForm)(mediaType)
  return isTaken ? null : 'With a session the body must be JSON, or the form of an upload.'
}

/** A service that is reached on its own machine is, by any of its names. */
export function ownOrigins(publicUrl: string): readonly string[] {
  const { protocol, hostname, port, origin } = new URL(publicUrl)
  if (protocol !== 'http:' || !isLoopbackName(hostname)) return [origin]
  return loopbackNames.map((name) => new URL(`http://${name}:${port || '80'}`).origin)
}

export const isLoopbackName = (hostname: string) => loopbackNames.includes(hostname)

const isJson = (mediaType: string) => /^application\/(?:merge-patch\+)?json\s*(?:;|$)/i.test(mediaType)
const isForm = (mediaType: string) => /^multipart\/form-data\s*(?:;|$)/i.test(mediaType)
