import { once } from 'node:events'
import type { Server } from 'node:http'
import WebSocket, { WebSocketServer } from 'ws'
import { BareSocket } from './bare-socket.js'
import { acceptConnection, openConnection } from './handshake.js'
import { LibrarySocket, libraryOptions } from './library-socket.js'
import type { Listener, LoadSocket } from './load-socket.js'

/** Makes the socket of a connection that was accepted, for whoever listens to it. */
export type Accept = (listener: Listener) => LoadSocket

/** How the load speaks WebSocket. */
interface Wire {
  open(url: string, certificate: string | undefined, listener: Listener): Promise<LoadSocket>
  serve(server: Server, onConnection: (accept: Accept) => void): void
}

export type WireName = 'library' | 'bare'

export const wires: Readonly<Record<WireName, Wire>> = {
  library: {
    async open(url, certificate, listener) {
      const socket = new WebSocket(url, {
        ...libraryOptions,
        ...(certificate !== undefined && { ca: certificate }),
      })
      const opened = once(socket, 'open')
      const load = new LibrarySocket(socket, listener)
      await opened
      return load
    },
    serve(server, onConnection) {
      new WebSocketServer({ server, ...libraryOptions }).on('connection', (socket) =>
        onConnection((listener) => new LibrarySocket(socket, listener)),
      )
    },
  },

  bare: {
    open: async (url, certificate, listener) =>
      new BareSocket(await openConnection(url, certificate), true, listener),
    serve(server, onConnection) {
      server.on('upgrade', (request, connection, head) => {
        acceptConnection(request, connection)
        onConnection((listener) => new BareSocket({ connection, head }, false, listener))
      })
    },
  },
}
