import type { FrameSocket } from '../../../ports/frame-socket.js'
import type { Timers } from '../../../ports/timers.js'
import type { ReadGate } from './read-gate.js'

const highWaterBytes = 1024 * 1024
const lowWaterBytes = 256 * 1024
const slowMilliseconds = 30_000
/** How much may be sent between two looks at the target's buffer, each frame counted with what it costs by itself. */
const lookBytes = 64 * 1024
const frameBytes = 64

/**
 * All that goes to one side of the relay. A frame leaves as it came, at once. When the target cannot keep up, whoever
 * caused the frame is not read until it can; a target that cannot for half a minute is given up.
 *
 *   flowing ──buffer above the high mark──► held back ──below the low mark──► flowing
 *                                               └──30 s──► slow
 */
export class Pump {
  readonly #target: FrameSocket
  readonly #timers: Timers
  readonly #onSlow: () => void
  readonly #heldBack = new Set<ReadGate>()
  #cancel: (() => void) | null = null
  #unlookedBytes = lookBytes

  constructor(target: FrameSocket, timers: Timers, onSlow: () => void) {
    this.#target = target
    this.#timers = timers
    this.#onSlow = onSlow
  }

  /** Sends a frame that exists because of what was read at `source`. */
  forward(data: Buffer | string, isBinary: boolean, source: ReadGate): void {
    if (this.#cancel === null && this.#hasRoomFor(data.length)) this.#target.send(data, isBinary)
    else this.#pause(data, isBinary, source)
  }

  stop(): void {
    this.#cancel?.()
    this.#cancel = null
  }

  #hasRoomFor(bytes: number): boolean {
    this.#unlookedBytes += bytes + frameBytes
    if (this.#unlookedBytes < lookBytes) return true
    this.#unlookedBytes = 0
    return this.#target.bufferedBytes < highWaterBytes
  }

  /** Every frame from now on tells when it has left: the last of them finds the buffer empty. */
  #pause(data: Buffer | string, isBinary: boolean, source: ReadGate): void {
    this.#target.send(data, isBinary, () => this.#flowAgain())
    this.#heldBack.add(source)
    source.pause(this)
    this.#cancel ??= this.#timers.after(slowMilliseconds, this.#onSlow)
  }

  #flowAgain(): void {
    if (this.#cancel === null || this.#target.bufferedBytes > lowWaterBytes) return
    this.stop()
    for (const source of this.#heldBack) source.letGo(this)
    this.#heldBack.clear()
  }
}
