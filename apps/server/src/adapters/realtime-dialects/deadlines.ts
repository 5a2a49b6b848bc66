/** The times at which a dialect must act, each with a name. */
export class Deadlines<Name extends string> {
  readonly #times = new Map<Name, number>()

  /** The earliest time, or null. */
  get next(): number | null {
    return this.#times.size === 0 ? null : Math.min(...this.#times.values())
  }

  set(name: Name, at: number): void {
    this.#times.set(name, at)
  }

  clear(name: Name): void {
    this.#times.delete(name)
  }

  /** Returns the names whose time has come, and forgets them. */
  takeDue(now: number): readonly Name[] {
    const due = [...this.#times].filter(([, at]) => at <= now).map(([name]) => name)
    for (const name of due) this.#times.delete(name)
    return due
  }
}
