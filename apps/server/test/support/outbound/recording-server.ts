import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import {
  type AddressInfo,
  createServer as createSocketServer,
  type Socket,
  type Server as SocketServer,
} from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { closeAfterwards } from '../close-afterwards.js'
import { testCertificate } from './test-certificate.js'

export interface Hit {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/**
 * A real server on 127.0.0.1 that accepts connections and never responds, so that a TLS handshake never
 * ends.
 */
export interface SilentServer {
  readonly port: number
  /** Every connection that was ever opened, with or without a request. */
  readonly sockets: readonly Socket[]
  close(): Promise<void>
}

/** A real server on 127.0.0.1 that responds and records its requests. */
export interface RecordingServer extends SilentServer {
  readonly hits: readonly Hit[]
}

export interface RecordingServerOptions {
  readonly secure?: boolean
  readonly host?: string
  readonly port?: number
}

export async function startRecordingServer(
  answer: RequestListener = (_request, response) => response.end('hello'),
  { secure = false, host = '127.0.0.1', port = 0 }: RecordingServerOptions = {},
): Promise<RecordingServer> {
  const hits: Hit[] = []
  const listener: RequestListener = async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    hits.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body })
    answer(request, response)
  }
  const server: Server = secure ? createSecureServer(testCertificate, listener) : createServer(listener)
  // Only the client ends idle connections.
  server.keepAliveTimeout = 0
  return { ...(await listen(server, host, port)), hits }
}

export function startSilentServer(): Promise<SilentServer> {
  return listen(createSocketServer(), '127.0.0.1', 0)
}

async function listen(server: SocketServer, host: string, port: number): Promise<SilentServer> {
  const sockets: Socket[] = []
  server.on('connection', (socket: Socket) => {
    // Connection errors that the client causes do not fail the test.
    sockets.push(socket.on('error', () => undefined))
    // A socket without a reader would not notice that the other side has disconnected.
    if (server.listenerCount('request') === 0) socket.resume()
  })
  server.listen(port, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    sockets,
    close: closeAfterwards(async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    }),
  }
}

/** Resolves when the other side has released every connection. */
export async function allClosed(sockets: readonly Socket[]): Promise<void> {
  const open = sockets.filter((socket) => !socket.destroyed)
  await Promise.all(open.map((socket) => new Promise((resolve) => socket.once('close', resolve))))
}

/** undici takes a connection back one event-loop pass after the end of a response. */
export async function connectionIsFree(): Promise<void> {
  await setImmediate()
}
