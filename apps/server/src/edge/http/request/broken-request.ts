import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'

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
