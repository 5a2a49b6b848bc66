import type { StampedFrame } from '../frames.js'

export interface Listener {
  /** A message of the load has come, which left at this time. */
  onLoad(sentAt: number): void
  /** Another one has. */
  onOther(message: Buffer): void
}

/** One end of a WebSocket, as the load uses it. */
export interface LoadSocket {
  /** Whether it is open and fewer bytes than that wait to leave. */
  hasRoom(maxWaitingBytes: number): boolean
  /** Sends a message of the load, with the time. */
  sendFrame(frame: StampedFrame): void
  send(event: object): void
}
