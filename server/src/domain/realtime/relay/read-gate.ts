import type { FrameSocket } from '../../../ports/frame-socket.js'

/** Whether a socket is read. It is paused by several, each for its own reason, and read again once none pauses it. */
export class ReadGate {
  readonly #socket: FrameSocket
  readonly #pausedBy = new Set<object>()

  constructor(socket: FrameSocket) {
    this.#socket = socket
  }

  get isPaused(): boolean {
    return this.#pausedBy.size > 0
  }

  pause(owner: object): void {
    if (!this.isPaused) this.#socket.pause()
    this.#pausedBy.add(owner)
  }

  /** Takes back the pause of that owner. */
  resume(owner: object): void {
    if (this.#pausedBy.delete(owner) && !this.isPaused) this.#socket.resume()
  }
}
