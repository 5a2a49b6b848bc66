import type { FrameSocket } from '../../ports/frame-socket.js'

const maxHeldBytes = 1024 * 1024

/** Frames that came before there was anywhere to send them; past a bound the client is not read any further. */
export class HeldFrames {
  readonly #client: FrameSocket
  #frames: { readonly data: Buffer; readonly isBinary: boolean }[] = []
  #bytes = 0

  constructor(client: FrameSocket) {
    this.#client = client
  }

  get isHoldingBack(): boolean {
    return this.#bytes > maxHeldBytes
  }

  hold(data: Buffer, isBinary: boolean): void {
    const wasHoldingBack = this.isHoldingBack
    this.#frames.push({ data, isBinary })
    this.#bytes += data.length
    if (this.isHoldingBack && !wasHoldingBack) this.#client.pause()
  }

  /** Gives every frame, in order, and lets the client go on. */
  release(give: (data: Buffer, isBinary: boolean) => void): void {
    const frames = this.#frames
    const wasHoldingBack = this.isHoldingBack
    this.clear()
    for (const { data, isBinary } of frames) give(data, isBinary)
    if (wasHoldingBack) this.#client.resume()
  }

  clear(): void {
    this.#frames = []
    this.#bytes = 0
  }
}
