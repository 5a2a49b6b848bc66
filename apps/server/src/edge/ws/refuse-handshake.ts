import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { DomainError } from '../../domain/domain-error.js'
import type { Log } from '../../ports/log.js'
import { problemMediaType, problemOf, retryHeaders } from '../http/answer/error-reply.js'

/** Responds to a handshake with an HTTP error and closes the connection. */
export function refuseHandshake(
  socket: Duplex,
  error: unknown,
  {
    requestId,
    headers,
    log,
  }: { readonly requestId: string; readonly headers: Readonly<Record<string, string>>; readonly log: Log },
): void {
  const refusal = refusalOf(error)
  const problem = problemOf(refusal, requestId)
  // An intended rejection, for example during a shutdown, is not logged as an error.
  if (!(error instanceof DomainError)) log.error({ err: error, requestId }, 'WebSocket handshake failed')
  else log.info({ requestId, errorCode: refusal.code }, 'WebSocket handshake refused')
  if (!socket.writable) return
  const body = JSON.stringify(problem)
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? 'Refused'}`,
    `Content-Type: ${problemMediaType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    ...Object.entries({ ...headers, ...retryHeaders(refusal) }).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

/** The token may be valid if the database is unavailable, so the client may try again. */
function refusalOf(error: unknown): DomainError {
  if (error instanceof DomainError) return error
  return new DomainError('Unavailable', 'The session cannot be started right now. Try again.', {
    cause: error,
    retryAfterSeconds: 5,
  })
}
