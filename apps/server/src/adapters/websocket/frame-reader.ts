import { isUtf8 } from 'node:buffer'
import type { Duplex } from 'node:stream'
import type WebSocket from 'ws'
import type { RawData } from 'ws'
import type { DirectConnection } from './direct-connection.js'
import type { HandleFrame } from './frame-batches.js'
import {
  bytesBeforeKey,
  type FrameKind,
  isMasked,
  keyBytes,
  kindOf,
  lengthIn,
  payloadBytesOf,
  textFrame,
  twoByteLength,
} from './frame-header.js'
import { type FrameMemory, type FramePlace, framesFrom } from './frame-memory.js'

export interface FrameReaderOptions {
  /** The connection below a socket that has just opened: nothing of it was read yet. */
  readonly connection: Duplex
  /** The same connection past its streams, where that can be had. */
  readonly direct: DirectConnection | null
  /** Who sends: the frames of clients are masked, and their text is checked. */
  readonly peer: 'client' | 'server'
  readonly maxMessageBytes: number
}

type Listener = (chunk: Buffer) => void

const nothing = Buffer.alloc(0)

/**
 * Reads the frames of a socket in front of the library. A message in one frame of up to 64 KiB, which is nearly all there
 * is, is copied out of what was read and handed on, its header before it in memory. Pings, messages in pieces and longer frames
 * go to the library, as they came. What closes the connection, or is no lawful frame, goes there with all that follows: the
 * library says what becomes of it, as if we had never been there.
 */
export class FrameReader {
  readonly #connection: Duplex
  readonly #direct: DirectConnection | null
  readonly #library: Listener
  readonly #handle: HandleFrame
  readonly #isMasked: boolean
  readonly #memory: FrameMemory
  readonly #maxMessageBytes: number
  /** The beginning of a header whose end has not come yet. */
  #header = nothing
  /** A frame whose end has not come yet, at its full length, and how much of it is there. */
  #partial: Buffer | null = null
  #partialBytes = 0
  /** What is left of a frame that goes to the library, and whether a message ends with it. */
  #owedBytes = 0
  #isOwedLast = false
  /** The library has the first pieces of a message. */
  #isInMessage = false
  /** The library has handed on the message that was given to it last. */
  #isHandedOn = true
  #isStopped = false

  /** Takes the library's place at the connection; null where it does not read there in the way we know. */
  static start(socket: WebSocket, options: FrameReaderOptions, handle: HandleFrame): FrameReader | null {
    // Whoever listens there takes a chunk; the types of events do not say so.
    const [library, ...others] = options.connection.listeners('data') as Listener[]
    if (library === undefined || others.length > 0) return null
    return new FrameReader(socket, library, { ...options, handle })
  }

