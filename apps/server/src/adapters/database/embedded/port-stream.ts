import { Duplex } from 'node:stream'
import type { MessagePort } from 'node:worker_threads'
import { makeMessage } from './wire-messages.js'

const terminate = makeMessage('X')

/** A message port with the manners of a socket, as far as `pg` needs them. */
export class PortStream extends Duplex {
  readonly #open: () => MessagePort
  #port: MessagePort | undefined

  constructor(open: () => MessagePort) {
    super({ allowHalfOpen: false })
    this.#open = open
  }

  connect(): this {
    try {
      const port = this.#open()
      port.on('message', (bytes: Uint8Array) =>
        this.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)),
      )
      port.on('close', () => this.push(null))
      this.#port = port
      process.nextTick(() => this.emit('connect'))
    } catch (error) {
      this.destroy(error instanceof Error ? error : new Error(String(error)))
    }
    return this
  }

  setNoDelay(): this {
    return this
  }

  setKeepAlive(): this {
    return this
  }

  ref(): this {
    this.#port?.ref()
    return this
  }

  unref(): this {
    this.#port?.unref()
    return this
  }

  /** Nothing to do: what arrives is pushed as it comes, and `pg` always reads. */
  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#post([chunk])
    done()
  }

  override _writev(chunks: { readonly chunk: Buffer }[], done: () => void): void {
    this.#post(chunks.map(({ chunk }) => chunk))
    done()
  }

  override _final(done: () => void): void {
    this.#post([terminate])
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#port?.close()
    done(error)
  }

  /** The copy can be given away; the original cannot, for `pg` keeps and shares its buffers. */
  #post(chunks: readonly Buffer[]): void {
    const copy = new Uint8Array(chunks.reduce((total, chunk) => total + chunk.length, 0))
    let offset = 0
    for (const chunk of chunks) {
      copy.set(chunk, offset)
      offset += chunk.length
    }
    this.#port?.postMessage(copy, [copy.buffer])
  }
}
