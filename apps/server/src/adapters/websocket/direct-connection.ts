import { Buffer } from 'node:buffer'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { readMemory } from './unmask.js'

/**
 * What Node's streams read and write with, below a TCP socket. Node does not document it, so it is used only on versions that
 * its tests were run on, and where it is as we know it; elsewhere the streams do all of the work, as they do with TLS.
 */
interface TcpHandle {
  /** Called when something was read, at the end, and after an error. */
  onread: () => void
  /** All bytes that were ever read: what came last is the difference. */
  readonly bytesRead: number
  /** Has all that comes written to this memory, from its beginning on; cannot be taken back. */
  useUserBuffer(memory: Uint8Array): void
  readStop(): number
  /** Whether it is being read, as the stream knows it. */
  reading: boolean
  /**
   * Returns 0, or the number of an error: then nothing was written. From Node 26 on it is given no request, and returns one
   * where the kernel has not taken all of it.
   */
  writeBuffer(request: WriteRequest | null, bytes: Uint8Array): number | WriteRequest
  /** Bytes that the kernel has not taken yet. */
  readonly writeQueueSize: number
}

/** One write. Where the kernel takes all of it at once, as it mostly does, nobody comes back to it. */
interface WriteRequest {
  oncomplete?: (status: number) => void
  /** Where it is complete before it is returned. */
  readonly writeStatus?: number | null
  /** From the garbage collector, until it is written. */
  kept?: Uint8Array
}

/** What came last: the first bytes of this memory, up to `size`. */
type ReadMemory = (memory: Buffer, size: number) => void

const provenVersions = ['20', '22', '24', '26']
const isProven = provenVersions.includes(process.versions.node.split('.')[0] ?? '')

/** What a write is given. Made by a class that Node does not export, so the first write of a stream has to show it to us. */
let spareRequest: WriteRequest | null | undefined

/**
 * A TCP connection that is read and written past its two streams, which cost more than all we do with a frame
 * (docs/experiments.md). They stay in charge of everything else. What comes while they are paused, or still hold something, is
 * theirs, and what is sent while something waits to leave is theirs as well: so all keeps its order.
 */
export class DirectConnection {
  readonly #connection: Socket
  readonly #handle: TcpHandle
  readonly #streamRead: () => void
  #read: ReadMemory | null = null
  #bytesRead = 0
  #waitingBytes = 0

  /** Null where it is not a TCP socket of Node as we know it. */
  static of(connection: Duplex): DirectConnection | null {
    if (!isProven || !(connection instanceof Socket)) return null
    const handle = (connection as unknown as { readonly _handle: unknown })._handle
    return isTcpHandle(handle) ? new DirectConnection(connection, handle) : null
  }

  private constructor(connection: Socket, handle: TcpHandle) {
    this.#connection = connection
    this.#handle = handle
    this.#streamRead = handle.onread
  }

  /** Bytes that were written here and have not left yet, beside those in the stream. */
  get waitingBytes(): number {
    return this.#waitingBytes
  }

  /** Hands over what comes, for the time of the call: the next to read writes over it. The streams' share comes as `data`. */
  startReading(read: ReadMemory): void {
    this.#read = read
    this.#bytesRead = this.#handle.bytesRead
    this.#handle.useUserBuffer(readMemory)
    this.#handle.onread = this.#onRead
  }

  /** From now on all that comes is the streams'. */
  stopReading(): void {
    this.#read = null
  }

  /** Writes at once, or returns false: then it is for the stream to write. */
  write(bytes: Buffer): boolean {
    if (this.#waitingBytes > 0 || this.#connection.writableLength > 0) return false
    const handle = this.#handle
    if (spareRequest === undefined) return learnRequest(handle)
    const result = handle.writeBuffer(spareRequest, bytes)
    if (typeof result !== 'number') this.#waitFor(result, bytes)
    // The stream meets the same error, and tells of it.
    else if (result !== 0) return false
    else if (spareRequest !== null && handle.writeQueueSize > 0) {
      this.#waitFor(spareRequest, bytes)
      spareRequest = newLike(spareRequest)
    }
    return true
  }

  readonly #onRead = (): void => {
    const { bytesRead } = this.#handle
    const count = bytesRead - this.#bytesRead
    this.#bytesRead = bytesRead
    // The end, or an error.
    if (count === 0) return void this.#streamRead.call(this.#handle)
    const connection = this.#connection
    if (this.#read !== null && connection.readableFlowing && connection.readableLength === 0)
      this.#read(readMemory, count)
    else if (!connection.push(Buffer.from(readMemory.subarray(0, count)))) this.#stopHandle()
  }

  /** The stream is full, and reads again by itself when it is not. */
  #stopHandle(): void {
    this.#handle.reading = false
    if (!this.#connection.destroyed) this.#handle.readStop()
  }

  /** The kernel has not taken all of it. */
  #waitFor(request: WriteRequest, bytes: Buffer): void {
    const complete = (status: number) => {
      this.#waitingBytes = 0
      if (status < 0) this.#connection.destroy()
    }
    this.#waitingBytes = bytes.length
    request.kept = bytes
    request.oncomplete = complete
    if (typeof request.writeStatus === 'number') complete(request.writeStatus)
  }
}

function isTcpHandle(value: unknown): value is TcpHandle {
  if (typeof value !== 'object' || value === null || value.constructor.name !== 'TCP') return false
  const { onread, bytesRead, useUserBuffer, readStop, writeBuffer, writeQueueSize } =
    value as Partial<TcpHandle>
  return (
    [onread, useUserBuffer, readStop, writeBuffer].every((method) => typeof method === 'function') &&
    [bytesRead, writeQueueSize].every((count) => typeof count === 'number')
  )
}

/** Looks at the next write of the stream, once, and leaves it as it is. */
function learnRequest(handle: TcpHandle): false {
  const { writeBuffer } = handle
  handle.writeBuffer = function (request, bytes) {
    Reflect.deleteProperty(handle, 'writeBuffer')
    spareRequest = request && newLike(request)
    return writeBuffer.call(this, request, bytes)
  }
  return false
}

const newLike = (request: WriteRequest) => new (request.constructor as new () => WriteRequest)()
