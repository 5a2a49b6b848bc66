import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Returns what closes the connections on which nothing is under way. Node's own closing waits for two kinds of them: those
 * that have asked nothing yet, as browsers open them in advance, and those whose last answer was under way at the time.
 */
export function makeQuietConnectionsCloser(server: Server): () => void {
  const open = new Set<Socket>()
  let isClosing = false

  server.on('connection', (socket: Socket) => {
    // A connection is announced again for every offer to switch protocols that was declined on it.
    if (open.has(socket)) return
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  server.on('request', ({ socket }, response) => {
    response.once('finish', () => isClosing && socket.destroySoon())
  })
  return () => {
    isClosing = true
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
  }
}
