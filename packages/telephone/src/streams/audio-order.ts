/** Pieces behind a gap before the missing piece counts as lost. */
const patience = 3

/** Puts numbered pieces in order, and drops repeated ones. */
export class AudioOrder {
  #next = 1
  readonly #early = new Map<number, Buffer>()

  /** Returns the pieces that can be passed on. */
  add(number: number, audio: Buffer): Buffer[] {
    if (number < this.#next || this.#early.has(number)) return []
    this.#early.set(number, audio)
    if (!this.#early.has(this.#next) && this.#early.size > patience) {
      this.#next = Math.min(...this.#early.keys())
    }
    const ready: Buffer[] = []
    for (;;) {
      const piece = this.#early.get(this.#next)
      if (!piece) return ready
      this.#early.delete(this.#next)
      this.#next += 1
      ready.push(piece)
    }
  }
}
