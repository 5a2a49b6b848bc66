import type { FrameSocket } from '../../../ports/frame-socket.js'

/** Whether a socket is read. It is paused by several, each for its own reason, and read again once none pauses it. */
export class ReadGate {
  readonly #socket: FrameSocket
  readonly #pausedBy = new Set<object>()
  #pauseCount = 0

  constructor(socket: FrameSocket) {
    this.#socket = socket
  }

  get isPaused(): boolean {
    return this.#pausedBy.size > 0
  }

  /** How often it was paused so far. */
  get pauseCount(): number {
    return this.#pauseCount
  }

  pause(owner: object): void {
    if (!this.isPaused) {
      this.#pauseCount += 1
      this.#socket.pause()
    }
    this.#pausedBy.add(owner)
  }

  /** Takes back the pause of that owner. */
  resume(owner: object): void {
    if (this.#pausedBy.delete(owner) && !this.isPaused) this.#socket.resume()
  }
}
