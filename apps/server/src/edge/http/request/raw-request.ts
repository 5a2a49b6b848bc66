import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { concealApiKeys } from '@parley/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { invalidRequest } from '../../../domain/domain-error.js'
import { newId } from '../../../domain/new-id.js'

const form = /^[A-Za-z0-9._:-]{1,128}$/

/** Returns the caller's request id if it is harmless, so that the logs of both sides use the same id. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  const isHarmless = typeof given === 'string' && form.test(given) && concealApiKeys(given) === given
  return isHarmless ? given : newId()
}

const undecodablePath = '/undecodable'

/** Returns the URL for routing. A path that cannot be decoded becomes an unknown path. */
export function routableUrl({ url = '/' }: IncomingMessage): string {
  return isDecodable(splitUrl(url).path) ? url : undecodablePath
}

/** Rejects invalid escapes, because otherwise the query parser would keep them unchanged. */
export async function requireDecodableQuery(request: FastifyRequest): Promise<void> {
  const broken = splitUrl(request.url)
    .query.split('&')
    .filter((pair) => !isDecodable(pair))
  if (broken.length > 0)
    throw invalidRequest(
      broken.map((pair) => ({ path: pair.split('=', 1)[0] ?? '', message: 'is not percent-encoded UTF-8' })),
    )
  // Schemas with any number of fields would ignore this one.
  if (Object.hasOwn(request.query as object, '__proto__'))
    throw invalidRequest([{ path: '__proto__', message: 'is not a known field' }])
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

const answers: Readonly<
  Record<string, { readonly line: string; readonly status: number; readonly detail: string }>
> = {
  ERR_HTTP_REQUEST_TIMEOUT: {
    line: '408 Request Timeout',
    status: 408,
    detail: 'The request did not arrive in time.',
  },
  HPE_HEADER_OVERFLOW: {
    line: '431 Request Header Fields Too Large',
    status: 431,
    detail: 'The headers are too large.',
  },
}

const malformed = { line: '400 Bad Request', status: 400, detail: 'This is not a valid HTTP request.' }

/** Responds to invalid HTTP and slow requests in the usual error format. They never reach a route. */
export function answerBrokenRequest(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const { line, status, detail } = answers[error.code ?? ''] ?? malformed
  const requestId = randomUUID()
  const body = JSON.stringify({ status, detail, errorCode: 'InvalidRequest', requestId })
  const head = [
    `HTTP/1.1 ${line}`,
    'Content-Type: application/problem+json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ].join('\r\n')
  socket.end(`${head}\r\n\r\n${body}`)
}

/** The parser of Node 20.19.0 accepts headers without a name, which other programs may reject. */
export function refuseNamelessHeader(request: FastifyRequest, reply: FastifyReply, next: () => void): void {
  if (!('' in request.raw.headers)) return next()
  reply.hijack()
  answerBrokenRequest(new Error('A header has no name.'), request.raw.socket)
}

/** How long a client may keep sending after its response. */
const discardMilliseconds = 10_000

/**
 * Reads and discards the rest of a request for a while. Closing the connection while the client still sends
 * would lose the response (a proxy turns that into a 502). Keeping it open would let the client send
 * forever.
 */
export function discardRest(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return
  request.unpipe()
  request.resume()
  const timer = setTimeout(() => request.destroy(), discardMilliseconds).unref()
  request.once('close', () => clearTimeout(timer))
}
