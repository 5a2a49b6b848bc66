import type { MessagePosition, MessageRecord } from '../../ports/conversation-stores.js'
import type { Timers } from '../../ports/time.js'

interface MessagePositionsStart {
  /** The database's time at the start, in microseconds since 1970. */
  readonly startMicroseconds: number
  /** The monotonic time at that moment. */
  readonly startedAt: number
  readonly timers: Timers
}

/**
 * Assigns the positions of a session's or turn's messages. A position consists of the database's time at the
 * start plus the elapsed time, and a counter. It can therefore be computed without a query, and the clocks of
 * instances need not agree.
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

/**
 * The prefix of the item ids of calls. For calls of sub-agents, the message id of the parent call is added.
 */
export const callItemPrefix = 'call:'

/**
 * Returns whether the agent itself made the call. Calls of sub-agents are not part of its model's history.
 */
export function isOwnCall({ callId, itemId }: MessageRecord): boolean {
  return callId !== null && itemId === `${callItemPrefix}${callId}`
}
