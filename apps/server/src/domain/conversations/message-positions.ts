import type { MessagePosition, MessageRecord } from '../../ports/conversation-stores.js'
import type { Timers } from '../../ports/time.js'

interface MessagePositionsStart {
  /** The database's time at the start, in microseconds since 1970. */
  readonly startMicroseconds: number
  /** The monotonic time at the same moment. */
  readonly startedAt: number
  readonly timers: Timers
}

/**
 * The positions of the messages of one session or turn: the database's time at the start plus what has passed since,
 * then a counter. So a position is known at once, and the clocks of instances need not agree.
 */
export class MessagePositions {
  readonly #start: MessagePositionsStart
  #counter = 0

  constructor(start: MessagePositionsStart) {
    this.#start = start
  }

  next(): MessagePosition {
    const { startMicroseconds, startedAt, timers } = this.#start
    this.#counter += 1
    const passed = timers.monotonic() - startedAt
    return { microseconds: startMicroseconds + Math.round(passed * 1000), counter: this.#counter }
  }
}

/** The prefix of the item ids of calls. Calls of sub-agents add the message of the call above them. */
export const callItemPrefix = 'call:'

/** Whether the call is one that the agent itself made: a sub-agent's are no part of what its model has said. */
export function isOwnCall({ callId, itemId }: MessageRecord): boolean {
  return callId !== null && itemId === `${callItemPrefix}${callId}`
}
