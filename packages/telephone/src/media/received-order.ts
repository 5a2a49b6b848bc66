/** Packets after a missing one. If this many wait, the missing one counts as lost. */
const maxWaiting = 3
/** Beyond this, the sender has restarted, and nothing counts as lost. */
const maxGap = 25
const modulus = 65_536

export interface OrderListener {
  /** Called with payloads in the order of their sequence numbers. */
  ordered(payload: Buffer): void
  /** Called in the place of a lost packet. */
  lost(): void
}

/**
 * Puts packets into order. A jitter buffer is not needed: the recipient is a program, which needs the order but not an even pace.
 * A packet in order passes at once.
 */
export class ReceivedOrder {
  readonly #listener: OrderListener
  readonly #waiting = new Map<number, Buffer | null>()
  #source: number | null = null
  #next = 0

  constructor(listener: OrderListener) {
    this.#listener = listener
  }

  /** The payload is null if the packet is not audio. Its number must not count as lost. */
  push(source: number, sequence: number, payload: Buffer | null): void {
    const ahead = (sequence - this.#next + modulus) % modulus
    const isLate = ahead >= modulus - maxGap
    if (source !== this.#source || (ahead > maxGap && !isLate)) this.#restart(source, sequence)
    else if (isLate) return
    this.#waiting.set(sequence, payload)
    this.#release()
  }

  #release(): void {
    while (this.#waiting.has(this.#next) || this.#waiting.size > maxWaiting) {
      const payload = this.#waiting.get(this.#next)
      this.#waiting.delete(this.#next)
      this.#next = (this.#next + 1) % modulus
      if (payload) this.#listener.ordered(payload)
      else if (payload === undefined) this.#listener.lost()
    }
  }

  #restart(source: number, sequence: number): void {
    for (const payload of this.#waiting.values()) if (payload) this.#listener.ordered(payload)
    this.#waiting.clear()
    this.#source = source
    this.#next = sequence
  }
}
