import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import WebSocket, { WebSocketServer } from 'ws'
import { LimitedWebSocket, makeFrameSocket } from '#server/adapters/websocket/frame-socket.js'
import type { FrameSocket } from '#server/ports/frame-socket.js'
import { closeAfterwards } from '../close-afterwards.js'

export interface AcceptedSocket {
  readonly socket: LimitedWebSocket
  readonly frames: FrameSocket
  /** At the other end. */
  readonly client: WebSocket
}

/** A server's socket as the service wraps it, before anybody listens to it. */
export async function acceptSocket(): Promise<AcceptedSocket> {
  const maxMessageBytes = 1024 * 1024
  const server = new WebSocketServer({
    port: 0,
    autoPong: false,
    maxPayload: maxMessageBytes,
    WebSocket: LimitedWebSocket,
  })
  closeAfterwards(() => server.close())
  const accepted = new Promise<Omit<AcceptedSocket, 'client'>>((resolve) => {
    server.once('connection', (socket: LimitedWebSocket, { socket: connection }: IncomingMessage) => {
      const below = { connection, peer: 'client', maxMessageBytes, isSentPlain: true } as const
      resolve({ socket, frames: makeFrameSocket(socket, { below }) })
    })
  })
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  closeAfterwards(() => client.terminate())
  await new Promise((resolve) => client.once('open', resolve))
  const { socket, frames } = await accepted
  closeAfterwards(() => socket.terminate())
  return { socket, frames, client }
}
