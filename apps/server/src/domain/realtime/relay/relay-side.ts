import type { FrameSocket } from '../../../ports/frame-socket.js'
import type { Timers } from '../../../ports/timers.js'
import { Pump } from './pump.js'
import { ReadGate } from './read-gate.js'

/** One side of the relay: its socket, the way to it, and whether it is read. */
export interface RelaySide {
  readonly socket: FrameSocket
  readonly pump: Pump
  readonly gate: ReadGate
}

export function makeRelaySide(socket: FrameSocket, timers: Timers, onSlow: () => void): RelaySide {
  return { socket, pump: new Pump(socket, timers, onSlow), gate: new ReadGate(socket) }
}
