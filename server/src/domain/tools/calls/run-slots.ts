/** Lets so many run at a time; the others wait their turn, first come first served. */
export class RunSlots {
  readonly #limit: number
  readonly #waiting: (() => void)[] = []
  #taken = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Calls `start` when there is room, at once where there is. */
  take(start: () => void): void {
    if (this.#taken >= this.#limit) {
      this.#waiting.push(start)
      return
    }
    this.#taken += 1
    start()
  }

  /** Gives the room to the next. */
  free(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#taken -= 1
  }
}
