import { ProtocolViolation } from './wire-messages.js'

/** What PostgreSQL itself allows. */
const maxMessageBytes = 2 ** 30 - 1
const lengthBytes = 4

/**
 * Cuts a stream of chunks into messages. Chunks are joined only when a whole message is there, so a large message
 * in many chunks is copied once and not once per chunk.
 */
export class MessageSplitter {
  #chunks: Buffer[] = []
  #bytes = 0
  #neededBytes = 0

  append(chunk: Uint8Array): void {
    this.#chunks.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))
    this.#bytes += chunk.byteLength
  }

  /** The next whole message; `typeBytes` is 0 for those at the start of a connection, which have no type. */
  take(typeBytes: 0 | 1): Buffer | null {
    const headerBytes = typeBytes + lengthBytes
    if (this.#bytes < Math.max(headerBytes, this.#neededBytes)) return null
    const joined = this.#join()
    const length = joined.readInt32BE(typeBytes)
    if (length < lengthBytes || length > maxMessageBytes)
      throw new ProtocolViolation(`A message cannot be ${length} bytes long.`)
    const messageBytes = typeBytes + length
    if (joined.length < messageBytes) {
      this.#neededBytes = messageBytes
      return null
    }
    this.#neededBytes = 0
    this.#bytes -= messageBytes
    this.#chunks = [joined.subarray(messageBytes)]
    return joined.subarray(0, messageBytes)
  }

  #join(): Buffer {
    const [first, ...others] = this.#chunks
    if (first && others.length === 0) return first
    const joined = Buffer.concat(this.#chunks, this.#bytes)
    this.#chunks = [joined]
    return joined
  }
}
