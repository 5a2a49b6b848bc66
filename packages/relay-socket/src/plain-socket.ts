import { type RawData, WebSocket } from 'ws'
import { FrameBatches, type HandleFrame } from './frame-batches.js'
import type { FrameSocket, FrameSocketEvents } from './frame-socket.js'
import type { RelayWebSocket } from './relay-web-socket.js'
import { replyToPings } from './reply-to-pings.js'
import { validText } from './valid-text.js'

const closeGraceMilliseconds = 5000

/** Reported for a peer that breaks the protocol. */
const protocolError = 1002

const textFrame = { binary: false, compress: false } as const
const binaryFrame = { binary: true, compress: false } as const

/** Codes that a close frame may carry. Other codes report a close without one. */
const isSendable = (code: number) =>
  (code >= 1000 && code <= 1014 && ![1004, 1005, 1006].includes(code)) || (code >= 3000 && code <= 4999)

export interface PlainSocketOptions {
  /** Removes secrets from close reasons. */
  readonly conceal?: (text: string) => string
}

/** The relay's socket on the public API of `ws`. */
export class PlainSocket implements FrameSocket {
  protected readonly socket: RelayWebSocket
  readonly #conceal: (text: string) => string
  #batches: FrameBatches | null = null

  constructor(socket: RelayWebSocket, { conceal = (text) => text }: PlainSocketOptions = {}) {
    this.socket = socket
    this.#conceal = conceal
    socket.binaryType = 'nodebuffer'
    // Frames that arrive before `listen` stay in the kernel.
    socket.pause()
    // A close follows every error. Without a listener, an error would end the process.
    socket.on('error', () => undefined)
    replyToPings(socket)
  }

  get bufferedBytes(): number {
    return this.socket.bufferedAmount
  }

  listen({ frame, pong, tooBig, closed }: FrameSocketEvents): void {
    const { socket } = this
    const batches = new FrameBatches(socket, frame)
    this.#batches = batches
    this.readFrames((data, isBinary) => batches.add(data, isBinary))
    socket.on('pong', () => pong())
    let isReported = false
    const reportClosed = (code: number, reason: string) => {
      if (isReported) return
      isReported = true
      batches.end(() => closed(code, this.#conceal(reason)))
    }
    // After an error `ws` ignores further frames, but it waits 30 s for the peer to close.
    socket.on('error', ({ message }) => reportClosed(protocolError, message))
    socket.on('close', (code: number, reason: Buffer) => reportClosed(code, reason.toString('utf8')))
    socket.onTooBig = tooBig
    socket.resume()
  }

  /** Begins to pass frames to `handle`. */
  protected readFrames(handle: HandleFrame): void {
    // With this binary type a message is one buffer, although the library's types allow more.
    this.socket.on('message', (data: RawData, isBinary: boolean) =>
      handle(isBinary ? (data as Buffer) : validText(data as Buffer), isBinary),
    )
  }

  send(data: Buffer | string, isBinary: boolean, onFlushed?: () => void): void {
    if (this.socket.readyState !== WebSocket.OPEN) return
    this.socket.send(data, isBinary ? binaryFrame : textFrame, onFlushed && (() => onFlushed()))
  }

  ping(): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.ping()
  }

  pause(): void {
    if (this.#batches === null) this.socket.pause()
    else this.#batches.pause()
  }

  resume(): void {
    if (this.#batches === null) this.socket.resume()
    else this.#batches.resume()
  }

  close(code: number, reason: string): void {
    const { socket } = this
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
