import type { Timers } from '../../../ports/timers.js'

/**
 * How long a sub-agent may take. The clock stands still while one of its calls, or of the agents below it, waits for a
 * person: who is asked has all the time that was announced, and the agent what was left of its own.
 */
export class PausableTimeout {
  readonly #timers: Timers
  readonly #overdue = new AbortController()
  #awaitedPersons = 0
  #leftMilliseconds: number
  #runsSince = 0
  #cancel: () => void = () => undefined
  #isEnded = false

  constructor(timers: Timers, milliseconds: number) {
    this.#timers = timers
    this.#leftMilliseconds = milliseconds
    this.#run()
  }

  /** Aborts when the time is over. */
  get signal(): AbortSignal {
    return this.#overdue.signal
  }

  /** A call begins to wait for a person, or waits no longer. */
  awaitPerson(isAwaited: boolean): void {
    this.#awaitedPersons += isAwaited ? 1 : -1
    if (isAwaited && this.#awaitedPersons === 1) this.#pause()
    if (!isAwaited && this.#awaitedPersons === 0) this.#run()
  }

  /** The agent has finished. */
  end(): void {
    this.#isEnded = true
    this.#cancel()
  }

  #run(): void {
    // A call that ends its waiting after the agent has finished must not start the clock again.
    if (this.#isEnded) return
    this.#runsSince = this.#timers.monotonic()
    this.#cancel = this.#timers.after(this.#leftMilliseconds, () => this.#overdue.abort())
  }

  #pause(): void {
    this.#cancel()
    this.#leftMilliseconds -= this.#timers.monotonic() - this.#runsSince
  }
}
