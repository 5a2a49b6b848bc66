import { isIP } from 'node:net'
import { parseUrl } from '@parley/contract'
import type { FastifyRequest } from 'fastify'
import { isLoopbackName, ownOrigins } from './own-origin.js'

/**
 * Why a request is not taken for one that was sent here on purpose; null where it is. A page of another site can make
 * its visitor's browser call a service on the visitor's own machine, by a name that leads there for the moment (DNS
 * rebinding). It cannot choose what the browser says in Origin and Host. Where the service is reached from elsewhere, the
 * Host is the business of the proxies before it.
 */
export function rebindingRefusal(
  { headers }: Pick<FastifyRequest, 'headers'>,
  publicUrl: string,
): string | null {
  const { origin, host = '' } = headers
  if (origin !== undefined && !ownOrigins(publicUrl).includes(origin))
    return `Pages of ${origin} cannot call this. PARLEY_PUBLIC_URL says where the service is.`
  const own = new URL(publicUrl).hostname
  if (!isLoopbackName(own)) return null
  const called = parseUrl(`http://${host}`)?.hostname ?? ''
  const isOwn = called === own || isLoopbackName(called) || isIP(called.replaceAll(/^\[|\]$/g, '')) !== 0
  return isOwn ? null : `This service is not ${host}. PARLEY_PUBLIC_URL says where it is.`
}
