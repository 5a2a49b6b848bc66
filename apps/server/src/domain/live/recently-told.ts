/** Longer than the database looks back for what is new. */
const rememberedMicroseconds = 300 * 1_000_000

/** The ids that were told of lately, so that what is new is called so once. */
export class RecentlyTold {
  /** When each was last told of, the oldest first. */
  readonly #toldAt = new Map<string, number>()
  #now = 0

  /** Moves on to this moment of the database, and forgets what lies too far behind it. */
  moveTo(microseconds: number): void {
    this.#now = microseconds
    for (const [id, toldAt] of this.#toldAt) {
      if (toldAt > microseconds - rememberedMicroseconds) return
      this.#toldAt.delete(id)
    }
  }

  /** Whether it is told of for the first time. */
  note(id: string): boolean {
    const isFirst = !this.#toldAt.delete(id)
    this.#toldAt.set(id, this.#now)
    return isFirst
  }
}
