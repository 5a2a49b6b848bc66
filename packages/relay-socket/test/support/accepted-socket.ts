import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { type FrameSocket, makeFrameSocket, type RelayIo, RelayWebSocket } from '#relay-socket/index.js'

export interface AcceptedSocket {
  readonly socket: RelayWebSocket
  readonly frames: FrameSocket
  /** The client's end of the connection. */
  readonly client: WebSocket
}

export const maxMessageBytes = 1024 * 1024

/** Opens a server socket as the service wraps it, without listeners. */
export async function acceptSocket(io: RelayIo): Promise<AcceptedSocket> {
  const server = new WebSocketServer({
    port: 0,
    autoPong: false,
    maxPayload: maxMessageBytes,
    WebSocket: RelayWebSocket,
  })
  onTestFinished(() => server.close())
  const accepted = new Promise<Omit<AcceptedSocket, 'client'>>((resolve) => {
    server.once('connection', (socket: RelayWebSocket, { socket: connection }: IncomingMessage) => {
      const path = { connection, peer: 'client', maxMessageBytes, usesZeroMask: true } as const
      resolve({ socket, frames: makeFrameSocket(socket, { fast: io === 'fast' ? path : null }) })
    })
  })
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  onTestFinished(() => client.terminate())
  await new Promise((resolve) => client.once('open', resolve))
  const { socket, frames } = await accepted
  onTestFinished(() => socket.terminate())
  return { socket, frames, client }
}
