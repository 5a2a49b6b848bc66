/** What happens on a socket. Frames come as they are, unparsed, and stay so: whoever wants to keep one may. */
export interface FrameSocketEvents {
  /** With `isPlain` it is known that there is nothing in it but ASCII without control characters and backslashes. */
  readonly frame: (data: Buffer, isBinary: boolean, isPlain: boolean) => void
  /** The peer answered a ping. */
  readonly pong: () => void
  /** A frame over the limit came; the socket closes with 1009 after this. */
  readonly tooBig: () => void
  /** The socket is gone, in whichever way; comes once, after everything else. */
  readonly closed: (code: number, reason: string) => void
}

/** A WebSocket as the relay sees it. */
export interface FrameSocket {
  /** Bytes that wait to leave. */
  readonly bufferedBytes: number
  /** Sets the listeners; frames that came before are kept until then. */
  listen(events: FrameSocketEvents): void
  /**
   * Sends a frame as it is; `onFlushed` is called once it has left this process. Returns whether it has already: then its
   * memory is not looked at any more.
   */
  send(data: Buffer | string, isBinary: boolean, onFlushed?: () => void): boolean
  /** Of a frame that this socket handed over nothing is kept, by anybody: its memory may be used for the next one. */
  release(data: Buffer): void
  ping(): void
  /** Stops reading, so that the peer feels the pressure. */
  pause(): void
  resume(): void
  /** Closes politely; a peer that does not answer in a few seconds is cut off. */
  close(code: number, reason: string): void
}
