import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Returns a function that closes idle connections. Node's own method waits for two kinds of them:
 * connections without a request, which browsers open in advance, and connections whose last response was
 * still in progress at the call.
 */
export function makeQuietConnectionsCloser(server: Server): () => void {
  const known = new WeakSet<Socket>()
  const silent = new Set<Socket>()
  let isClosing = false

  server.on('connection', (socket: Socket) => {
    // Node emits the event again for every declined protocol upgrade on the same connection.
    if (known.has(socket)) return
    known.add(socket)
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  server.on('request', ({ socket }, response) => {
    silent.delete(socket)
    response.once('finish', () => isClosing && socket.destroySoon())
  })
  // After an upgrade, the handler of the new protocol closes the connection.
  server.on('upgrade', ({ socket }) => silent.delete(socket))
  return () => {
    isClosing = true
    for (const socket of silent) if (socket.bytesRead === 0) socket.destroy()
  }
}
