import { once } from 'node:events'
import { Session } from 'node:inspector/promises'
import type { AddressInfo } from 'node:net'
import { serveCommands } from '@parley/stage/processes/part'
import type { RawData } from 'ws'
import WebSocket, { WebSocketServer } from 'ws'

export type BareRelayKind = 'blind' | 'parsing'
export interface BareRelayCommand {
  readonly command: 'listen' | 'collect'
}

/*
 * A minimal relay on `ws`. It forwards each frame unchanged (`blind`), or parses and serializes it
 * (`parsing`), as the relays of well-known samples do. It has no tokens, limits, transcripts, timeouts or
 * backpressure. Its sockets have the same options as those of the service.
 */
const [providerUrl = '', kind = 'blind'] = process.argv.slice(2)
const maxClientBytes = 65_536
const maxProviderBytes = 16_777_216
const forward = kind === 'parsing' ? forwardParsed : forwardBlindly

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

function forwardBlindly(from: WebSocket, to: WebSocket): void {
  from.on('message', (data: RawData, isBinary: boolean) => to.send(data, { binary: isBinary }))
}

function forwardParsed(from: WebSocket, to: WebSocket): void {
  from.on('message', (data: RawData) => to.send(JSON.stringify(JSON.parse(data.toString()))))
}

const listening = once(server, 'listening')
serveCommands<BareRelayCommand>(async ({ command }) => {
  if (command === 'collect') return collect()
  await listening
  return (server.address() as AddressInfo).port
})

/** Collects garbage twice, because the second pass collects what finalizers released in the first. */
async function collect(): Promise<void> {
  const session = new Session()
  session.connect()
  await session.post('HeapProfiler.collectGarbage')
  await session.post('HeapProfiler.collectGarbage')
  session.disconnect()
}
