import { createHash } from 'node:crypto'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { WebSocketServer } from 'ws'
import { LimitedWebSocket, makeFrameSocket } from '#server/adapters/websocket/frame-socket.js'
import { opcodes, readFrames } from './raw-frame.js'

/** Who is at the other end: a client, whose frames are masked, or a server. */
export type Peer = 'client' | 'server'

/** A connection without a network, so that a test can say in which pieces bytes come. */
class MemoryConnection extends Socket {
  #written: Buffer[] = []

  override _read(): void {}

  override _write(chunk: Buffer | string, encoding: BufferEncoding, callback: () => void): void {
    this.#written.push(typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk)
    callback()
  }

  override _writev(
    chunks: { readonly chunk: Buffer | string; readonly encoding: BufferEncoding }[],
    callback: () => void,
  ): void {
    for (const { chunk, encoding } of chunks) this._write(chunk, encoding, () => undefined)
    callback()
  }

  override _final(callback: () => void): void {
    this.push(null)
    callback()
  }

  get writtenCount(): number {
    return this.#written.length
  }

  /** What was written since it was last asked for. */
  takeWritten(): Buffer {
    const all = Buffer.concat(this.#written)
    this.#written = []
    return all
  }
}

const handshakeKey = 'dGhlIHNhbXBsZSBub25jZQ=='
const guid = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

async function openAsServer(connection: MemoryConnection, maxPayload: number): Promise<LimitedWebSocket> {
  const server = new WebSocketServer({
    noServer: true,
    autoPong: false,
    perMessageDeflate: false,
    maxPayload,
    WebSocket: LimitedWebSocket,
  })
  const request = new IncomingMessage(new Socket())
  request.method = 'GET'
  request.headers = {
    upgrade: 'websocket',
    'sec-websocket-key': handshakeKey,
    'sec-websocket-version': '13',
  }
  return new Promise((resolve) => server.handleUpgrade(request, connection, Buffer.alloc(0), resolve))
}

async function openAsClient(connection: MemoryConnection, maxPayload: number): Promise<LimitedWebSocket> {
  const socket = new LimitedWebSocket('ws://memory.test/', [], {
    createConnection: () => connection,
    autoPong: false,
    perMessageDeflate: false,
    skipUTF8Validation: true,
    generateMask: (mask) => mask.fill(0),
    maxPayload,
  })
  socket.once('error', () => undefined)
  const opened = new Promise((resolve) => socket.once('open', resolve))
  let request = ''
  while (!request.includes('\r\n\r\n')) {
    request += connection.takeWritten().toString('latin1')
    await new Promise((resolve) => void setImmediate(resolve))
  }
  const key = /sec-websocket-key: (\S+)/i.exec(request)?.[1] ?? ''
  const accept = createHash('sha1')
    .update(key + guid)
    .digest('base64')
  connection.push(
    `HTTP/1.1 101 Yes\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
  )
  await opened
  return socket
}

/** What a socket made of the bytes that came, in order. */
export interface Outcome {
  readonly events: readonly string[]
  /** What it sent by itself: pongs, and the close. */
  readonly sent: readonly string[]
}

export interface OutcomeOptions {
  readonly peer: Peer
  /** Whether frames are read in front of the library, or by the library alone. */
  readonly isDirect: boolean
  readonly maxMessageBytes: number
}

/** Gives a socket these bytes in these pieces, then the end of the connection. */
export async function outcomeOf(options: OutcomeOptions, chunks: readonly Buffer[]): Promise<Outcome> {
  const { peer, isDirect, maxMessageBytes } = options
  const connection = new MemoryConnection()
  const open = peer === 'client' ? openAsServer : openAsClient
  const socket = await open(connection, maxMessageBytes)
  connection.takeWritten()
  const below = { connection, peer, maxMessageBytes, isSentPlain: true }
  const frames = makeFrameSocket(socket, isDirect ? { below } : {})
  const [library] = connection.listeners('data')
  const events: string[] = []
  const closed = new Promise<void>((resolve) => {
    frames.listen({
      frame: (data, isBinary) => events.push(`${isBinary ? 'binary' : 'text'} ${data.toString('latin1')}`),
      pong: () => events.push('pong'),
      tooBig: () => events.push('too big'),
      closed(code, reason) {
        events.push(`closed ${code} ${reason}`)
        resolve()
      },
    })
  })
  if (connection.listeners('data').includes(library ?? open) === isDirect)
    throw new Error('It is not read by whom it should be.')
  // A copy each, since masks are taken off in place.
  for (const chunk of chunks) connection.push(Buffer.from(chunk))
  // Nothing here waits for anything but passes of the event loop: a socket to which none brings news is through.
  for (let seen = -1, quiet = 0; quiet < 4; quiet += 1) {
    await new Promise((resolve) => void setImmediate(resolve))
    const now = events.length + connection.writtenCount
    if (now !== seen) quiet = 0
    seen = now
  }
  connection.push(null)
  await closed
  return { events, sent: readFrames(connection.takeWritten()).map(describeSent) }
}

function describeSent({ opcode, payload }: { readonly opcode: number; readonly payload: Buffer }): string {
  if (opcode === opcodes.close) return `close ${payload.length < 2 ? 1005 : payload.readUInt16BE()}`
  return `${opcode === opcodes.pong ? 'pong' : opcode} ${payload.toString('latin1')}`
}
