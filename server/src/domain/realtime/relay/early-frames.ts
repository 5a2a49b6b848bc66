import type { ReadGate } from './read-gate.js'

const maxHeldBytes = 1024 * 1024
/** What holding a frame takes besides its bytes, about: empty ones are not free. */
const frameBytes = 128

/** Frames that came before there was anywhere to send them; past a bound the client is not read any further. */
export class EarlyFrames {
  readonly #client: ReadGate
  #frames: { readonly data: Buffer; readonly isBinary: boolean }[] = []
  #bytes = 0

  constructor(client: ReadGate) {
    this.#client = client
  }

  hold(data: Buffer, isBinary: boolean): void {
    this.#frames.push({ data, isBinary })
    this.#bytes += data.length + frameBytes
    if (this.#bytes > maxHeldBytes) this.#client.pause(this)
  }

  /** Gives every frame, in order, and lets the client go on; who cannot take them all may keep it back. */
  release(give: (data: Buffer, isBinary: boolean) => void): void {
    const frames = this.#frames
    this.clear()
    for (const { data, isBinary } of frames) give(data, isBinary)
    this.#client.letGo(this)
  }

  clear(): void {
    this.#frames = []
    this.#bytes = 0
  }
}
