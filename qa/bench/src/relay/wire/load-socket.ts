import type { Duplex } from 'node:stream'
import { DirectConnection } from '@parley/relay-socket/direct-connection'
import { type StampedFrame, sentAt, stampFromEnd } from '@parley/stage/load/frames'
import { type Header, makeFrame, mask, opcodes, readHeader } from './frame.js'
import { FramePool } from './frame-pool.js'
import { type OpenConnection, openConnection } from './handshake.js'

export interface Listener {
  /** Called for each message of the load with the time at which it was sent. */
  onLoad(sentAt: number): void
  /** Called for each other message. */
  onOther(message: Buffer): void
}

/** All sockets of a process send the same frames. */
let pool: FramePool | null = null

/**
 * A minimal WebSocket for the load. With a library the load takes three times as much processor time, and
 * its core would be saturated before that of the service (qa/bench/README.md). Of the load's
 * messages it reads only the time.
 */
export class LoadSocket {
  readonly #connection: Duplex
  readonly #isClient: boolean
  readonly #listener: Listener
  /** The received part of an incomplete frame. */
  #rest: Buffer | null = null

  constructor({ connection, head }: OpenConnection, isClient: boolean, listener: Listener) {
    this.#connection = connection
    this.#isClient = isClient
    this.#listener = listener
    connection.on('error', () => undefined)
    if (head.length > 0) connection.unshift(head)
    connection.on('data', (bytes: Buffer) => this.#read(bytes))
    // Reads without the stream, because the stream allocates memory for every read. This costs the load more
    // than the rest of a message.
    DirectConnection.of(connection)?.startReading((memory, size) => this.#read(memory.subarray(0, size)))
  }

  static async open(url: string, certificate: string | undefined, listener: Listener): Promise<LoadSocket> {
    return new LoadSocket(await openConnection(url, certificate), true, listener)
  }

  /** Returns whether the socket is open and has fewer unsent bytes than this. */
  hasRoom(maxWaitingBytes: number): boolean {
    return this.#connection.writable && this.#connection.writableLength < maxWaitingBytes
  }

  /** Sends a message of the load with the current time. */
  sendFrame(frame: StampedFrame): void {
    if (pool?.of !== frame) pool = new FramePool(frame, this.#isClient)
    const from = pool
    const bytes = from.take()
    this.#connection.write(bytes, () => from.giveBack(bytes))
  }

  send(event: object): void {
    this.#sendNew(opcodes.text, Buffer.from(JSON.stringify(event)))
  }

  #sendNew(opcode: number, payload: Buffer): void {
    this.#connection.write(makeFrame(opcode, payload, this.#isClient).bytes)
  }

  #read(come: Buffer): void {
    const bytes = this.#rest === null ? come : Buffer.concat([this.#rest, come])
    let at = 0
    for (;;) {
      const header = readHeader(bytes, at)
      if (header === null || header.end > bytes.length) break
      this.#take(bytes, header)
      at = header.end
    }
    this.#rest = at < bytes.length ? Buffer.from(bytes.subarray(at)) : null
  }

  #take(bytes: Buffer, header: Header): void {
    if (header.opcode !== opcodes.text) return this.#takeControl(header.opcode, unmasked(bytes, header))
    const { isMasked, payloadAt, end } = header
    const stampAt = Math.max(payloadAt, end - stampFromEnd)
    if (isMasked) mask(bytes, payloadAt, stampAt, end)
    const left = sentAt(bytes, payloadAt, end)
    if (left !== null) return this.#listener.onLoad(left)
    if (isMasked) mask(bytes, payloadAt, payloadAt, stampAt)
    this.#listener.onOther(bytes.subarray(payloadAt, end))
  }

  #takeControl(opcode: number, payload: Buffer): void {
    if (opcode === opcodes.ping) this.#sendNew(opcodes.pong, payload)
    else if (opcode === opcodes.close)
      this.#connection.end(makeFrame(opcodes.close, payload, this.#isClient).bytes)
  }
}

function unmasked(bytes: Buffer, { isMasked, payloadAt, end }: Header): Buffer {
  if (isMasked) mask(bytes, payloadAt, payloadAt, end)
  return bytes.subarray(payloadAt, end)
}
