/** Limits the units per event loop pass to `perPass`. Further callers wait for the next pass, in order. */
class PassShare {
  readonly #perPass: number
  readonly #waiting: { readonly amount: number; readonly resume: () => void }[] = []
  #remaining: number
  #isCounted = false

  constructor(perPass: number) {
    this.#perPass = perPass
    this.#remaining = perPass
  }

  /** Returns null if capacity is available. Otherwise resolves in the pass that has capacity. */
  take(amount: number): Promise<void> | null {
    this.#countPass()
    if (this.#remaining > 0) {
      this.#remaining -= amount
      return null
    }
    return new Promise((resume) => void this.#waiting.push({ amount, resume }))
  }

  #countPass(): void {
    if (this.#isCounted) return
    this.#isCounted = true
    setImmediate(() => this.#beginPass())
  }

  #beginPass(): void {
    this.#isCounted = false
    this.#remaining = this.#perPass
    const taken = this.#waiting.findIndex(({ amount }) => {
      const isFull = this.#remaining <= 0
      if (!isFull) this.#remaining -= amount
      return isFull
    })
    const next = this.#waiting.splice(0, taken < 0 ? this.#waiting.length : taken)
    if (next.length > 0) this.#countPass()
    for (const { resume } of next) resume()
  }
}

/** The size limit for a piece of a body that is passed on at once. */
export const pieceBytes = 16 * 1024
const parts = new PassShare(64)
const bytes = new PassShare(4 * pieceBytes)

/**
 * Must be awaited before a part of an answer is handled, unless it is null. Models send many parts at once,
 * and each takes a tenth of a millisecond to parse and store. Without this limit, a hundred concurrent
 * answers would block all other requests.
 */
export function takeShare(): Promise<void> | null {
  return parts.take(1)
}

/**
 * The same limit for the bytes that parts are parsed from, because comment lines in a stream are bytes but
 * never become a part.
 */
export function takeByteShare(count: number): Promise<void> | null {
  return bytes.take(count)
}
