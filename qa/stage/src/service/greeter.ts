import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

export interface Greeter {
  /** The base URL for a connection. */
  readonly url: string
  /** The provider's sockets of the open sessions. */
  readonly sockets: ReadonlySet<WebSocket>
  close(): void
}

/**
 * Starts a provider that greets and sends nothing else, so that opening a session can be measured without
 * the cost of a response.
 */
export async function startGreeter(): Promise<Greeter> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
  server.on('connection', (socket) => socket.send(JSON.stringify({ type: 'session.created', session: {} })))
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    sockets: server.clients,
    close: () => server.close(),
  }
}
