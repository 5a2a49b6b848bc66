import type { FrameSocket } from '@parley/relay-socket'
import type { Timers } from '../../../ports/time.js'

/** One side of the relay: the socket, the pump that sends to it, and the gate that pauses reading from it. */
export interface RelaySide {
  readonly socket: FrameSocket
  readonly pump: Pump
  readonly gate: ReadGate
}

export function makeRelaySide(socket: FrameSocket, timers: Timers, onSlow: () => void): RelaySide {
  return { socket, pump: new Pump(socket, timers, onSlow), gate: new ReadGate(socket) }
}

const highWaterBytes = 1024 * 1024
const lowWaterBytes = 256 * 1024
const slowMilliseconds = 30_000
/**
 * The target's buffer is checked each time this many bytes were sent. `frameBytes` is the overhead of one
 * frame.
 */
const checkBytes = 64 * 1024
const frameBytes = 64

/**
 * Sends all frames to one side of the relay, unchanged and immediately. If the target cannot keep up, the sources of its
 * frames are paused until it can. If that takes more than 30 seconds, the session ends.
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

  /** Forwards a frame that was received from `source`. */
  forward(data: Buffer | string, isBinary: boolean, source: ReadGate): void {
    if (this.#cancelSlow === null && this.#hasRoomFor(data.length)) this.#target.send(data, isBinary)
    else this.#sendAndPause(data, isBinary, source)
  }

  stop(): void {
    this.#cancelSlow?.()
    this.#cancelSlow = null
  }

  /** Stops, and lets the sources go on. Called if the target is replaced. */
  leave(): void {
    this.stop()
    for (const source of this.#pausedSources) source.resume(this)
    this.#pausedSources.clear()
  }

  #hasRoomFor(bytes: number): boolean {
    this.#uncheckedBytes += bytes + frameBytes
    if (this.#uncheckedBytes < checkBytes) return true
    this.#uncheckedBytes = 0
    return this.#target.bufferedBytes < highWaterBytes
  }

  /**
   * While sources are paused, each send reports its completion. When the last one completes, the buffer is
   * empty.
   */
  #sendAndPause(data: Buffer | string, isBinary: boolean, source: ReadGate): void {
    this.#target.send(data, isBinary, () => this.#resumeSources())
    this.#pausedSources.add(source)
    source.pause(this)
    this.#cancelSlow ??= this.#timers.after(slowMilliseconds, this.#onSlow)
  }

  #resumeSources(): void {
    if (this.#cancelSlow === null || this.#target.bufferedBytes > lowWaterBytes) return
    this.leave()
  }
}

/**
 * Pauses reading from a socket on behalf of several owners. Reading resumes when all of them have resumed it.
 */
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

  resume(owner: object): void {
    if (this.#pausedBy.delete(owner) && !this.isPaused) this.#socket.resume()
  }
}

const maxEarlyBytes = 1024 * 1024
/** The approximate memory overhead of a buffered frame. */
const earlyFrameBytes = 128
/**
 * The maximum number of buffered frames. All of them are forwarded at once, and each one takes up to a tenth
 * of a millisecond.
 */
const maxEarlyFrames = 256

/**
 * Client frames that arrive before the provider is connected. If the buffer is full, reading from the client
 * is paused.
 */
export class EarlyFrames {
  readonly #client: ReadGate
  #frames: { readonly data: Buffer; readonly isBinary: boolean }[] = []
  #bytes = 0

  constructor(client: ReadGate) {
    this.#client = client
  }

  keep(data: Buffer, isBinary: boolean): void {
    this.#frames.push({ data, isBinary })
    this.#bytes += data.length + earlyFrameBytes
    if (this.#bytes > maxEarlyBytes || this.#frames.length >= maxEarlyFrames) this.#client.pause(this)
  }

  /** Forwards all frames in order, and then ends its own pause of the client. */
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
