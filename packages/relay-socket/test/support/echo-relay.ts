import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { WebSocketServer } from 'ws'
import { type FrameSocket, makeFrameSocket, type RelayIo, RelayWebSocket } from '#relay-socket/index.js'

const maxMessageBytes = 1024 * 1024

/** Starts a relay with the package's sockets on both sides. Returns its address without the scheme. */
export async function startRelay(
  io: RelayIo,
  serverUrl: string,
  http: Server = createServer(),
): Promise<string> {
  const webSockets = new WebSocketServer({
    noServer: true,
    autoPong: false,
    perMessageDeflate: false,
    maxPayload: maxMessageBytes,
    WebSocket: RelayWebSocket,
  })
  http.on('upgrade', async (request, connection, head) => {
    const provider = await openProvider(io, serverUrl)
    webSockets.handleUpgrade(request, connection, head, (socket) => {
      const path = { connection, peer: 'client', maxMessageBytes, usesZeroMask: true } as const
      const client = makeFrameSocket(socket, { fast: io === 'fast' ? path : null })
      join(client, provider)
      join(provider, client)
    })
  })
  onTestFinished(() => {
    http.closeAllConnections()
    http.close()
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  return `127.0.0.1:${(http.address() as AddressInfo).port}/`
}

async function openProvider(io: RelayIo, url: string): Promise<FrameSocket> {
  const socket = new RelayWebSocket(url, [], {
    autoPong: false,
    perMessageDeflate: false,
    skipUTF8Validation: true,
    maxPayload: maxMessageBytes,
    generateMask: (mask) => mask.fill(0),
  })
  onTestFinished(() => socket.terminate())
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.once('upgrade', ({ socket: connection }: IncomingMessage) =>
      socket.once('open', () => {
        const path = { connection, peer: 'server', maxMessageBytes, usesZeroMask: true } as const
        resolve(makeFrameSocket(socket, { fast: io === 'fast' ? path : null }))
      }),
    )
  })
}

function join(from: FrameSocket, to: FrameSocket): void {
  from.listen({
    frame: (data, isBinary) => to.send(data, isBinary),
    pong: () => undefined,
    tooBig: () => undefined,
    closed: (code, reason) => to.close(code, reason),
  })
}
