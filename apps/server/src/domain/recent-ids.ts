const maxRemembered = 10_000

/** The latest ids from outside. A peer that sends new ones without end must not fill the memory. */
export class RecentIds {
  readonly #ids = new Set<string>()
  /** Goes on from id to id in the order they were added, so that what is forgotten need not be searched for. */
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
