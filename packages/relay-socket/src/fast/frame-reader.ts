import { isUtf8 } from 'node:buffer'
import type { Duplex } from 'node:stream'
import bufferUtil from 'bufferutil'
import type { WebSocket } from 'ws'
import type { HandleFrame } from '../frame-batches.js'
import type { DirectConnection } from './direct-connection.js'
import { keyBytes, maskBit, opcodes, twoByteLength } from './frame-format.js'

/** The connection of a socket that has just opened. No data was read from it yet. */
export interface FastPath {
  readonly connection: Duplex
  /** The role of the other end. Frames of clients are masked. */
  readonly peer: 'client' | 'server'
  readonly maxMessageBytes: number
  /** Whether frames to a server have a mask key of zeros. With random keys the library sends them. */
  readonly usesZeroMask: boolean
}

/** The same connection with the listener that `ws` reads it with. */
export interface OpenedPath extends FastPath {
  readonly direct: DirectConnection
  readonly library: Listener
}

export type Listener = (chunk: Buffer) => void

const key = Buffer.alloc(keyBytes)

/**
 * Reads frames in front of the library. It handles messages in one frame of up to 64 KiB, and passes pings and pongs to
 * the library. Any other frame gives the connection to the library permanently: fragments, long messages, closes, and
 * invalid frames. The library therefore decides every rare case of the protocol.
 */
export class FrameReader {
  readonly #path: OpenedPath
  readonly #isMasked: boolean
  readonly #handle: HandleFrame
  /** The beginning of a frame, in memory for as much of the frame as is known; null between frames. */
  #partial: Buffer | null = null
  #partialBytes = 0
  #isStopped = false

  constructor(socket: WebSocket, path: OpenedPath, handle: HandleFrame) {
    const { connection, direct, library, peer } = path
    this.#path = path
    this.#isMasked = peer === 'client'
    this.#handle = handle
    connection.removeListener('data', library)
    connection.on('data', this.#readChunk)
    direct.startReading(this.#read)
    // Runs before the library's listener, which reads the rest of a connection that was paused.
    connection.prependListener('close', this.#readRest)
    // The library ignores everything that arrives after an error.
    socket.on('error', () => this.#stop())
  }

  readonly #readChunk = (chunk: Buffer): void => this.#read(chunk, chunk.length)

  /** Reads the first `size` bytes of `memory`, without a view of them, which would cost more than to read them. */
  readonly #read = (memory: Buffer, size: number): void => {
    let at = 0
    while (at < size) {
      const partial = this.#partial
      at = partial === null ? this.#readFrame(memory, at, size) : this.#fill(partial, memory, at, size)
    }
  }

  readonly #readRest = (): void => {
    const { connection } = this.#path
    if (!this.#isStopped && connection.readableLength > 0) this.#readChunk(connection.read())
  }

  /** Reads the frame at `at`, or keeps its beginning. Returns where the next one begins. */
  #readFrame(bytes: Buffer, at: number, size: number): number {
    if (this.#isStopped) return this.#pass(bytes, at, size)
    if (size - at < 2) return this.#keep(bytes, at, size, 2)
    const first = bytes[at] as number
    const second = bytes[at + 1] as number
    const isMessage = first === opcodes.text || first === opcodes.binary
    const short = second & ~maskBit
    const isKnown = isMessage
      ? short <= twoByteLength
      : (first === opcodes.ping || first === opcodes.pong) && short < twoByteLength
    if (!isKnown || second >= maskBit !== this.#isMasked) return this.#giveUp(bytes, at, size)
    const keyAt = at + (short < twoByteLength ? 2 : 4)
    const from = this.#isMasked ? keyAt + keyBytes : keyAt
    if (from > size) return this.#keep(bytes, at, size, from - at)
    const length =
      short < twoByteLength ? short : ((bytes[at + 2] as number) << 8) | (bytes[at + 3] as number)
    if (isMessage && length > this.#path.maxMessageBytes) return this.#giveUp(bytes, at, size)
    const end = from + length
    if (end > size) return this.#keep(bytes, at, size, end - at)
    // A peer that floods is cut off, and the rest of its flood is ignored.
    if (!isMessage) return this.#path.connection.destroyed ? size : this.#pass(bytes, at, end)
    const payload = this.#payload(bytes, from, end)
    if (first === opcodes.text && !isUtf8(payload)) return this.#giveUp(bytes, at, size)
    this.#handle(payload, first === opcodes.binary)
    return end
  }

  #payload(bytes: Buffer, from: number, end: number): Buffer {
    const payload = takeMemory(end - from)
    bytes.copy(payload, 0, from, end)
    if (this.#isMasked) {
      bytes.copy(key, 0, from - keyBytes, from)
      bufferUtil.unmask(payload, key)
    }
    return payload
  }

  /** Keeps the beginning of a frame that has at least `frameBytes`. */
  #keep(bytes: Buffer, at: number, size: number, frameBytes: number): number {
    this.#partial = Buffer.allocUnsafe(frameBytes)
    this.#partialBytes = bytes.copy(this.#partial, 0, at, size)
    return size
  }

  /** Adds the next bytes of the frame. Once its header is complete, it is kept again, with memory for all of it. */
  #fill(partial: Buffer, bytes: Buffer, at: number, size: number): number {
    const added = bytes.copy(partial, this.#partialBytes, at, size)
    this.#partialBytes += added
    if (this.#partialBytes === partial.length) {
      this.#partial = null
      this.#readFrame(partial, 0, partial.length)
    }
    return at + added
  }

  #pass(bytes: Buffer, from: number, to: number): number {
    // The bytes are copied, because the library may keep it, and all connections read into the same memory.
    Reflect.apply(this.#path.library, this.#path.connection, [Buffer.from(bytes.subarray(from, to))])
    return to
  }

  /** Gives the connection to the library, beginning with the frame at `at`. */
  #giveUp(bytes: Buffer, at: number, size: number): number {
    this.#stop()
    this.#path.connection.on('data', this.#path.library)
    return this.#pass(bytes, at, size)
  }

  #stop(): void {
    this.#isStopped = true
    this.#path.direct.stopReading()
    this.#path.connection.removeListener('data', this.#readChunk)
  }
}

/** A frame that is kept keeps its slab, so a slab holds only a few frames. Node's own pool serves smaller buffers. */
const slabSizes = { slab: 64 * 1024, min: Buffer.poolSize >>> 1, max: 16 * 1024 } as const
let slab = Buffer.allocUnsafeSlow(slabSizes.slab)
let usedBytes = 0

/** Returns memory for a payload. Allocating it for every frame of audio takes longer than copying the frame. */
function takeMemory(byteCount: number): Buffer {
  if (byteCount < slabSizes.min || byteCount > slabSizes.max) return Buffer.allocUnsafe(byteCount)
  if (usedBytes + byteCount > slab.length) {
    slab = Buffer.allocUnsafeSlow(slabSizes.slab)
    usedBytes = 0
  }
  usedBytes += byteCount
  return slab.subarray(usedBytes - byteCount, usedBytes)
}
