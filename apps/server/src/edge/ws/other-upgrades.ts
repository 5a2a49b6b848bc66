import { type IncomingMessage, type Server, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/**
 * Serves a request that offers a protocol other than WebSocket, for example `h2c`, which Java's client offers
 * with every request. Node calls this only before version 24.9. Later versions serve such requests themselves
 * (`shouldUpgradeCallback`). Node has not read the body of the request, so this returns false if there is
 * one. The connection closes after the response.
 */
export function serveAsLastRequest(server: Server, request: IncomingMessage, socket: Duplex): boolean {
  if (hasBody(request) || !(socket instanceof Socket)) return false
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  response.assignSocket(socket)
  response.once('finish', () => {
    response.detachSocket(socket)
    socket.end()
  })
  socket.on('error', () => socket.destroy())
  server.emit('request', request, response)
  return true
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
