import type { Timers } from '../time.js'

/** G.711 has 8000 bytes a second. Twice as much is enough for a peer that catches up. */
const bytesPerSecond = 16_000
/** The audio that may arrive at once after a delay of the network. */
const burstBytes = 16_000
/** The cost of the smallest packet, 10 ms: many small ones are as expensive to process. */
const minimumCost = 80

/** Limits the audio and digits that one peer can make this side process. */
export class ReceiveLimit {
  readonly #timers: Timers
  #allowed = burstBytes
  #filledAt: number

  constructor(timers: Timers) {
    this.#timers = timers
    this.#filledAt = timers.monotonic()
  }

  /** Returns whether a packet with this payload may be processed. */
  admits(bytes: number): boolean {
    const now = this.#timers.monotonic()
    this.#allowed = Math.min(burstBytes, this.#allowed + ((now - this.#filledAt) / 1000) * bytesPerSecond)
    this.#filledAt = now
    const cost = Math.max(bytes, minimumCost)
    if (cost > this.#allowed) return false
    this.#allowed -= cost
    return true
  }
}
