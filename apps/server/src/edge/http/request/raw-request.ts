import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { concealApiKeys } from '@parley/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { invalidRequest } from '../../../domain/domain-error.js'
import { newId } from '../../../domain/new-id.js'

const form = /^[A-Za-z0-9._:-]{1,128}$/

/** The caller's own request id where it is a harmless one, so that both logs can be read side by side. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  const isHarmless = typeof given === 'string' && form.test(given) && concealApiKeys(given) === given
  return isHarmless ? given : newId()
}

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

/** What is no HTTP, or too slow to become one, never reaches a route; it gets the same shape of answer all the same. */
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

/** The parser of Node 20.19.0 takes headers without a name; what stands behind it may not. */
export function refuseNamelessHeader(request: FastifyRequest, reply: FastifyReply, next: () => void): void {
  if (!('' in request.raw.headers)) return next()
  reply.hijack()
  answerBrokenRequest(new Error('A header has no name.'), request.raw.socket)
}

/** How long a client that was answered already may go on sending. */
const discardMilliseconds = 10_000

/**
 * Lets the rest of a request run into nothing, for a while: a connection that is closed on a client that still sends
 * takes the answer with it (a proxy makes 502 of that), and one that is left open is sent to for ever.
 */
export function discardRest(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return
  request.unpipe()
  request.resume()
  const timer = setTimeout(() => request.destroy(), discardMilliseconds).unref()
  request.once('close', () => clearTimeout(timer))
}
