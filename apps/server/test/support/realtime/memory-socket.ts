import type { FrameSocket, FrameSocketEvents } from '@parley/relay-socket'
import type { SocketClose } from './frame-inbox.js'

export interface MemoryFrame {
  /** Text of the service is a string; what it only passes on stays the buffer that it was. */
  readonly data: Buffer | string
  readonly isBinary: boolean
}

type Arrival =
  | { readonly what: 'frame'; readonly data: Buffer; readonly isBinary: boolean }
  | { readonly what: 'pong' | 'tooBig' }
  | { readonly what: 'closed'; readonly code: number }

/** A socket without a network: what its peer does waits until it is read, as in the kernel. */
export class MemorySocket implements FrameSocket {
  readonly sent: MemoryFrame[] = []
  readonly closes: SocketClose[] = []
  /** Looks at each frame that the session sends. */
  onSent: (frame: MemoryFrame) => void = () => undefined
  /** Looks at each frame that the session reads, before it does. */
  onRead: (data: Buffer, isBinary: boolean) => void = () => undefined
  /** A peer that does not answer pings. */
  isDeaf = false
  #events: FrameSocketEvents | null = null
  #arrivals: Arrival[] = []
  #isPaused = false
  #isGone = false
  #isJammed = false
  #buffered: { readonly bytes: number; readonly onFlushed: (() => void) | undefined }[] = []

  get bufferedBytes(): number {
    return this.#buffered.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /** How much of what the peer did waits to be read. */
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
    if (!this.isDeaf) this.#arrivals.push({ what: 'pong' })
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

  /** The peer does something; it is noticed when the socket is read. */
  arrive(arrival: Arrival): void {
    this.#arrivals.push(arrival)
  }

  /** The peer stops taking in what it is sent, or takes in everything. */
  jam(isJammed: boolean): void {
    this.#isJammed = isJammed
  }

  /** Moves what can move, both ways. Returns whether anything did. */
  move(): boolean {
    const hasFlushed = this.#flush()
    const arrival = this.#events && !this.#isPaused && !this.#isGone ? this.#arrivals.shift() : undefined
    if (arrival) this.#read(arrival)
    return hasFlushed || arrival !== undefined
  }

  #flush(): boolean {
    if (this.#isJammed || this.#buffered.length === 0) return false
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
        this.#events?.closed(arrival.code, '')
    }
  }
}
