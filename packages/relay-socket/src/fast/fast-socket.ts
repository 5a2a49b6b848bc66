import { WebSocket } from 'ws'
import type { HandleFrame } from '../frame-batches.js'
import { PlainSocket, type PlainSocketOptions } from '../plain-socket.js'
import type { RelayWebSocket } from '../relay-web-socket.js'
import { DirectConnection } from './direct-connection.js'
import { keyBytes, maskBit, maxHeaderBytes, maxPayloadBytes, opcodes, twoByteLength } from './frame-format.js'
import { type FastPath, FrameReader, type Listener, type OpenedPath } from './frame-reader.js'

const newWriteMemory = () => Buffer.allocUnsafeSlow(maxHeaderBytes + maxPayloadBytes)

/** Buffer of each outgoing frame, header and payload together. The kernel usually copies it immediately. */
let writeMemory = newWriteMemory()

/** A socket that bypasses Node's streams. `ws` handles uncommon frames, and writes while data is still buffered. */
export class FastSocket extends PlainSocket {
  readonly #path: OpenedPath

  /** Returns null if the connection cannot be used directly, as with TLS. */
  static of(socket: RelayWebSocket, path: FastPath, options: PlainSocketOptions = {}): FastSocket | null {
    const direct = DirectConnection.of(path.connection)
    const [library, ...others] = path.connection.listeners('data') as Listener[]
    if (direct === null || library === undefined || others.length > 0) return null
    return new FastSocket(socket, { ...path, direct, library }, options)
  }

  private constructor(socket: RelayWebSocket, path: OpenedPath, options: PlainSocketOptions) {
    super(socket, options)
    this.#path = path
  }

  override get bufferedBytes(): number {
    return super.bufferedBytes + this.#path.direct.waitingBytes
  }

  override send(data: Buffer | string, isBinary: boolean, onFlushed?: () => void): void {
    const isSent = typeof data !== 'string' && onFlushed === undefined && this.#write(data, isBinary)
    if (!isSent) super.send(data, isBinary, onFlushed)
  }

  protected override readFrames(handle: HandleFrame): void {
    super.readFrames(handle)
    new FrameReader(this.socket, this.#path, handle)
  }

  /** Returns false if the library has to send the frame. */
  #write(payload: Buffer, isBinary: boolean): boolean {
    const { direct, peer, usesZeroMask } = this.#path
    const isMasked = peer === 'server'
    if (payload.length > maxPayloadBytes || (isMasked && !usesZeroMask) || !direct.isIdle) return false
    if (this.socket.readyState !== WebSocket.OPEN) return false
    const from = writeHeader(payload.length, isBinary, isMasked)
    payload.copy(writeMemory, from)
    const isWritten = direct.write(writeMemory.subarray(0, from + payload.length))
    // The kernel takes the rest from this memory later.
    if (direct.waitingBytes > 0) writeMemory = newWriteMemory()
    return isWritten
  }
}

/** Writes a header to the write memory, with a key of zeros if masked. Returns its length. */
function writeHeader(length: number, isBinary: boolean, isMasked: boolean): number {
  const isShort = length < twoByteLength
  writeMemory[0] = isBinary ? opcodes.binary : opcodes.text
  writeMemory[1] = (isShort ? length : twoByteLength) | (isMasked ? maskBit : 0)
  if (!isShort) {
    writeMemory[2] = length >> 8
    writeMemory[3] = length & 0xff
  }
  const keyAt = isShort ? 2 : 4
  const headerBytes = isMasked ? keyAt + keyBytes : keyAt
  for (let at = keyAt; at < headerBytes; at += 1) writeMemory[at] = 0
  return headerBytes
}
