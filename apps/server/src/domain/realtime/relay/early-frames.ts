import type { ReadGate } from './read-gate.js'

const maxBytes = 1024 * 1024
/** What keeping a frame takes besides its bytes, about: empty ones are not free. */
const frameBytes = 128
/** All of them are forwarded in one go, each of which takes up to a tenth of a millisecond. */
const maxFrames = 256

/** Frames that came before there was anywhere to send them; past a bound the client is not read any further. */
export class EarlyFrames {
  readonly #client: ReadGate
  #frames: { readonly data: Buffer; readonly isBinary: boolean }[] = []
  #bytes = 0

  constructor(client: ReadGate) {
    this.#client = client
  }

  keep(data: Buffer, isBinary: boolean): void {
    this.#frames.push({ data, isBinary })
    this.#bytes += data.length + frameBytes
    if (this.#bytes > maxBytes || this.#frames.length >= maxFrames) this.#client.pause(this)
  }

  /** Forwards every frame, in order, and resumes the client, unless somebody else has paused it meanwhile. */
  release(forward: (data: Buffer, isBinary: boolean) => void): void {
    const frames = this.#frames
    this.clear()
    for (const { data, isBinary } of frames) forward(data, isBinary)
    this.#client.resume(this)
  }

  clear(): void {
    this.#frames = []
    this.#bytes = 0
  }
}
