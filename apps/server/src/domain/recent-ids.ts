const maxRemembered = 10_000

/**
 * Remembers the most recent ids from a peer, up to a maximum number, so that a peer cannot fill the memory.
 */
export class RecentIds {
  readonly #ids = new Set<string>()
  /** Iterates over the ids in insertion order, so that the oldest one is found without a search. */
  readonly #oldest = this.#ids.values()

  /** Oldest first. */
  get all(): Iterable<string> {
    return this.#ids
  }

  has(id: string): boolean {
    return this.#ids.has(id)
  }

  add(id: string): void {
    this.#ids.add(id)
    if (this.#ids.size <= maxRemembered) return
    const oldest = this.#oldest.next()
    if (!oldest.done) this.#ids.delete(oldest.value)
  }
}
