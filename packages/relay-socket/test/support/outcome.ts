import { createHash } from 'node:crypto'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { WebSocketServer } from 'ws'
import { makeFrameSocket, type RelayIo, RelayWebSocket } from '#relay-socket/index.js'
import { opcodes, readFrames } from './raw-frame.js'
import { type Wire, type WireName, wires } from './wires.js'

/** The role of the other end: a client, whose frames are masked, or a server. */
export type Peer = 'client' | 'server'

const handshakeKey = 'dGhlIHNhbXBsZSBub25jZQ=='
const guid = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

async function openAsServer({ connection }: Wire, maxPayload: number): Promise<RelayWebSocket> {
  const server = new WebSocketServer({
    noServer: true,
    autoPong: false,
    perMessageDeflate: false,
    maxPayload,
    WebSocket: RelayWebSocket,
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

async function openAsClient(wire: Wire, maxPayload: number): Promise<RelayWebSocket> {
  const socket = new RelayWebSocket('ws://memory.test/', [], {
    createConnection: () => wire.connection,
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
    await new Promise((resolve) => void setImmediate(resolve))
    request = wire.written.toString('latin1')
  }
  const key = /sec-websocket-key: (\S+)/i.exec(request)?.[1] ?? ''
  const accept = createHash('sha1')
    .update(key + guid)
    .digest('base64')
  await wire.deliver(
    Buffer.from(
      `HTTP/1.1 101 Yes\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
    ),
  )
  await opened
  return socket
}

/** The events of a socket, in order. */
export interface Outcome {
  readonly events: readonly string[]
  /** The frames that the socket sends on its own: pongs and the close frame. */
  readonly sent: readonly string[]
}

export interface OutcomeOptions {
  readonly peer: Peer
  readonly io: RelayIo
  readonly maxMessageBytes: number
  /** The fast path works on TCP sockets only. */
  readonly wire?: WireName
}

/** Delivers the chunks to a socket and then ends the connection. Returns the socket's events and frames. */
export async function outcomeOf(options: OutcomeOptions, chunks: readonly Buffer[]): Promise<Outcome> {
  const { peer, io, maxMessageBytes } = options
  const isFast = io === 'fast'
  const wire = await wires[options.wire ?? (isFast ? 'tcp' : 'memory')]()
  const { connection } = wire
  const open = peer === 'client' ? openAsServer : openAsClient
  const socket = await open(wire, maxMessageBytes)
  const endOfHandshake = '\r\n\r\n'
  const path = { connection, peer, maxMessageBytes, usesZeroMask: true }
  const frames = makeFrameSocket(socket, { fast: isFast ? path : null })
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
  if (connection.listeners('data').includes(library ?? open) === isFast)
    throw new Error(`The connection is not read by ${io}.`)
  for (const chunk of chunks) await wire.deliver(chunk)
  // Everything happens within event-loop passes. After four passes without a new event, the socket is done.
  for (let seen = -1, quiet = 0; quiet < 4; quiet += 1) {
    await new Promise((resolve) => void setImmediate(resolve))
    const now = events.length + wire.written.length
    if (now !== seen) quiet = 0
    seen = now
  }
  wire.end()
  await Promise.all([closed, wire.closed])
  const sent = wire.written.subarray(wire.written.indexOf(endOfHandshake) + endOfHandshake.length)
  return { events, sent: readFrames(sent).map(describeSent) }
}

function describeSent({ opcode, payload }: { readonly opcode: number; readonly payload: Buffer }): string {
  if (opcode === opcodes.close) return `close ${payload.length < 2 ? 1005 : payload.readUInt16BE()}`
  return `${opcode === opcodes.pong ? 'pong' : opcode} ${payload.toString('latin1')}`
}
