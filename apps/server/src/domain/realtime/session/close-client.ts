import { type ClosedReason, closeCodes, type EndReason } from '@parley/contract'
import type { FrameSocket } from '@parley/relay-socket'
import { errorEvent } from '../protocol/service-frames.js'

/** Sends the reason if the client can still receive it, and closes the socket. */
export function closeClient(socket: FrameSocket, reason: EndReason, message: string): void {
  if (!hasCloseCode(reason)) return socket.close(closeCodes.internal, reason)
  if (reason !== 'client_left') socket.send(errorEvent(reason, message), false)
  socket.close(closeCodes[reason], reason)
}

const hasCloseCode = (reason: EndReason): reason is ClosedReason => reason in closeCodes
