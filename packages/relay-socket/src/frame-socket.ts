/** Events of a socket. Frames are unparsed and never change afterwards, so a listener may keep them. */
export interface FrameSocketEvents {
  readonly frame: (data: Buffer, isBinary: boolean) => void
  /** The peer responded to a ping. */
  readonly pong: () => void
  /** A frame over the limit arrived. The socket closes with 1009 after this. */
  readonly tooBig: () => void
  /** The socket is gone, or the peer broke the protocol (1002). Called once, after every other event. */
  readonly closed: (code: number, reason: string) => void
}

/** A WebSocket of the relay. */
export interface FrameSocket {
  /** The number of queued bytes. */
  readonly bufferedBytes: number
  /** Sets the listeners. Frames that arrived earlier wait until then. */
  listen(events: FrameSocketEvents): void
  /** Sends a frame. Calls `onFlushed` once the frame has left this process. */
  send(data: Buffer | string, isBinary: boolean, onFlushed?: () => void): void
  ping(): void
  /** Stops reading, so that the peer feels backpressure. */
  pause(): void
  resume(): void
  /** Closes with a handshake. A peer that does not answer within a few seconds is cut off. */
  close(code: number, reason: string): void
}
