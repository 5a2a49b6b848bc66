import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { type RawData, WebSocketServer } from 'ws'

/** Providers may send deltas of several megabytes. */
export const maxFrameBytes = 64 * 1024 * 1024
const maxBodyBytes = 64 * 1024 * 1024

export interface LoopbackHandlers {
  request(request: IncomingMessage, response: ServerResponse): Promise<void>
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>
}

export interface LoopbackServer {
  readonly origin: string
  readonly sockets: WebSocketServer
  /** Closes all connections. */
  close(): Promise<void>
}

/** Starts a server on the loopback interface. An error of a handler closes only its own connection. */
export async function startLoopbackServer(handlers: LoopbackHandlers): Promise<LoopbackServer> {
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: maxFrameBytes,
  })
  const open = new Set<Duplex>()
  const server = createServer((request, response) => {
    handlers.request(request, response).catch(() => response.destroy())
  })
  server.on('upgrade', (request, socket, head) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket)).on('error', () => socket.destroy())
    handlers.upgrade(request, socket, head).catch(() => socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${portOf(server)}`,
    sockets,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return address.port
}

/** Returns the whole body of a request, or null if it is too long. */
export async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    const piece: Buffer = Buffer.from(chunk)
    bytes += piece.length
    if (bytes > maxBodyBytes) return null
    chunks.push(piece)
  }
  return Buffer.concat(chunks)
}

/** Sends an error in the format of the providers. */
export function reject(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ error: { type: 'replay', message } }))
}

/** Rejects a handshake. */
export function rejectHandshake(socket: Duplex, status: number): void {
  socket.end(`HTTP/1.1 ${status} Refused\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
}

/** Returns the bytes of a frame, for all forms in which `ws` delivers it. */
export function bytesOf(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data)
}
