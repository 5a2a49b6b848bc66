import type { FrameSocket } from '../../ports/frame-socket.js'

const maxHeldBytes = 1024 * 1024
/** What holding a frame takes besides its bytes, about: empty ones are not free. */
const frameBytes = 128

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
    this.#bytes += data.length + frameBytes
    if (this.isHoldingBack && !wasHoldingBack) this.#client.pause()
  }

  /** Lets the client go on and gives every frame, in order; who cannot take them all may stop the client again. */
  release(give: (data: Buffer, isBinary: boolean) => void): void {
    const frames = this.#frames
    const wasHoldingBack = this.isHoldingBack
    this.clear()
    if (wasHoldingBack) this.#client.resume()
    for (const { data, isBinary } of frames) give(data, isBinary)
  }

  clear(): void {
    this.#frames = []
    this.#bytes = 0
  }
}
