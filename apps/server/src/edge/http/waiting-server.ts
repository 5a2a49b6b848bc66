import { once } from 'node:events'
import { createServer } from 'node:http'
import { v7 as uuid } from 'uuid'
import { DomainError } from '../../domain/domain-error.js'
import { problemMediaType, problemOf, retryHeaders } from './answer/error-reply.js'
import { securityHeaders } from './answer/security-headers.js'

/**
 * Responds on behalf of the service while it waits for its database: `/healthz` with 200, everything else
 * with 503.
 */
export interface WaitingServer {
  listen(): Promise<void>
  /** Frees the port. Does nothing if the server is not listening. */
  close(): Promise<void>
}

const retryAfterSeconds = 5

export function makeWaitingServer(address: { readonly host: string; readonly port: number }): WaitingServer {
  const server = createServer((request, response) => {
    // Responds with 200, because the process is alive and restarting it would not help.
    if (request.url === '/healthz') {
      response.writeHead(200, { ...securityHeaders, 'content-type': 'application/json; charset=utf-8' })
      return response.end(JSON.stringify({ status: 'ok' }))
    }
    const refusal = new DomainError('Unavailable', 'The service is waiting for its database.', {
      retryAfterSeconds,
    })
    const headers = { ...securityHeaders, ...retryHeaders(refusal), 'content-type': problemMediaType }
    response.writeHead(503, { ...headers, connection: 'close' })
    return response.end(JSON.stringify(problemOf(refusal, uuid())))
  })
  return {
    async listen() {
      server.listen(address)
      await once(server, 'listening')
    },
    async close() {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
