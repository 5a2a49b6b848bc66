import type { AddressInfo } from 'node:net'
import type { RawData } from 'ws'
import WebSocket, { WebSocketServer } from 'ws'
import { serveCommands } from '../processes/part.js'

/*
 * The least that a relay on `ws` can do: every frame goes on as it came. No tokens, limits, transcripts, timeouts or
 * backpressure. The options of its sockets are those of the service.
 */
const [providerUrl = ''] = process.argv.slice(2)
const maxClientBytes = 65_536
const maxProviderBytes = 16_777_216

const server = new WebSocketServer({
  host: '127.0.0.1',
  port: 0,
  backlog: 1024,
  clientTracking: false,
  perMessageDeflate: false,
  maxPayload: maxClientBytes,
})
server.on('connection', (client) => {
  client.pause()
  const provider = new WebSocket(providerUrl, {
    perMessageDeflate: false,
    skipUTF8Validation: true,
    maxPayload: maxProviderBytes,
  })
  for (const [socket, other] of [
    [client, provider],
    [provider, client],
  ] as const) {
    socket.on('error', () => undefined)
    socket.on('close', () => other.close())
  }
  provider.once('open', () => {
    forward(client, provider)
    forward(provider, client)
    client.resume()
  })
})

function forward(from: WebSocket, to: WebSocket): void {
  from.on('message', (data: RawData, isBinary: boolean) => to.send(data, { binary: isBinary }))
}

const listening = new Promise((resolve) => void server.once('listening', resolve))
serveCommands(async () => {
  await listening
  return (server.address() as AddressInfo).port
})
