import type { FrameSocket } from '../../../ports/frame-socket.js'
import type { Timers } from '../../../ports/timers.js'
import type { ReadGate } from './read-gate.js'

const highWaterBytes = 1024 * 1024
const lowWaterBytes = 256 * 1024
const slowMilliseconds = 30_000
/** How much may be sent between two checks of the target's buffer, each frame counted with what it costs by itself. */
const checkBytes = 64 * 1024
const frameBytes = 64

/**
 * All that goes to one side of the relay. A frame leaves as it came, at once. When the target cannot keep up, whoever
 * caused the frame is not read until it can; a target that cannot for half a minute is slow, and the session ends.
 *
 *   flowing ──buffer above the high mark──► sources paused ──30 s──► slow
 *      ▲                                          │
 *      └───────────────below the low mark─────────┘
 */
export class Pump {
  readonly #target: FrameSocket
  readonly #timers: Timers
  readonly #onSlow: () => void
  readonly #pausedSources = new Set<ReadGate>()
  #cancelSlow: (() => void) | null = null
  #uncheckedBytes = checkBytes

  constructor(target: FrameSocket, timers: Timers, onSlow: () => void) {
    this.#target = target
    this.#timers = timers
    this.#onSlow = onSlow
  }

  /** Sends a frame that exists because of what was read at `source`; returns whether it has left already. */
  forward(data: Buffer | string, isBinary: boolean, source: ReadGate): boolean {
    if (this.#cancelSlow === null && this.#hasRoomFor(data.length)) return this.#target.send(data, isBinary)
    this.#sendAndPause(data, isBinary, source)
    return false
  }

  stop(): void {
    this.#cancelSlow?.()
    this.#cancelSlow = null
  }

  #hasRoomFor(bytes: number): boolean {
    this.#uncheckedBytes += bytes + frameBytes
    if (this.#uncheckedBytes < checkBytes) return true
    this.#uncheckedBytes = 0
    return this.#target.bufferedBytes < highWaterBytes
  }

  /** Every frame from now on reports when it has left: the last of them finds the buffer empty. */
  #sendAndPause(data: Buffer | string, isBinary: boolean, source: ReadGate): void {
    this.#target.send(data, isBinary, () => this.#resumeSources())
    this.#pausedSources.add(source)
    source.pause(this)
    this.#cancelSlow ??= this.#timers.after(slowMilliseconds, this.#onSlow)
  }

  #resumeSources(): void {
    if (this.#cancelSlow === null || this.#target.bufferedBytes > lowWaterBytes) return
    this.stop()
    for (const source of this.#pausedSources) source.resume(this)
    this.#pausedSources.clear()
  }
}
