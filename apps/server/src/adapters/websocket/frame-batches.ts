import { performance } from 'node:perf_hooks'
import type WebSocket from 'ws'
import type { FrameSocketEvents } from '../../ports/frame-socket.js'

export type HandleFrame = FrameSocketEvents['frame']

/** Frames of one socket that are handled in one go; a long one counts for several. */
const framesAtOnce = 32
const weightOf = ({ length }: Buffer) => 1 + (length >> 16)
/** What comes within so short a time counts together, whatever passes of the event loop it came in. */
const windowMilliseconds = 20
/** So many may come before the clock is asked. */
const framesBeforeClock = 8

/** Sockets with frames that wait, in the order of their turn. One has it in each pass: a pass is as long for many as for one. */
const turns = new Set<() => void>()

function waitForTurn(handleSome: () => void): void {
  if (turns.size === 0) setImmediate(giveTurn)
  turns.add(handleSome)
}

function giveTurn(): void {
  const [handleSome] = turns
  if (handleSome === undefined) return
  turns.delete(handleSome)
  // Before its work: that may wait for the next turn, and must not begin a second row of passes.
  if (turns.size > 0) setImmediate(giveTurn)
  handleSome()
}

interface WaitingFrame {
  readonly data: Buffer
  readonly isBinary: boolean
}

/**
 * Hands on the frames of a socket, a few in each pass of the event loop. The library hands over all that was read in one
 * go, which can be megabytes of tiny frames, and nobody else is served meanwhile. What is more than a few waits for its
 * turn among the sockets of which that is so, and until it is gone the socket is not read.
 */
export class FrameBatches {
  readonly #socket: WebSocket
  readonly #handle: HandleFrame
  #waiting: WaitingFrame[] = []
  #windowStartedAt = Number.NEGATIVE_INFINITY
  #countInWindow = 0
  #isPaused = false
  #isClosing = false
  #onEnd: (() => void) | null = null

  constructor(socket: WebSocket, handle: HandleFrame) {
    this.#socket = socket
    this.#handle = handle
  }

  add(data: Buffer, isBinary: boolean): void {
    if (this.#isClosing || (this.#waiting.length === 0 && this.#takePlace(weightOf(data)))) {
      this.#handle(data, isBinary)
      return
    }
    this.#waiting.push({ data, isBinary })
    if (this.#waiting.length > 1) return
    this.#socket.pause()
    this.#schedule()
  }

  pause(): void {
    this.#isPaused = true
    this.#socket.pause()
  }

  resume(): void {
    this.#isPaused = false
    if (this.#waiting.length === 0) this.#socket.resume()
    else this.#schedule()
  }

  /** Its owner closes the socket, and heeds no frame any more: none is kept, however many still come. */
  close(): void {
    this.#isClosing = true
    const waiting = this.#waiting
    this.#waiting = []
    for (const { data, isBinary } of waiting) this.#handle(data, isBinary)
  }

  /** The socket is gone, which is reported after the last of its frames: also of those that a pause has kept. */
  end(onEnd: () => void): void {
    if (this.#waiting.length === 0) {
      onEnd()
      return
    }
    this.#onEnd = onEnd
    this.#schedule()
  }

  #schedule(): void {
    waitForTurn(this.#handleSome)
  }

  readonly #handleSome = (): void => {
    const isHeld = this.#isPaused && this.#onEnd === null
    if (isHeld || this.#waiting.length === 0) return
    const some = this.#waiting.splice(0, this.#countForPass())
    for (const { data, isBinary } of some) this.#handle(data, isBinary)
    if (this.#waiting.length > 0) this.#schedule()
    else if (this.#onEnd !== null) this.#onEnd()
    else if (!this.#isPaused) this.#socket.resume()
  }

  /** How many of those that wait are handled in one pass. */
  #countForPass(): number {
    let [count, weight] = [0, 0]
    for (const { data } of this.#waiting) {
      weight += weightOf(data)
      if (count > 0 && weight > framesAtOnce) break
      count += 1
    }
    return count
  }

  /** Counts a frame of those that have come since the window began, or before it: at worst a few too many, never too few. */
  #takePlace(weight: number): boolean {
    this.#countInWindow += weight
    if (this.#countInWindow < framesBeforeClock) return true
    const now = performance.now()
    if (now - this.#windowStartedAt >= windowMilliseconds) {
      this.#windowStartedAt = now
      this.#countInWindow = weight
    }
    return this.#countInWindow <= framesAtOnce
  }
}
