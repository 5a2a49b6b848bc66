const maxRemembered = 10_000

/** Remembers the latest ids from a peer, up to a limit, so that a peer cannot fill the memory. */
export class RecentIds {
  readonly #ids = new Set<string>()
  /** Iterates over the ids in the order in which they were added, so that the oldest is found without a search. */
  readonly #oldest = this.#ids.values()

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
