import type WebSocket from 'ws'

export type HandleFrame = (data: Buffer, isBinary: boolean) => void

/** Frames of one socket that are handled before everybody else has a turn. */
const framesInTurn = 32

let turn = 0
let isTurnCounted = false

/** The number of this turn of the event loop, the same for all sockets. */
function currentTurn(): number {
  if (!isTurnCounted) {
    isTurnCounted = true
    setImmediate(nextTurn)
  }
  return turn
}

function nextTurn(): void {
  turn += 1
  isTurnCounted = false
}

interface WaitingFrame {
  readonly data: Buffer
  readonly isBinary: boolean
}

/**
 * Hands on the frames of a socket, a few in each turn of the event loop. The library hands over all that was read in one
 * go, which can be megabytes of tiny frames, and nobody else is served meanwhile. What is more than a few waits, and
 * until it is gone the socket is not read.
 */
export class FrameTurns {
  readonly #socket: WebSocket
  readonly #handle: HandleFrame
  #waiting: WaitingFrame[] = []
  #turn = -1
  #countInTurn = 0
  #isPaused = false

  constructor(socket: WebSocket, handle: HandleFrame) {
    this.#socket = socket
    this.#handle = handle
  }

  add(data: Buffer, isBinary: boolean): void {
    if (this.#waiting.length === 0 && this.#takePlace()) {
      this.#handle(data, isBinary)
      return
    }
    this.#waiting.push({ data, isBinary })
    if (this.#waiting.length > 1) return
    this.#socket.pause()
    setImmediate(() => this.#handleSome())
  }

  pause(): void {
    this.#isPaused = true
    this.#socket.pause()
  }

  resume(): void {
    this.#isPaused = false
    if (this.#waiting.length === 0) this.#socket.resume()
    else setImmediate(() => this.#handleSome())
  }

  /** Hands on all that waits: the socket is gone, and that comes after its frames. */
  end(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const { data, isBinary } of waiting) this.#handle(data, isBinary)
  }

  #handleSome(): void {
    if (this.#isPaused || this.#waiting.length === 0) return
    const some = this.#waiting.splice(0, framesInTurn)
    for (const { data, isBinary } of some) this.#handle(data, isBinary)
    if (this.#waiting.length > 0) setImmediate(() => this.#handleSome())
    else if (!this.#isPaused) this.#socket.resume()
  }

  #takePlace(): boolean {
    const now = currentTurn()
    if (now !== this.#turn) {
      this.#turn = now
      this.#countInTurn = 0
    }
    this.#countInTurn += 1
    return this.#countInTurn <= framesInTurn
  }
}
