import type { Timers } from '#telephone/time.js'

interface Waiting {
  readonly at: number
  readonly action: () => void
}

/** A clock that the test turns. */
export class TestTimers implements Timers {
  #now = 0
  readonly #waiting = new Set<Waiting>()

  monotonic(): number {
    return this.#now
  }

  after(milliseconds: number, action: () => void): () => void {
    const waiting = { at: this.#now + milliseconds, action }
    this.#waiting.add(waiting)
    return () => this.#waiting.delete(waiting)
  }

  /** The timers that have not fired. */
  get count(): number {
    return this.#waiting.size
  }

  /** Fires the timers of the next milliseconds in their order. */
  advance(milliseconds: number): void {
    const end = this.#now + milliseconds
    for (let next = this.#next(end); next; next = this.#next(end)) this.#fire(next)
    this.#now = end
  }

  /** The same, with time for promises after each timer. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds
    await settle()
    for (let next = this.#next(end); next; next = this.#next(end)) {
      this.#fire(next)
      await settle()
    }
    this.#now = end
  }

  #next(end: number): Waiting | undefined {
    let first: Waiting | undefined
    for (const waiting of this.#waiting)
      if (waiting.at <= end && (first === undefined || waiting.at < first.at)) first = waiting
    return first
  }

  #fire(waiting: Waiting): void {
    this.#waiting.delete(waiting)
    this.#now = Math.max(this.#now, waiting.at)
    waiting.action()
  }
}

/** Lets all promises run that wait for nothing but each other. */
async function settle(): Promise<void> {
  for (let round = 0; round < 20; round += 1) await Promise.resolve()
}