  private constructor(
    socket: WebSocket,
    library: Listener,
    {
      connection,
      direct,
      peer,
      maxMessageBytes,
      handle,
    }: FrameReaderOptions & { readonly handle: HandleFrame },
  ) {
    this.#connection = connection
    this.#direct = direct
    this.#library = library
    this.#handle = handle
    this.#isMasked = peer === 'client'
    this.#memory = framesFrom(peer)
    this.#maxMessageBytes = maxMessageBytes
    connection.removeAllListeners('data')
    connection.on('data', this.#readChunk)
    direct?.startReading(this.#read)
    // Before the library's own, which reads what is left of a connection that was paused.
    connection.prependListener('close', this.#readLeft)
    // With this binary type a message is one buffer, whatever the library's types allow for.
    socket.on('message', (data: RawData, isBinary: boolean) => {
      this.#isHandedOn = true
      handle(data as Buffer, isBinary)
    })
    // The library lets what still comes run into nothing, and so do we.
    socket.on('error', () => this.#stop())
  }

  readonly #readChunk = (chunk: Buffer): void => this.#read(chunk, chunk.length)

  /** Reads what came last: the first bytes of this memory, up to `size`. A view of them would cost more than to read them. */
  readonly #read = (memory: Buffer, size: number): void => {
    if (this.#header.length > 0) return this.#readBehindHeader(memory, size)
    let at =
      this.#partial === null ? this.#passOwed(memory, 0, size) : this.#fill(this.#partial, memory, size)
    while (at < size) at = this.#readFrame(memory, at, size)
  }

  #readBehindHeader(memory: Buffer, size: number): void {
    const bytes = Buffer.concat([this.#header, memory.subarray(0, size)])
    this.#header = nothing
    this.#readChunk(bytes)
  }

  readonly #readLeft = (): void => {
    if (this.#isStopped || this.#connection.readableLength === 0) return
    this.#readChunk(this.#connection.read())
  }

  /** Reads the frame at `at`, as far as it is there, and returns where the next one begins. */
  #readFrame(bytes: Buffer, at: number, size: number): number {
    if (this.#isStopped) return this.#pass(bytes, at, size)
    const there = size - at
    if (there < 2) return this.#keepHeader(bytes, at, size)
    const second = bytes[at + 1] as number
    const kind = kindOf(bytes[at] as number, second, this.#isInMessage)
    if (kind === 'other' || isMasked(second) !== this.#isMasked) return this.#giveUp(bytes, at, size)
    const beforeKey = bytesBeforeKey(second)
    if (there < beforeKey) return this.#keepHeader(bytes, at, size)
    const payloadBytes = payloadBytesOf(bytes, at)
    if (payloadBytes > this.#maxMessageBytes) return this.#giveUp(bytes, at, size)
    const headerBytes = this.#isMasked ? beforeKey + keyBytes : beforeKey
    if (there < headerBytes) return this.#keepHeader(bytes, at, size)
    const place = { at, from: at + headerBytes, end: at + headerBytes + payloadBytes }
    if (kind !== 'message' || lengthIn(second) > twoByteLength)
      return this.#passFrame(kind, bytes, place, size)
    return place.end > size ? this.#keepPartial(bytes, place, size) : this.#handOn(bytes, place, size)
  }

  #handOn(bytes: Buffer, place: FramePlace, size: number): number {
    const isText = bytes[place.at] === textFrame
    const { payload, isPlain } = this.#memory.cut(bytes, place)
    // The provider's text is checked where it is parsed, if it is.
    if (isText && this.#isMasked && !isPlain && !isUtf8(payload)) return this.#giveUp(bytes, place.at, size)
    this.#handle(payload, !isText)
    return place.end
  }

  #keepHeader(bytes: Buffer, at: number, size: number): number {
    // A copy: a view would keep everything that was read with it.
    this.#header = Buffer.from(bytes.subarray(at, size))
    return size
  }

  #keepPartial(bytes: Buffer, { at, end }: FramePlace, size: number): number {
    this.#partial = Buffer.allocUnsafeSlow(end - at)
    this.#partialBytes = bytes.copy(this.#partial, 0, at, size)
    return size
  }

  /** Adds what has come to the frame that it belongs to. */
  #fill(partial: Buffer, bytes: Buffer, size: number): number {
    const added = bytes.copy(partial, this.#partialBytes, 0, size)
    this.#partialBytes += added
    if (this.#partialBytes === partial.length) {
      this.#partial = null
      this.#readFrame(partial, 0, partial.length)
    }
    return added
  }

  #passFrame(kind: FrameKind, bytes: Buffer, { at, end }: FramePlace, size: number): number {
    const isControl = kind === 'control'
    // Whoever floods us is cut off, and what is left of the flood is not worth reading.
    if (isControl && this.#connection.destroyed) return size
    if (!isControl) {
      this.#isInMessage = kind === 'first' || kind === 'middle'
      this.#isHandedOn = false
    }
    this.#owedBytes = end - at
    this.#isOwedLast = !isControl && !this.#isInMessage
    return this.#passOwed(bytes, at, size)
  }

  #passOwed(bytes: Buffer, at: number, size: number): number {
    if (this.#owedBytes === 0) return at
    const to = Math.min(at + this.#owedBytes, size)
    this.#owedBytes -= to - at
    this.#pass(bytes, at, to)
    const isRefused = this.#owedBytes === 0 && this.#isOwedLast && !this.#isHandedOn
    return isRefused ? this.#giveUp(bytes, to, size) : to
  }

  #pass(bytes: Buffer, from: number, to: number): number {
    // A copy: the library may keep it, and others read into the same memory.
    Reflect.apply(this.#library, this.#connection, [Buffer.from(bytes.subarray(from, to))])
    return to
  }

  /** From here on the connection is the library's. */
  #giveUp(bytes: Buffer, at: number, size: number): number {
    this.#stop()
    this.#connection.on('data', this.#library)
    return at < size ? this.#pass(bytes, at, size) : at
  }

  #stop(): void {
    this.#isStopped = true
    this.#direct?.stopReading()
    this.#connection.removeListener('data', this.#readChunk)
  }
}
