import { Duplex } from 'node:stream'
import type { MessagePort } from 'node:worker_threads'
import { joinBytes } from './output.js'

/** A message port with the interface of a socket, as far as `pg` uses it. */
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

  /** Nothing to do: messages are pushed as they arrive, and `pg` always reads. */
  override _read(): void {}

  /** Transfers a copy, because `pg` keeps and shares its buffers. */
  override _writev(chunks: { readonly chunk: Buffer }[], done: () => void): void {
    const copy = joinBytes(chunks.map(({ chunk }) => chunk))
    this.#port?.postMessage(copy, [copy.buffer])
    done()
  }

  override _final(done: () => void): void {
    this.#port?.close()
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#port?.close()
    done(error)
  }
}
