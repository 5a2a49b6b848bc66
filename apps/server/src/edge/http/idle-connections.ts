import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Returns what closes the connections on which nothing is under way. Node's own closing waits for two kinds of them: those
 * that have asked nothing yet, as browsers open them in advance, and those whose last answer was under way at the time.
 */
export function makeQuietConnectionsCloser(server: Server): () => void {
  const known = new WeakSet<Socket>()
  const silent = new Set<Socket>()
  let isClosing = false

  server.on('connection', (socket: Socket) => {
    // A connection is announced again for every offer to switch protocols that was declined on it.
    if (known.has(socket)) return
    known.add(socket)
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  server.on('request', ({ socket }, response) => {
    silent.delete(socket)
    response.once('finish', () => isClosing && socket.destroySoon())
  })
  // One that another worker takes over never closes here.
  server.on('upgrade', ({ socket }) => silent.delete(socket))
  return () => {
    isClosing = true
    for (const socket of silent) if (socket.bytesRead === 0) socket.destroy()
  }
}
