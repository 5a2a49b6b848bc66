import { Buffer } from 'node:buffer'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** The TCP handle below a socket of Node. Node does not document it, so it is used only on versions of `provenVersions`. */
interface TcpHandle {
  /** Called after a read, at the end, and after an error. */
  onread: () => void
  /** All bytes ever read. The difference to the last value is the size of the last read. */
  readonly bytesRead: number
  /** Makes every read begin at the start of this memory. Cannot be undone. */
  useUserBuffer(memory: Uint8Array): void
  readStop(): number
  /** Whether the stream has started reading from the handle. */
  reading: boolean
  /** Returns 0, or an error number. From Node 26 on it takes no request, and returns one if bytes wait. */
  writeBuffer(request: WriteRequest | null, bytes: Uint8Array): number | WriteRequest
  /** Bytes that the kernel has not accepted yet. */
  readonly writeQueueSize: number
}

/** One write. It completes asynchronously only if the kernel does not accept all bytes immediately. The bytes must not change until then. */
interface WriteRequest {
  oncomplete?: (status: number) => void
  /** Set if the write is already complete when it is returned. */
  readonly writeStatus?: number | null
  bytes?: Uint8Array
}

/** Receives a read: the first `size` bytes of `memory`. */
type OnRead = (memory: Buffer, size: number) => void

/** The major versions of Node that the contract suite was run on. */
export const provenVersions = ['20', '22', '24', '26']
const [majorVersion = ''] = process.versions.node.split('.')

/** All connections read into the same memory, sequentially, so that it stays in the processor's cache. */
const readMemory = Buffer.allocUnsafeSlow(64 * 1024)

const WriteRequest = provenVersions.includes(majorVersion) ? findWriteRequest() : undefined
let spareRequest = WriteRequest ? new WriteRequest() : null

/**
 * Reads and writes a TCP connection directly on its handle, because the overhead of Node's streams exceeds all other per-frame
 * work. The streams still handle data that arrives while they are paused or have buffered data, and data that is sent while
 * other data is queued. So the order never changes.
 */
export class DirectConnection {
  readonly #connection: Socket
  readonly #handle: TcpHandle
  readonly #streamRead: () => void
  #read: OnRead | null = null
  #bytesRead = 0
  #waitingBytes = 0

  /** Returns null if the connection is not a TCP socket of a proven version of Node. */
  static of(connection: Duplex): DirectConnection | null {
    if (WriteRequest === undefined || !(connection instanceof Socket)) return null
    const handle = (connection as unknown as { readonly _handle: unknown })._handle
    return isTcpHandle(handle) ? new DirectConnection(connection, handle) : null
  }

  private constructor(connection: Socket, handle: TcpHandle) {
    this.#connection = connection
    this.#handle = handle
    this.#streamRead = handle.onread
  }

  /** Bytes written here that are still queued. The stream counts its own bytes. */
  get waitingBytes(): number {
    return this.#waitingBytes
  }

  /** Whether no data is queued, so that a write keeps the order. */
  get isIdle(): boolean {
    return this.#waitingBytes === 0 && this.#connection.writableLength === 0
  }

  /** Passes each read to `read`. The memory is valid only during the call. Reads of the streams arrive as `data`. */
  startReading(read: OnRead): void {
    this.#read = read
    this.#bytesRead = this.#handle.bytesRead
    this.#handle.useUserBuffer(readMemory)
    this.#handle.onread = this.#onRead
  }

  /** Leaves all further reads to the streams. */
  stopReading(): void {
    this.#read = null
  }

  /** Writes immediately. Returns false if the stream has to write. Queued bytes must not change. */
  write(bytes: Buffer): boolean {
    if (!this.isIdle) return false
    const result = this.#handle.writeBuffer(spareRequest, bytes)
    // The stream gets the same error and reports it.
    if (typeof result === 'number' && result !== 0) return false
    if (this.#handle.writeQueueSize === 0 && typeof result === 'number') return true
    const request = typeof result === 'number' ? spareRequest : result
    if (request !== null) this.#waitFor(request, bytes)
    if (request === spareRequest && WriteRequest) spareRequest = new WriteRequest()
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
    else if (!connection.push(Buffer.from(readMemory.subarray(0, count)))) {
      // The stream is full. It starts the handle again when it has room.
      this.#handle.reading = false
      if (!connection.destroyed) this.#handle.readStop()
    }
  }

  /** The kernel has not accepted all bytes. */
  #waitFor(request: WriteRequest, bytes: Buffer): void {
    const complete = (status: number) => {
      this.#waitingBytes = 0
      if (status < 0) this.#connection.destroy()
    }
    this.#waitingBytes = bytes.length
    request.bytes = bytes
    request.oncomplete = complete
    if (typeof request.writeStatus === 'number') complete(request.writeStatus)
  }
}

const members = ['onread', 'bytesRead', 'useUserBuffer', 'readStop', 'writeBuffer', 'writeQueueSize']

function isTcpHandle(value: unknown): value is TcpHandle {
  if (typeof value !== 'object' || value === null) return false
  return value.constructor.name === 'TCP' && members.every((name) => name in value)
}

/** Returns the class of write requests; null if the handle makes them, as from Node 26 on; undefined if it is missing. */
function findWriteRequest(): (new () => WriteRequest) | null | undefined {
  if (Number(majorVersion) >= 26) return null
  const { binding } = process as unknown as { binding(name: string): { WriteWrap?: new () => WriteRequest } }
  try {
    return binding('stream_wrap').WriteWrap
  } catch {
    return undefined
  }
}
