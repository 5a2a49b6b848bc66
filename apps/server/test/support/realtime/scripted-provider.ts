import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { closeAfterwards } from '../close-afterwards.js'
import { FrameInbox } from './frame-inbox.js'

/** One connection of the service to the provider. The test plays the provider. */
export interface ProviderSession {
  readonly request: IncomingMessage
  readonly inbox: FrameInbox
  readonly socket: WebSocket
  /** Sends an event as JSON, or a frame unchanged. */
  send(event: object | string | Buffer): void
}

type UpgradeVerdict = 'accept' | 'handled'

/** Decides how a handshake is answered, now or later. */
export type UpgradeScript = (
  request: IncomingMessage,
  socket: Duplex,
) => UpgradeVerdict | Promise<UpgradeVerdict>

export interface ScriptedProvider {
  /** The address for the baseUrl of a connection. */
  readonly baseUrl: string
  /** The next connection, in order of arrival. */
  accept(): Promise<ProviderSession>
  /** Decides about handshakes from now on. */
  onUpgrade(script: UpgradeScript): void
  /** The number of open connections. */
  readonly openCount: number
  close(): Promise<void>
}

/** A realtime provider behind a real WebSocket that does only what the test says. */
export async function startScriptedProvider(): Promise<ScriptedProvider> {
  const http = createServer()
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: 64 * 1024 * 1024,
  })
  const arrived: ProviderSession[] = []
  const waiting: ((session: ProviderSession) => void)[] = []
  const raw = new Set<Duplex>()
  let script: UpgradeScript = () => 'accept'

  http.on('upgrade', async (request, socket, head) => {
    raw.add(socket)
    socket.on('close', () => raw.delete(socket))
    socket.on('error', () => undefined)
    if ((await script(request, socket)) === 'handled') return
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      const session: ProviderSession = {
        request,
        inbox: new FrameInbox(webSocket),
        socket: webSocket,
        send: (event) =>
          webSocket.send(typeof event === 'string' || Buffer.isBuffer(event) ? event : JSON.stringify(event)),
      }
      const next = waiting.shift()
      if (next) next(session)
      else arrived.push(session)
    })
  })
  await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo

  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    accept() {
      const session = arrived.shift()
      return session ? Promise.resolve(session) : new Promise((resolve) => void waiting.push(resolve))
    },
    onUpgrade(next) {
      script = next
    },
    get openCount() {
      return raw.size
    },
    close: closeAfterwards(async () => {
      for (const socket of raw) socket.destroy()
      await new Promise((resolve) => http.close(resolve))
    }),
  }
}
