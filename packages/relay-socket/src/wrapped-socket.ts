import type { FrameSocket, FrameSocketEvents } from './frame-socket.js'

/** Delegates each call to another socket. Subclasses override some of them. */
export class WrappedSocket implements FrameSocket {
  protected readonly socket: FrameSocket

  constructor(socket: FrameSocket) {
    this.socket = socket
  }

  get bufferedBytes(): number {
    return this.socket.bufferedBytes
  }

  listen(events: FrameSocketEvents): void {
    this.socket.listen(events)
  }

  send(data: Buffer | string, isBinary: boolean, onFlushed?: () => void): void {
    this.socket.send(data, isBinary, onFlushed)
  }

  ping(): void {
    this.socket.ping()
  }

  pause(): void {
    this.socket.pause()
  }

  resume(): void {
    this.socket.resume()
  }

  close(code: number, reason: string): void {
    this.socket.close(code, reason)
  }
}
