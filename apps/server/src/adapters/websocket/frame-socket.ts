import type { Duplex } from 'node:stream'
import WebSocket, { type RawData } from 'ws'
import type { FrameSocket, FrameSocketEvents } from '../../ports/frame-socket.js'
import { DirectConnection } from './direct-connection.js'
import { FrameBatches, type HandleFrame } from './frame-batches.js'
import { FrameReader } from './frame-reader.js'
import { replyToPings } from './reply-to-pings.js'
import { wholeFrame } from './whole-frame.js'

const closeGraceMilliseconds = 5000
const messageTooBig = 1009

const textFrame = { binary: false, compress: false } as const
const binaryFrame = { binary: true, compress: false } as const

/** Codes that a close frame may carry; the others stand for closes that had none. */
const isSendable = (code: number) =>
  (code >= 1000 && code <= 1014 && ![1004, 1005, 1006].includes(code)) || (code >= 3000 && code <= 4999)

/**
 * A socket of the `ws` library that reports a frame over the limit before the library closes it with 1009: its owner has
 * an error to send first.
 */
export class LimitedWebSocket extends WebSocket {
  onTooBig: (() => void) | null = null

  override close(code?: number, data?: string | Buffer): void {
    if (code === messageTooBig && data === undefined) this.onTooBig?.()
    super.close(code, data)
  }
}

export interface FrameSocketOptions {
  /** Takes out of close reasons what must not be seen. */
  readonly conceal?: (text: string) => string
  /** What is known of the connection below; left out, the library alone reads and writes there. */
  readonly below?: ConnectionBelow
}

/** The connection that a socket has just opened on. */
export interface ConnectionBelow {
  readonly connection: Duplex
  /** Who is at its other end. */
  readonly peer: 'client' | 'server'
  readonly maxMessageBytes: number
  /** What we send has a key of zeros, or none. */
  readonly isSentPlain: boolean
}

/** Wraps an open socket that was made with `autoPong: false`. */
export function makeFrameSocket(socket: LimitedWebSocket, options: FrameSocketOptions = {}): FrameSocket {
  return new LibrarySocket(socket, options)
}

/** A class and no closures: every object that a frame touches on its way is a cache line to be fetched. */
class LibrarySocket implements FrameSocket {
  readonly #socket: LimitedWebSocket
  readonly #conceal: (text: string) => string
  readonly #below: ConnectionBelow | null
  readonly #direct: DirectConnection | null
  #batches: FrameBatches | null = null

  constructor(socket: LimitedWebSocket, { conceal = (text) => text, below }: FrameSocketOptions) {
    this.#socket = socket
    this.#conceal = conceal
    this.#below = below ?? null
    this.#direct = below === undefined ? null : DirectConnection.of(below.connection)
    socket.binaryType = 'nodebuffer'
    // Nobody listens yet: what comes meanwhile stays in the kernel.
    socket.pause()
    // Every error is followed by a close, which is what counts; without a listener it would end the process.
    socket.on('error', () => undefined)
    replyToPings(socket)
  }

  get bufferedBytes(): number {
    return this.#socket.bufferedAmount + (this.#direct?.waitingBytes ?? 0)
  }

  listen({ frame, pong, tooBig, closed }: FrameSocketEvents): void {
    const socket = this.#socket
    const batches = new FrameBatches(socket, frame)
    this.#batches = batches
    const handle: HandleFrame = (data, isBinary) => batches.add(data, isBinary)
    const below = this.#below && { ...this.#below, direct: this.#direct }
    if (below === null || FrameReader.start(socket, below, handle) === null)
      // With this binary type a message is one buffer, whatever the library's types allow for.
      socket.on('message', (data: RawData, isBinary: boolean) => handle(data as Buffer, isBinary))
    socket.on('pong', () => pong())
    socket.on('close', (code: number, reason: Buffer) => {
      batches.end(() => closed(code, this.#conceal(reason.toString('utf8'))))
    })
    socket.onTooBig = tooBig
    socket.resume()
  }

  send(data: Buffer | string, isBinary: boolean, onFlushed?: () => void): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return
    // Without compression the library writes every frame at once and whole, so ours may stand between its own.
    if (this.#below?.isSentPlain && typeof data !== 'string' && onFlushed === undefined) {
      const whole = wholeFrame(data, isBinary, this.#below.peer === 'server')
      if (whole !== null) {
        if (!this.#direct?.write(whole)) this.#below.connection.write(whole)
        return
      }
    }
    this.#socket.send(data, isBinary ? binaryFrame : textFrame, onFlushed && (() => onFlushed()))
  }

  ping(): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.ping()
  }

  pause(): void {
    if (this.#batches === null) this.#socket.pause()
    else this.#batches.pause()
  }

  resume(): void {
    if (this.#batches === null) this.#socket.resume()
    else this.#batches.resume()
  }

  close(code: number, reason: string): void {
    const socket = this.#socket
    if (socket.readyState === WebSocket.CLOSED) return
    this.#batches?.close()
    // A paused socket would never read the reply to its close.
    if (socket.isPaused) socket.resume()
    if (isSendable(code)) socket.close(code, reason)
    else socket.close()
    const timer = setTimeout(() => socket.terminate(), closeGraceMilliseconds)
    socket.once('close', () => clearTimeout(timer))
  }
}
