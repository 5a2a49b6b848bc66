import type { FrameSocket } from '../../ports/frame-socket.js'
import type { Timers } from '../../ports/timers.js'

const highWaterBytes = 1024 * 1024
const lowWaterBytes = 256 * 1024
const slowMilliseconds = 30_000

/**
 * One direction of the relay. A frame leaves as it came, at once. When the target cannot keep up, the source is not read
 * until it can; a target that cannot for half a minute is given up.
 *
 *   flowing ──buffer above the high mark──► held back ──below the low mark──► flowing
 *                                               └──30 s──► slow
 */
export class Pump {
  readonly #source: FrameSocket
  readonly #target: FrameSocket
  readonly #timers: Timers
  readonly #onSlow: () => void
  #callOff: (() => void) | null = null

  constructor(source: FrameSocket, target: FrameSocket, timers: Timers, onSlow: () => void) {
    this.#source = source
    this.#target = target
    this.#timers = timers
    this.#onSlow = onSlow
  }

  get isHeldBack(): boolean {
    return this.#callOff !== null
  }

  forward(data: Buffer, isBinary: boolean): void {
    if (this.#target.bufferedBytes < highWaterBytes) this.#target.send(data, isBinary)
    else this.#holdBack(data, isBinary)
  }

  stop(): void {
    this.#callOff?.()
    this.#callOff = null
  }

  #holdBack(data: Buffer, isBinary: boolean): void {
    this.#target.send(data, isBinary, () => this.#flowAgain())
    if (this.#callOff !== null) return
    this.#source.pause()
    this.#callOff = this.#timers.after(slowMilliseconds, this.#onSlow)
  }

  #flowAgain(): void {
    if (this.#callOff === null || this.#target.bufferedBytes > lowWaterBytes) return
    this.stop()
    this.#source.resume()
  }
}
