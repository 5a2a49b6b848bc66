import type { RawData } from 'ws'
import WebSocket from 'ws'
import type { FrameSocket, FrameSocketEvents } from '../../ports/frame-socket.js'

const closeGraceMilliseconds = 5000
const messageTooBig = 1009

const textFrame = { binary: false, compress: false } as const
const binaryFrame = { binary: true, compress: false } as const

/** Codes that a close frame may carry; the others only tell of closes that had none. */
const isSendable = (code: number) =>
  (code >= 1000 && code <= 1014 && ![1004, 1005, 1006].includes(code)) || (code >= 3000 && code <= 4999)

/**
 * A socket of the `ws` library whose owner hears of a frame over the limit before the library closes it with 1009:
 * it has something to say first.
 */
export class LimitedWebSocket extends WebSocket {
  onTooBig: (() => void) | null = null

  override close(code?: number, data?: string | Buffer): void {
    if (code === messageTooBig && data === undefined) this.onTooBig?.()
    super.close(code, data)
  }
}

/** Wraps an open socket. `conceal` takes out of close reasons what must not be seen. */
export function makeFrameSocket(
  socket: LimitedWebSocket,
  conceal: (text: string) => string = (text) => text,
): FrameSocket {
  socket.binaryType = 'nodebuffer'
  // Nobody listens yet: what comes meanwhile stays in the kernel.
  socket.pause()
  // Every error is followed by a close, which is what counts; unheard, it would end the process.
  socket.on('error', () => undefined)
  return {
    get bufferedBytes() {
      return socket.bufferedAmount
    },
    listen(events) {
      attach(socket, events, conceal)
      socket.resume()
    },
    send(data, isBinary, onFlushed) {
      if (socket.readyState !== WebSocket.OPEN) return
      socket.send(data, isBinary ? binaryFrame : textFrame, onFlushed && (() => onFlushed()))
    },
    ping() {
      if (socket.readyState === WebSocket.OPEN) socket.ping()
    },
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    close(code, reason) {
      if (socket.readyState === WebSocket.CLOSED) return
      // A paused socket would never read the answer to its close.
      if (socket.isPaused) socket.resume()
      if (isSendable(code)) socket.close(code, reason)
      else socket.close()
      const timer = setTimeout(() => socket.terminate(), closeGraceMilliseconds)
      socket.once('close', () => clearTimeout(timer))
    },
  }
}

function attach(
  socket: LimitedWebSocket,
  events: FrameSocketEvents,
  conceal: (text: string) => string,
): void {
  socket.on('message', (data: RawData, isBinary: boolean) => events.frame(data as Buffer, isBinary))
  socket.on('pong', () => events.pong())
  socket.on('close', (code: number, reason: Buffer) => events.closed(code, conceal(reason.toString('utf8'))))
  socket.onTooBig = () => events.tooBig()
}
