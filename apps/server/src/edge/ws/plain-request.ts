import { type IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

const hopHeaders = ['upgrade', 'connection', 'http2-settings']

export function isWebSocketRequest(request: IncomingMessage): boolean {
  return request.headers.upgrade?.toLowerCase() === 'websocket'
}

/**
 * Gives a request back to the HTTP server that offered to switch to something else than WebSocket. An offer may be
 * ignored, and some clients make it with every request (Java's offers HTTP/2); Node asks us about all of them alike.
 */
export function serveWithoutUpgrade(
  server: Server,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  if (bringsItsBody(request)) return serveAsTheLast(server, request, socket)
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`]
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const name = request.rawHeaders[index] ?? ''
    if (!hopHeaders.includes(name.toLowerCase()))
      lines.push(`${name}: ${request.rawHeaders[index + 1] ?? ''}`)
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]))
  // Two hundred offers in a row are read in one go: each waits for the next pass of the event loop.
  const onError = () => socket.destroy()
  socket.on('error', onError)
  setImmediate(() => {
    socket.off('error', onError)
    if (!socket.destroyed) server.emit('connection', socket)
  })
}

/** Newer versions of Node (26 does, 24 does not) read a body for the request, and hand over what comes after it. */
function bringsItsBody(request: IncomingMessage): boolean {
  return !request.complete || request.readableLength > 0
}

/** What has been read cannot be given back, but answered; the connection is the client's to open anew. */
function serveAsTheLast(server: Server, request: IncomingMessage, socket: Duplex): void {
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  response.assignSocket(socket as Socket)
  response.once('finish', () => {
    response.detachSocket(socket as Socket)
    socket.end()
  })
  socket.on('error', () => socket.destroy())
  server.emit('request', request, response)
}
