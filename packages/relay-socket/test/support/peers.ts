import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import FayeSocket from 'faye-websocket'
import { WebSocket as UndiciSocket } from 'undici'
import { onTestFinished } from 'vitest'
import WsSocket, { WebSocketServer } from 'ws'

/** A WebSocket client of another library. */
export interface PeerClient {
  readonly received: (string | Buffer)[]
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>
  send(data: string | Buffer): void
  /** Sends a ping and resolves with the pong, if the library supports pings. */
  ping(): Promise<void>
  close(code: number, reason: string): void
}

export const peerClients: Readonly<
  Record<'ws' | 'faye-websocket' | 'undici', (url: string) => Promise<PeerClient>>
> = {
  async ws(url) {
    const socket = new WsSocket(url)
    onTestFinished(() => socket.terminate())
    const received: (string | Buffer)[] = []
    socket.on('message', (data: Buffer, isBinary) => received.push(isBinary ? data : data.toString()))
    const closed = new Promise<{ code: number; reason: string }>((resolve) => {
      socket.once('close', (code, reason) => resolve({ code, reason: reason.toString() }))
    })
    await once(socket, 'open')
    return {
      received,
      closed,
      send: (data) => socket.send(data),
      async ping() {
        socket.ping('ws')
        await once(socket, 'pong')
      },
      close: (code, reason) => socket.close(code, reason),
    }
  },

  async 'faye-websocket'(url) {
    const socket = new FayeSocket.Client(url)
    const received: (string | Buffer)[] = []
    socket.on('message', ({ data }: { data: string | Buffer }) => received.push(data))
    const closed = new Promise<{ code: number; reason: string }>((resolve) => {
      socket.once('close', resolve)
    }).then(({ code, reason }) => ({ code, reason }))
    await once(socket, 'open')
    return {
      received,
      closed,
      send: (data) => void socket.send(data),
      ping: () => new Promise((resolve) => void socket.ping('faye', resolve)),
      close: (code, reason) => socket.close(code, reason),
    }
  },

  async undici(url) {
    const socket = new UndiciSocket(url)
    socket.binaryType = 'arraybuffer'
    const received: (string | Buffer)[] = []
    socket.addEventListener('message', ({ data }) =>
      received.push(typeof data === 'string' ? data : Buffer.from(data)),
    )
    const closed = new Promise<{ code: number; reason: string }>((resolve) => {
      socket.addEventListener('close', ({ code, reason }) => resolve({ code, reason }))
    })
    await new Promise((resolve) => socket.addEventListener('open', resolve))
    return {
      received,
      closed,
      send: (data) => socket.send(data),
      ping: async () => undefined,
      close: (code, reason) => socket.close(code, reason),
    }
  },
}

/** A WebSocket server of another library. It echoes every message after a ping and records close codes. */
export interface PeerServer {
  readonly url: string
  readonly closes: { readonly code: number; readonly reason: string }[]
}

const maxLength = 16 * 1024 * 1024

export const peerServers: Readonly<Record<'ws' | 'faye-websocket', () => Promise<PeerServer>>> = {
  async ws() {
    const server = createServer()
    const closes: PeerServer['closes'] = []
    new WebSocketServer({ server, maxPayload: maxLength }).on('connection', (socket) => {
      socket.on('message', (data, isBinary) => {
        socket.ping()
        socket.send(data, { binary: isBinary })
      })
      socket.once('close', (code, reason) => closes.push({ code, reason: reason.toString() }))
    })
    return { url: await listen(server), closes }
  },

  async 'faye-websocket'() {
    const server = createServer()
    const closes: PeerServer['closes'] = []
    server.on('upgrade', (request, connection, head) => {
      const socket = new FayeSocket(request, connection, head, [], { maxLength })
      socket.on('message', ({ data }: { data: string | Buffer }) => {
        socket.ping('faye')
        socket.send(data)
      })
      socket.once('close', ({ code, reason }) => closes.push({ code, reason }))
    })
    return { url: await listen(server), closes }
  },
}

async function listen(server: ReturnType<typeof createServer>): Promise<string> {
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`
}
