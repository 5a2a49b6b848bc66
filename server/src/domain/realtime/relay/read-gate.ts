import type { FrameSocket } from '../../../ports/frame-socket.js'

/** Keeps a socket from being read for as long as anybody holds it back, whoever else lets go of it. */
export class ReadGate {
  readonly #socket: FrameSocket
  readonly #holders = new Set<object>()

  constructor(socket: FrameSocket) {
    this.#socket = socket
  }

  get isShut(): boolean {
    return this.#holders.size > 0
  }

  pause(holder: object): void {
    if (!this.isShut) this.#socket.pause()
    this.#holders.add(holder)
  }

  letGo(holder: object): void {
    if (this.#holders.delete(holder) && !this.isShut) this.#socket.resume()
  }
}
