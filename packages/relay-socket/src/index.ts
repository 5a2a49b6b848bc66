import { FastSocket } from './fast/fast-socket.js'
import type { FastPath } from './fast/frame-reader.js'
import type { FrameSocket } from './frame-socket.js'
import { PlainSocket, type PlainSocketOptions } from './plain-socket.js'
import type { RelayWebSocket } from './relay-web-socket.js'

export type { FastPath } from './fast/frame-reader.js'
export type { FrameSocket, FrameSocketEvents } from './frame-socket.js'
export { type ChosenIo, chooseRelayIo, type RelayIo } from './relay-io.js'
export { RelayWebSocket } from './relay-web-socket.js'

export interface FrameSocketOptions extends PlainSocketOptions {
  /** Describes the connection for the fast path, or null for plain `ws`. */
  readonly fast: FastPath | null
}

/**
 * Wraps an open socket that was created with `autoPong: false`. Uses plain `ws` if the fast path does not know the
 * connection, as with TLS.
 */
export function makeFrameSocket(socket: RelayWebSocket, options: FrameSocketOptions): FrameSocket {
  const fast = options.fast && FastSocket.of(socket, options.fast, options)
  return fast ?? new PlainSocket(socket, options)
}
export { WrappedSocket } from './wrapped-socket.js'
