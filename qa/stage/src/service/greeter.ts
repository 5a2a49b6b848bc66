import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

export interface Greeter {
  /** Where a connection leads to it. */
  readonly url: string
  /** Its ends of the sessions that are open. */
  readonly sockets: ReadonlySet<WebSocket>
  close(): void
}

/** A provider that greets and says nothing by itself: what a response costs is no part of an opening. */
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
