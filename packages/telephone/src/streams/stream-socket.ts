/** The part of a WebSocket that a media stream needs. `FrameSocket` of @parley/relay-socket has it. */
export interface StreamSocket {
  /** The number of bytes that wait to be sent. */
  readonly bufferedBytes: number
  /** Sets the listeners. Frames that arrived earlier wait until then. */
  listen(events: StreamSocketEvents): void
  send(data: Buffer | string, isBinary: boolean): void
  close(code: number, reason: string): void
}

export interface StreamSocketEvents {
  readonly frame: (data: Buffer, isBinary: boolean) => void
  readonly pong: () => void
  /** A frame over the socket's own limit arrived. */
  readonly tooBig: () => void
  /** Called once, after every other event. */
  readonly closed: (code: number, reason: string) => void
}
