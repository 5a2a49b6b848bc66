import { performance } from 'node:perf_hooks'
import type { WebSocket } from 'ws'
import type { FrameSocketEvents } from './frame-socket.js'

export type HandleFrame = FrameSocketEvents['frame']

/** Frames of one socket that are handled in one pass of the event loop. A long frame counts as several. */
const framesPerBatch = 32
const weightOf = ({ length }: Buffer) => 1 + (length >> 16)
/** Frames that arrive within this time count together, even if they arrive in several passes of the event loop. */
const windowMilliseconds = 20
/** Frames that may arrive before the clock is read. */
const framesBeforeClock = 8

/** Sockets with waiting frames, in the order of their turns. Each pass serves one, however many wait. */
const turns = new Set<() => void>()

function waitForTurn(handleSome: () => void): void {
  if (turns.size === 0) setImmediate(giveTurn)
  turns.add(handleSome)
}

function giveTurn(): void {
  const [handleSome] = turns
  if (handleSome === undefined) return
  turns.delete(handleSome)
  // Scheduled before the work, which may wait for the next turn and must not start a second series of passes.
  if (turns.size > 0) setImmediate(giveTurn)
  handleSome()
}

interface WaitingFrame {
  readonly data: Buffer
  readonly isBinary: boolean
}

/**
 * Passes on the frames of a socket, a few in each pass of the event loop. One read can hold megabytes of tiny frames,
 * and handling all of them at once would block every other socket. Further frames are queued until the socket's turn, and the
 * socket is not read until they are handled.
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

  /** The owner closes the socket and ignores further frames, so none are kept. */
  close(): void {
    this.#isClosing = true
    const waiting = this.#waiting
    this.#waiting = []
    for (const { data, isBinary } of waiting) this.#handle(data, isBinary)
  }

  /** The socket is gone. Reports it after the last frame, even if the socket is paused. */
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

  /** Returns how many waiting frames fit in one pass. */
  #countForPass(): number {
    let [count, weight] = [0, 0]
    for (const { data } of this.#waiting) {
      weight += weightOf(data)
      if (count > 0 && weight > framesPerBatch) break
      count += 1
    }
    return count
  }

  /** Counts a frame in the current window. The count may include earlier frames, so it is too high at worst. */
  #takePlace(weight: number): boolean {
    this.#countInWindow += weight
    if (this.#countInWindow < framesBeforeClock) return true
    const now = performance.now()
    if (now - this.#windowStartedAt >= windowMilliseconds) {
      this.#windowStartedAt = now
      this.#countInWindow = weight
    }
    return this.#countInWindow <= framesPerBatch
  }
}
