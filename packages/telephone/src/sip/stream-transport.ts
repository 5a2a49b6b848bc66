import { once } from 'node:events'
import { createServer, isIP, type Server, type Socket, connect as tcpConnect } from 'node:net'
import { createServer as createTlsServer, connect as tlsConnect } from 'node:tls'
import { contain } from '../contain.js'
import type { NetworkAddress } from '../network-address.js'
import type { Timers } from '../time.js'
import { StreamFraming } from './stream-framing.js'
import type { Transport, TransportListener } from './transport.js'

export interface TlsOptions {
  /** Certificates to trust in addition to those of Node, as PEM. */
  readonly ca?: string
  /** Our certificate and key, as PEM. Only needed if peers connect to this side. */
  readonly certificate?: string
  readonly key?: string
}

export interface StreamOptions {
  readonly protocol: 'TCP' | 'TLS'
  readonly bindAddress: string
  readonly port: number
  /** The name that the server's certificate must have. */
  readonly serverName: string
  readonly tls: TlsOptions
  readonly timers: Timers
  readonly listener: TransportListener
  /** Connections from other addresses are closed before the TLS handshake. */
  isTrusted(source: NetworkAddress): boolean
}

const maxConnections = 64
/** A peer that reads nothing is disconnected when more than this waits for it. */
const maxWaitingBytes = 1024 * 1024
const connectMilliseconds = 10_000
/** Peers are servers near by. A slower handshake only holds a connection. */
const handshakeMilliseconds = 5000
/** A server that has answered pings, and does not answer one within this time, is gone: RFC 5626 section 4.4.1. */
const pongMilliseconds = 10_000
const ping = '\r\n\r\n'
const pong = '\r\n'

/** Opens a listening socket, and connects to others as needed. TLS listens only with a certificate. */
export async function openStreamTransport(options: StreamOptions, localAddress: string): Promise<Transport> {
  const connections = new StreamConnections(options)
  const server = makeServer(options, connections)
  let { port } = options
  if (server) {
    server.listen(port, options.bindAddress)
    await once(server, 'listening')
    const address = server.address()
    port = typeof address === 'object' && address ? address.port : port
  }
  return {
    protocol: options.protocol,
    isReliable: true,
    // A side that does not listen can only be reached by its connection, so the port does not matter.
    local: { address: localAddress, port: port || 5061 },
    send: (message, target) => connections.write(message, target),
    keepAlive: (target) => connections.ping(target),
    close: async () => {
      connections.close()
      if (server?.listening) await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Untrusted addresses are rejected before the TLS handshake, so they neither see our certificate nor hold a connection. */
function makeServer({ protocol, tls }: StreamOptions, connections: StreamConnections): Server | null {
  const server = createServer()
  server.maxConnections = maxConnections
  if (protocol === 'TCP')
    return server.on('connection', (socket) => connections.admits(socket) && connections.accept(socket))
  const { certificate: cert, key } = tls
  if (cert === undefined || key === undefined) return null
  const secure = createTlsServer({ cert, key, handshakeTimeout: handshakeMilliseconds })
  secure.on('tlsClientError', () => {}).on('secureConnection', (socket) => connections.accept(socket))
  return server.on('connection', (socket) => connections.admits(socket) && secure.emit('connection', socket))
}

interface Connection {
  readonly socket: Socket
  /** Whether the peer has not answered the last ping. */
  isPinged: boolean
  /** Whether the peer has ever answered a ping. Not all servers do. */
  answersPings: boolean
  cancelWait(): void
}

class StreamConnections {
  readonly #options: StreamOptions
  readonly #connections = new Map<number, Connection>()
  /** The connections that this side opened, by address and port. */
  readonly #opened = new Map<string, number>()
  #lastId = 0
  #isClosed = false

  constructor(options: StreamOptions) {
    this.#options = options
  }

  /** Returns whether the peer of a new connection is trusted. Closes the connection otherwise. */
  admits(socket: Socket): boolean {
    const source = sourceOf(socket)
    if (source !== null && this.#options.isTrusted(source)) return true
    socket.destroy()
    return false
  }

  accept(socket: Socket): void {
    const source = sourceOf(socket)
    if (source === null || this.#connections.size >= maxConnections) socket.destroy()
    else this.#attach(socket, source)
  }

  write(data: Buffer | string, target: NetworkAddress): Connection | null {
    const connection =
      (target.connection === undefined ? undefined : this.#connections.get(target.connection)) ??
      this.#connections.get(this.#opened.get(keyOf(target)) ?? 0) ??
      this.#open(target)
    if (connection === null) return null
    const { socket } = connection
    socket.write(data)
    if (socket.writableLength > maxWaitingBytes) socket.destroy()
    return connection
  }

  ping(target: NetworkAddress): void {
    const connection = this.write(ping, target)
    if (connection === null) return
    connection.isPinged = true
    connection.cancelWait()
    if (connection.answersPings)
      connection.cancelWait = this.#options.timers.after(pongMilliseconds, () => connection.socket.destroy())
  }

  close(): void {
    this.#isClosed = true
    for (const { socket } of this.#connections.values()) socket.destroy()
  }

  #open(target: NetworkAddress): Connection | null {
    if (this.#isClosed) return null
    const { address: host, port } = target
    const { protocol, serverName, tls } = this.#options
    const socket =
      protocol === 'TCP'
        ? tcpConnect({ host, port })
        : tlsConnect({
            host,
            port,
            // TLS allows no addresses as server names. The certificate is compared with the host then.
            ...(isIP(serverName) === 0 && { servername: serverName }),
            ...(tls.ca !== undefined && { ca: tls.ca }),
          })
    const ready = protocol === 'TCP' ? 'connect' : 'secureConnect'
    socket.setTimeout(connectMilliseconds, () => socket.destroy())
    socket.once(ready, () => socket.setTimeout(0))
    const { id, connection } = this.#attach(socket, { address: host, port })
    this.#opened.set(keyOf(target), id)
    return connection
  }

  #attach(socket: Socket, source: NetworkAddress): { readonly id: number; readonly connection: Connection } {
    this.#lastId += 1
    const id = this.#lastId
    const framing = new StreamFraming()
    const connection: Connection = { socket, isPinged: false, answersPings: false, cancelWait: () => {} }
    this.#connections.set(id, connection)
    socket.setNoDelay(true)
    socket.on('error', () => socket.destroy())
    socket.on('data', (chunk) => {
      // Anything that arrives proves that the peer is there.
      connection.cancelWait()
      if (connection.isPinged && chunk.toString('latin1') === pong) {
        connection.isPinged = false
        connection.answersPings = true
        return
      }
      const cut = framing.push(chunk)
      if (cut === null) return void socket.destroy()
      if (cut.pings > 0) socket.write(pong)
      for (const message of cut.messages)
        contain(() => this.#options.listener.received(message, { ...source, connection: id }))
    })
    socket.once('close', () => {
      connection.cancelWait()
      this.#connections.delete(id)
      if (this.#opened.get(keyOf(source)) === id) this.#opened.delete(keyOf(source))
      if (!this.#isClosed) this.#options.listener.disconnected({ ...source, connection: id })
    })
    return { id, connection }
  }
}

function keyOf({ address, port }: NetworkAddress): string {
  return `${address}:${port}`
}

/** Returns null if the connection is already closed. */
function sourceOf({ remoteAddress, remotePort }: Socket): NetworkAddress | null {
  if (remoteAddress === undefined || remotePort === undefined) return null
  return { address: plainAddress(remoteAddress), port: remotePort }
}

function plainAddress(address: string): string {
  return address.replace(/^::ffff:/, '')
}
