import type { FrameSocket, FrameSocketEvents } from '@parley/relay-socket'
import type { SocketClose } from './frame-inbox.js'

export interface MemoryFrame {
  /** Text from the service is a string. Forwarded frames stay buffers. */
  readonly data: Buffer | string
  readonly isBinary: boolean
}

type Arrival =
  | { readonly what: 'frame'; readonly data: Buffer; readonly isBinary: boolean }
  | { readonly what: 'pong' | 'tooBig' }
  | { readonly what: 'closed'; readonly code: number; readonly reason?: string }

/** A socket without a network: the peer's input waits until it is read, as in the kernel. */
export class MemorySocket implements FrameSocket {
  readonly sent: MemoryFrame[] = []
  readonly closes: SocketClose[] = []
  /** Called for each frame that the session sends. */
  onSent: (frame: MemoryFrame) => void = () => undefined
  /** Called for each frame before the session reads it. */
  onRead: (data: Buffer, isBinary: boolean) => void = () => undefined
  /** Stops the peer's responses to pings. */
  ignoresPings = false
  #events: FrameSocketEvents | null = null
  #arrivals: Arrival[] = []
  #isPaused = false
  #isGone = false
  #isStalled = false
  #buffered: { readonly bytes: number; readonly onFlushed: (() => void) | undefined }[] = []

  get bufferedBytes(): number {
    return this.#buffered.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /** The amount of unread input from the peer. */
  get unread(): number {
    return this.#arrivals.length
  }

  get isClosed(): boolean {
    return this.#isGone || this.closes.length > 0
  }

  listen(events: FrameSocketEvents): void {
    this.#events = events
  }

  send(data: Buffer | string, isBinary: boolean, onFlushed?: () => void): void {
    if (this.isClosed) return
    this.sent.push({ data, isBinary })
    this.#buffered.push({ bytes: data.length, onFlushed })
    this.onSent({ data, isBinary })
  }

  ping(): void {
    if (!this.ignoresPings) this.#arrivals.push({ what: 'pong' })
  }

  pause(): void {
    this.#isPaused = true
  }

  resume(): void {
    this.#isPaused = false
  }

  close(code: number, reason: string): void {
    this.closes.push({ code, reason })
    this.#isPaused = false
    this.#arrivals.push({ what: 'closed', code })
  }

  /** Adds input from the peer. The session notices it when it reads the socket. */
  arrive(arrival: Arrival): void {
    this.#arrivals.push(arrival)
  }

  /** Makes the peer stop or resume reading. */
  stall(isStalled: boolean): void {
    this.#isStalled = isStalled
  }

  /** Moves pending data in both directions. Returns whether any data moved. */
  move(): boolean {
    const hasFlushed = this.#flush()
    const arrival = this.#events && !this.#isPaused && !this.#isGone ? this.#arrivals.shift() : undefined
    if (arrival) this.#read(arrival)
    return hasFlushed || arrival !== undefined
  }

  #flush(): boolean {
    if (this.#isStalled || this.#buffered.length === 0) return false
    this.#buffered.shift()?.onFlushed?.()
    return true
  }

  #read(arrival: Arrival): void {
    switch (arrival.what) {
      case 'frame':
        this.onRead(arrival.data, arrival.isBinary)
        this.#events?.frame(arrival.data, arrival.isBinary)
        break
      case 'pong':
        this.#events?.pong()
        break
      case 'tooBig':
        this.#events?.tooBig()
        break
      case 'closed':
        this.#isGone = true
        this.#events?.closed(arrival.code, arrival.reason ?? '')
    }
  }
}
