import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { invalidRequest } from '../../../domain/domain-error.js'

const undecodablePath = '/undecodable'

/** Where a request goes. A path that cannot be decoded names nothing: it ends where every unknown one does. */
export function routableUrl({ url = '/' }: IncomingMessage): string {
  return isDecodable(splitUrl(url).path) ? url : undecodablePath
}

/** The parser of queries would take an escape that it cannot decode as it stands; nobody meant to send that. */
export async function requireDecodableQuery(request: FastifyRequest): Promise<void> {
  const broken = splitUrl(request.url)
    .query.split('&')
    .filter((pair) => !isDecodable(pair))
  if (broken.length > 0)
    throw invalidRequest(
      broken.map((pair) => ({ path: pair.split('=', 1)[0] ?? '', message: 'is not percent-encoded UTF-8' })),
    )
}

function splitUrl(url: string): { readonly path: string; readonly query: string } {
  const end = url.search(/[?#]/)
  return end === -1 ? { path: url, query: '' } : { path: url.slice(0, end), query: url.slice(end + 1) }
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
