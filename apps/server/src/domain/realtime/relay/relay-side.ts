import type { FrameSocket } from '../../../ports/frame-socket.js'
import type { Timers } from '../../../ports/timers.js'

/** One side of the relay: its socket, the way to it, and whether it is read. */
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

const maxBytes = 1024 * 1024
/** What keeping a frame takes besides its bytes, about: empty ones are not free. */
const keptFrameBytes = 128
/** All of them are forwarded in one go, each of which takes up to a tenth of a millisecond. */
const maxFrames = 256

/** Frames that came before there was anywhere to send them; past a bound the client is not read any further. */
export class EarlyFrames {
  readonly #client: ReadGate
  #frames: { readonly data: Buffer; readonly isBinary: boolean }[] = []
  #bytes = 0

  constructor(client: ReadGate) {
    this.#client = client
  }

  keep(data: Buffer, isBinary: boolean): void {
    this.#frames.push({ data, isBinary })
    this.#bytes += data.length + keptFrameBytes
    if (this.#bytes > maxBytes || this.#frames.length >= maxFrames) this.#client.pause(this)
  }

  /** Forwards every frame, in order, and resumes the client, unless somebody else has paused it meanwhile. */
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
