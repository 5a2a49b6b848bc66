import type { Timers } from '../../ports/time.js'

/**
 * The elapsed time of a reader. It pauses while passages are stored, because the reader is not responsible
 * for the database's time.
 */
export class ReadingTime {
  readonly #timers: Timers
  readonly #onUp: () => void
  #leftMilliseconds: number
  #runsSince = 0
  #cancel: () => void = () => undefined
  #isUp = false

  constructor(timers: Timers, milliseconds: number, onUp: () => void) {
    this.#timers = timers
    this.#leftMilliseconds = milliseconds
    this.#onUp = onUp
  }

  get isUp(): boolean {
    return this.#isUp
  }

  run(): void {
    this.#runsSince = this.#timers.monotonic()
    this.#cancel = this.#timers.after(this.#leftMilliseconds, () => {
      this.#isUp = true
      this.#onUp()
    })
  }

  pause(): void {
    this.#cancel()
    this.#leftMilliseconds -= this.#timers.monotonic() - this.#runsSince
  }
}
